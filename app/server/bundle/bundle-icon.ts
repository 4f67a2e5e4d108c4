// The picture that a bundle brings. The format has PNG alone, in the bundle or at an address; one at an address is never
// fetched. Its first bytes say how large it is drawn: a few of them could otherwise become gigabytes of picture.
import type { BundleManifest } from './manifest.ts'

/** Bytes of the file. */
export const largestIcon = 256 * 1024
/** Pixels of a side. */
const longestSide = 1024
/** As it is shown, for screens with two of theirs for one of ours. */
const wantedSide = 80

/** The file to take, as the bundle names it; undefined: it brings none. */
export function iconFile({ icon, icons = [] }: BundleManifest): string | undefined {
  const sideOf = (size: string): number => Number(/^(\d+)x/.exec(size)?.[1] ?? 0)
  const distance = ({ size }: { readonly size: string }): number => {
    const side = sideOf(size)
    // One that is too small is drawn larger, and looks worse for it.
    return side < wantedSide ? 10_000 - side : side
  }
  const free = icons.filter(({ theme }) => theme === undefined)
  const [best] = (free.length > 0 ? free : icons).toSorted((a, b) => distance(a) - distance(b))
  const src = best?.src ?? icon
  return src === undefined || /^[a-z][a-z0-9+.-]*:/i.test(src) ? undefined : src.replaceAll('\\', '/').replace(/^\.\//, '')
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const ihdr = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

/** Whether these are the bytes of a PNG of a size that is drawn at once. */
export function isPlainPng(bytes: Uint8Array): boolean {
  if (![...signature, ...ihdr].every((byte, at) => bytes[at] === byte) || bytes.byteLength < 45) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return width > 0 && height > 0 && width <= longestSide && height <= longestSide
}
