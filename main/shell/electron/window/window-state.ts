// Position and size of the window: validated when read from disk, fitted to the present screens.
import { z } from 'zod'
import { parseJson } from '#app/or-else.ts'

const size = z.number().int().min(1).max(20_000)
const place = z.number().int().min(-100_000).max(100_000)
const windowState = z.object({ x: place, y: place, width: size, height: size, maximized: z.boolean() })
export type WindowState = z.infer<typeof windowState>
type Area = Readonly<Omit<WindowState, 'maximized'>>

export const minimumSize = { width: 420, height: 480 } as const
const usualSize = { width: 1280, height: 800 } as const
const step = 28
/** Part of the title bar that has to be on a screen, so that the window can be moved. */
const visible = { width: 120, height: 40 } as const

export const parseWindowState = (text: string): WindowState | undefined => windowState.safeParse(parseJson(text)).data

/** Moves a new window beside the open ones, so that none hides another. */
export const cascadeWindow = (state: WindowState, others: number): WindowState => ({
  ...state,
  x: state.x + (others % 8) * step,
  y: state.y + (others % 8) * step,
})

/** Returns the last position if enough of the title bar is on a screen, else none, which centres the window. */
export function placeWindow(saved: WindowState | undefined, workAreas: readonly Area[]): Partial<Area> & Pick<Area, 'width' | 'height'> {
  const home = saved && workAreas.find((area) => showsTitleBar(saved, area))
  const limit = home ?? workAreas[0]
  const width = Math.max(minimumSize.width, Math.min(saved?.width ?? usualSize.width, limit?.width ?? usualSize.width))
  const height = Math.max(minimumSize.height, Math.min(saved?.height ?? usualSize.height, limit?.height ?? usualSize.height))
  return home ? { x: saved.x, y: saved.y, width, height } : { width, height }
}

function showsTitleBar(state: WindowState, area: Area): boolean {
  const across = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x)
  return across >= visible.width && state.y >= area.y && state.y + visible.height <= area.y + area.height
}
