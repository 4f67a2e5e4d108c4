// Where the window was: read from disk with distrust, fitted to the screens that are there now.
import { z } from 'zod'

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const size = z.number().int().min(1).max(20_000)
const place = z.number().int().min(-100_000).max(100_000)
const windowState = z.object({ x: place, y: place, width: size, height: size, maximized: z.boolean() })
export type WindowState = z.infer<typeof windowState>

export const minimumSize = { width: 420, height: 480 } as const
const usualSize = { width: 1280, height: 800 } as const
const step = 28
/** Of the title bar, so that the window can be got hold of. */
const visible = { width: 120, height: 40 } as const

export function parseWindowState(text: string): WindowState | undefined {
  try {
    return windowState.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // not JSON: as if the window had never been open
  }
}

/** Beside the windows that are open: none hides another. */
export const cascadeWindow = (state: WindowState, others: number): WindowState => ({
  ...state,
  x: state.x + (others % 8) * step,
  y: state.y + (others % 8) * step,
})

/** Where to open: the place of last time if enough of it is on a screen, else the middle of the first one. */
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
