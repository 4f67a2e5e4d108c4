// Where the page is, in the address after `#`, so that a reload and the back button work in every shell.
//   #/chat  #/chat/<id>  #/servers  #/servers/<name>[/<tab>]  #/settings[/<tab>]  #/requests[/<id>]  #/record[/<tab>]
import { useSyncExternalStore } from 'react'

export type Route =
  /** Without an id: a new chat. */
  | { readonly page: 'chat'; readonly id?: string }
  /** `tab` without a name (empty): about all of them, e.g. the config file as text. */
  | { readonly page: 'servers'; readonly name?: string; readonly tab?: string }
  | { readonly page: 'settings'; readonly tab?: string }
  | { readonly page: 'requests'; readonly id?: string }
  | { readonly page: 'record'; readonly tab?: string }

export function parseRoute(hash: string): Route {
  const [page, first, second] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(safeDecode)
  switch (page) {
    case 'servers':
      return { page, ...(first !== undefined && { name: first }), ...(second && { tab: second }) }
    case 'settings':
    case 'record':
      return { page, ...(first && { tab: first }) }
    case 'requests':
      return { page, ...(first && { id: first }) }
    default:
      return { page: 'chat', ...(page === 'chat' && first && { id: first }) }
  }
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A hand-typed address with a stray percent sign: taken as it is.
    return part
  }
}

export function hrefOf(route: Route): string {
  const parts =
    route.page === 'chat' || route.page === 'requests'
      ? [route.page, route.id]
      : route.page === 'servers'
        ? [route.page, route.name, route.tab]
        : [route.page, route.tab]
  const known = parts.slice(0, parts.findLastIndex((part) => part !== undefined) + 1)
  return `#/${known.map((part) => encodeURIComponent(part ?? '')).join('/')}`
}

export function navigate(route: Route, options: { replace?: boolean } = {}): void {
  if (!options.replace) {
    window.location.hash = hrefOf(route)
    return
  }
  window.history.replaceState(null, '', hrefOf(route))
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

let last = { hash: '', route: parseRoute('') }

/** The same hash gives the same object, so that React sees no change where there is none. */
function current(): Route {
  const { hash } = window.location
  if (hash !== last.hash) last = { hash, route: parseRoute(hash) }
  return last.route
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, current)
