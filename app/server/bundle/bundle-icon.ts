// Choice and check of a bundle's icon, a PNG file of the archive; one at an address is never fetched. The size in its header is limited,
// since a small file can unpack to gigabytes of pixels.
import type { BundleManifest } from './manifest.ts'

/** Bytes of the file. */
export const largestIcon = 256 * 1024
/** Pixels of a side. */
const longestSide = 1024
/** Pixels at which it is shown on a screen of double density. */
const wantedSide = 80

/** Path of the icon in the archive that suits the screen best; undefined when there is none. */
export function iconFile({ icon, icons = [] }: BundleManifest): string | undefined {
  const distance = ({ size }: { readonly size: string }): number => {
    const side = Number(/^(\d+)x/.exec(size)?.[1] ?? 0)
    // Too small an icon would be scaled up: the larger the better.
    return side < wantedSide ? 10_000 - side : side
  }
  const free = icons.filter(({ theme }) => theme === undefined)
  const [best] = (free.length > 0 ? free : icons).toSorted((a, b) => distance(a) - distance(b))
  const src = best?.src ?? icon
  return src === undefined || /^[a-z][a-z0-9+.-]*:/i.test(src) ? undefined : src.replaceAll('\\', '/').replace(/^\.\//, '')
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const ihdr = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]

/** Tells whether the bytes are a PNG of at most `longestSide` pixels. */
export function isPlainPng(bytes: Uint8Array): boolean {
  if (![...signature, ...ihdr].every((byte, at) => bytes[at] === byte) || bytes.byteLength < 45) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return width > 0 && height > 0 && width <= longestSide && height <= longestSide
}
