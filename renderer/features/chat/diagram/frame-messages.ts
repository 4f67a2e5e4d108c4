// Messages between the page and the frame that draws diagrams. The frame runs third-party code over untrusted text, so its
// messages are read field by field and capped: it can choose a size and a sentence, nothing else.
import { t } from '#app/i18n/translate.ts'

export type FrameOrder =
  | { readonly kind: 'draw'; readonly source: string; readonly dark: boolean }
  /** `scale` 1 is the drawn size. */
  | { readonly kind: 'zoom'; readonly scale: number }

export type FrameMessage =
  | { readonly kind: 'ready' }
  /** Drawn size in CSS pixels. */
  | { readonly kind: 'drawn'; readonly width: number; readonly height: number; readonly type: string }
  | { readonly kind: 'failed'; readonly message: string }

/** Limit of a drawn source in UTF-16 units; a longer one is shown as text. */
export const largestSource = 50_000

const mostPixels = 20_000
const pixels = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(mostPixels, Math.max(1, Math.round(value))) : 1

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (data: unknown): Fields => (typeof data === 'object' && data !== null ? (data as Fields) : {})

export function readOrder(data: unknown): FrameOrder | undefined {
  const { kind, source, dark, scale } = fieldsOf(data)
  if (kind === 'draw' && typeof source === 'string') return { kind, source, dark: dark === true }
  if (kind === 'zoom' && typeof scale === 'number') return { kind, scale }
  return undefined
}

export function readMessage(data: unknown): FrameMessage | undefined {
  const { kind, width, height, type, message } = fieldsOf(data)
  if (kind === 'ready') return { kind }
  if (kind === 'drawn') {
    const named = typeof type === 'string' && /^[\w-]{1,40}$/.test(type) ? type : t`diagram`
    return { kind, width: pixels(width), height: pixels(height), type: named }
  }
  if (kind === 'failed') return { kind, message: typeof message === 'string' ? message.slice(0, 500) : '' }
  return undefined
}
