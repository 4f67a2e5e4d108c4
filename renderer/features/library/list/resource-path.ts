// Where a resource stands by its address: folders, and the name that people know it by. Pure.
import type { ListedResource } from '#app/server/library-listing.ts'

const SCHEME = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i
/** Deeper ones stand in the last of these folders. */
const deepest = 20

interface ResourcePath {
  /** With what separates it from the rest, as in `file://`; empty where there is none. */
  readonly scheme: string
  readonly folders: readonly string[]
  readonly last: string
}

/** Of an address or a template of one. Expressions, queries and fragments make no folders. */
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

export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: it stays as it was written.
    return text
  }
}

type Named = Pick<ListedResource, 'uri' | 'name' | 'title'>

/** Its title or its name; of one that is named by its address, the end of that. */
export function labelOf({ uri, name, title }: Named): string {
  const said = title || name
  return said !== uri && said !== '' ? said : decoded(pathOf(uri).last) || uri
}
