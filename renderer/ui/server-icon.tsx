// The picture that a server gives for itself or for what it offers (MCP, "Icons"). Only one that came whole, as data, is
// drawn: an address is never fetched, and SVG, which is a document, is passed over. It stands in lists, beside the name,
// never where something is asked.
import type { ReactNode } from 'react'

interface OfferedIcon {
  readonly src: string
  readonly theme?: string | undefined
}

const picture = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+=*$/
/** Characters of one address. A list may have hundreds. */
const longest = 32_000

/** The address of the one to draw, one for any theme rather than for one; undefined: none can be. */
export function ownIcon(icons: readonly OfferedIcon[] | undefined): string | undefined {
  const usable = (icons ?? []).filter(({ src }) => src.length <= longest && picture.test(src))
  return (usable.find(({ theme }) => theme === undefined) ?? usable[0])?.src
}

interface OwnIconProps {
  readonly icons: readonly OfferedIcon[] | undefined
  /** What stands there without one. */
  readonly children?: ReactNode
}

export function OwnIcon({ icons, children }: OwnIconProps) {
  const src = ownIcon(icons)
  return src === undefined ? children : <img className="own-icon" src={src} alt="" width={16} height={16} />
}
