// Where the page is, in the address after `#`, so that a reload and the back button work in every shell.
//   #/chat  #/chat/<id>[/review/<request> | /at/<message>[/<call>]]  #/folder/<id>[/edit]  #/chats[/<tab>[/<folder>]]  #/search[/<text>[/<where>[/<chat>]]]  #/servers  #/servers/<name>[/<tab>]  #/settings[/<tab>]  #/registry[/<name>[/<version>]]  #/requests[/<id>]  #/record[/<tab>]
//   #/library[/<tab>[/<server>[/<item>]]]
import { useSyncExternalStore } from 'react'

export type Route =
  /** Without an id: a new chat. `review`: the request whose sheet stands beside it. `at`: the message to show, and a call in it. */
  | { readonly page: 'chat'; readonly id?: string; readonly review?: string; readonly at?: string; readonly call?: string }
  /** A new chat in a folder of chats; `edit`: with the folder's own page before it. */
  | { readonly page: 'folder'; readonly id: string; readonly edit?: boolean }
  /** All chats, or those of one folder. */
  | { readonly page: 'chats'; readonly tab?: string; readonly folder?: string }
  /** `text`: as typed. `chat`: look through that one only. */
  | { readonly page: 'search'; readonly text?: string; readonly where?: string; readonly chat?: string }
  /** `tab` without a name (empty): about all of them, e.g. the config file as text. */
  | { readonly page: 'servers'; readonly name?: string; readonly tab?: string }
  /** `name`: of a server in the registry; `version`: another one than the latest. */
  | { readonly page: 'registry'; readonly name?: string; readonly version?: string }
  | { readonly page: 'settings'; readonly tab?: string }
  | { readonly page: 'requests'; readonly id?: string }
  | { readonly page: 'record'; readonly tab?: string }
  /** `item`: a resource's address, a template, or the name of a prompt or tool. */
  | { readonly page: 'library'; readonly tab?: string; readonly server?: string; readonly item?: string }

export function parseRoute(hash: string): Route {
  const [page, first, second, third, fourth] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(safeDecode)
  switch (page) {
    case 'servers':
      return { page, ...(first !== undefined && { name: first }), ...(second && { tab: second }) }
    case 'registry':
      return { page, ...(first && { name: first }), ...(second && { version: second }) }
    case 'settings':
    case 'record':
      return { page, ...(first && { tab: first }) }
    case 'requests':
      return { page, ...(first && { id: first }) }
    case 'folder':
      return first ? { page, id: first, ...(second === 'edit' && { edit: true }) } : { page: 'chat' }
    case 'chats':
      return { page, ...(first && { tab: first }), ...(second && { folder: second }) }
    case 'library':
      return { page, ...(first && { tab: first }), ...(second && { server: second }), ...(third && { item: third }) }
    case 'search':
      return { page, ...(first && { text: first }), ...(second && { where: second }), ...(third && { chat: third }) }
    default:
      return {
        page: 'chat',
        ...(page === 'chat' &&
          first && {
            id: first,
            ...(second === 'review' && third && { review: third }),
            ...(second === 'at' && third && { at: third, ...(fourth && { call: fourth }) }),
          }),
      }
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

function partsOf(route: Route): readonly (string | undefined)[] {
  switch (route.page) {
    case 'chat':
      return route.at === undefined
        ? [route.page, route.id, route.review === undefined ? undefined : 'review', route.review]
        : [route.page, route.id, 'at', route.at, route.call]
    case 'folder':
      return [route.page, route.id, route.edit ? 'edit' : undefined]
    case 'chats':
      return [route.page, route.tab, route.folder]
    case 'library':
      return [route.page, route.tab, route.server, route.item]
    case 'search':
      return [route.page, route.text, route.where, route.chat]
    case 'requests':
      return [route.page, route.id]
    case 'servers':
      return [route.page, route.name, route.tab]
    case 'registry':
      return [route.page, route.name, route.version]
    case 'settings':
    case 'record':
      return [route.page, route.tab]
  }
}

export function hrefOf(route: Route): string {
  const parts = partsOf(route)
  const known = parts.slice(0, parts.findLastIndex((part) => part !== undefined) + 1)
  return `#/${known.map((part) => encodeURIComponent(part ?? '')).join('/')}`
}

export function navigate(route: Route, options: { replace?: boolean } = {}): void {
  const href = hrefOf(route)
  if (options.replace) window.history.replaceState(null, '', href)
  else if (href === window.location.hash) return
  else window.history.pushState(null, '', href)
  // At once: set as the address's hash it would be told after whatever waits, and the next key would still go to the page before.
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

const listeners = new Set<() => void>()
/** `hash`: of the page that stays. */
let held: { readonly hash: string; readonly onLeave: () => void } | undefined
const tellAll = (): void => {
  if (held) held.onLeave()
  else for (const listener of listeners) listener()
}

/**
 * Until it is ended the page stays where it is, whatever the address says; `onLeave` hears of each change in its place. (A
 * listener of the window's own could come too late: there browsers know no capturing.)
 */
export function holdRoute(onLeave: () => void): () => void {
  const mine = { hash: window.location.hash, onLeave }
  held = mine
  return () => {
    if (held === mine) held = undefined
  }
}

/** One listener for all, so that React renders the whole page in one go: between two of them it would render by halves. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('hashchange', tellAll)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('hashchange', tellAll)
  }
}

let last = { hash: '', route: parseRoute('') }

/** The same hash gives the same object, so that React sees no change where there is none. */
function current(): Route {
  const { hash } = held ?? window.location
  if (hash !== last.hash) last = { hash, route: parseRoute(hash) }
  return last.route
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, current)
