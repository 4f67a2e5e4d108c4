// The icon that a server gives for itself or for what it offers (MCP 2025-11-25, "Icons"). Only a data: URL of a bitmap is drawn: no
// address is fetched, and SVG, which is a document, is skipped. Icons stand in lists beside the name, never in a request.
import type { ReactNode } from 'react'

interface OfferedIcon {
  readonly src: string
  readonly theme?: string | undefined
}

const picture = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/
/** Characters of one data: URL; a list may have hundreds. */
const longest = 32_000

/** The data: URL to draw, preferably one for any theme; undefined where none can be drawn. */
export function ownIcon(icons: readonly OfferedIcon[] | undefined): string | undefined {
  const usable = (icons ?? []).filter(({ src }) => src.length <= longest && picture.test(src))
  return (usable.find(({ theme }) => theme === undefined) ?? usable[0])?.src
}

/** `children`: drawn where there is no icon. */
export function OwnIcon({ icons, children }: { readonly icons: readonly OfferedIcon[] | undefined; readonly children?: ReactNode }) {
  const src = ownIcon(icons)
  return src === undefined ? children : <img className="own-icon" src={src} alt="" width={16} height={16} />
}
