// Folders and display name of a resource, from its address.
import type { ListedResource } from '#app/server/library-listing.ts'

const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i
/** Depth limit: deeper resources stand in the last of these folders. */
const deepest = 20

interface ResourcePath {
  /** Scheme with its separator, as in `file://`; empty where there is none. */
  readonly scheme: string
  readonly folders: readonly string[]
  readonly last: string
}

/** Splits an address or a URI template. Expressions, queries and fragments make no folders. */
export function pathOf(uri: string): ResourcePath {
  const scheme = SCHEME.exec(uri)?.[0] ?? ''
  const rest = uri.slice(scheme.length)
  const end = rest.search(/[?#{]/)
  const path = end < 0 ? rest : rest.slice(0, end)
  const parts = path.split('/').filter(Boolean)
  // A path that ends in a slash, or whose query begins there, still has a last part.
  const tail = end < 0 ? '' : rest.slice(end)
  const last = path.endsWith('/') && tail !== '' ? '' : (parts.pop() ?? '')
  return { scheme, folders: parts.slice(0, deepest), last: last + tail }
}

export function decodePathPart(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: it stays as it was written.
    return text
  }
}

/** Title or name of a resource. One that is named by its address gets the end of that. */
export function labelOf({ uri, name, title }: Pick<ListedResource, 'uri' | 'name' | 'title'>): string {
  const said = title || name
  return said !== uri && said !== '' ? said : decodePathPart(pathOf(uri).last) || uri
}
