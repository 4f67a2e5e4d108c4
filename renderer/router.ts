// The route: the place in the app, in the fragment of the address, so that a reload and the back button work in every shell.
//   #/chat  #/chat/<id>[/review/<request> | /at/<message>[/<call>]]  #/folder/<id>[/edit]  #/chats[/<tab>[/<folder>]]  #/search[/<text>[/<where>[/<chat>]]]  #/servers  #/servers/<name>[/<tab>]  #/settings[/<tab>[/<model>]]  #/registry[/<name>[/<version>]]  #/requests[/<id>]  #/activity[/rules[/<server>/<tool>]]
//   #/quick[/<chat>]
//   #/library[/<tab>[/<server>[/<item>]]]
import { useSyncExternalStore } from 'react'

export type Route =
  /** A chat; without an id, a new one. `review`: request whose sheet is open. `at`, `call`: message to show, and a call in it. */
  | { readonly page: 'chat'; readonly id?: string; readonly review?: string; readonly at?: string; readonly call?: string }
  /** A new chat in a folder of chats; `edit`: the folder's own page. */
  | { readonly page: 'folder'; readonly id: string; readonly edit?: boolean }
  /** All chats, or the chats of one folder. */
  | { readonly page: 'chats'; readonly tab?: string; readonly folder?: string }
  /** `chat`: limits the search to one chat. */
  | { readonly page: 'search'; readonly text?: string; readonly where?: string; readonly chat?: string }
  /** `tab` with an empty name: a tab about all servers, e.g. the config file as text. */
  | { readonly page: 'servers'; readonly name?: string; readonly tab?: string }
  /** `version`: absent for the latest. */
  | { readonly page: 'registry'; readonly name?: string; readonly version?: string }
  /** `pull`: id of a model that is missing, for Ollama to pull. */
  | { readonly page: 'settings'; readonly tab?: string; readonly pull?: string }
  | { readonly page: 'requests'; readonly id?: string }
  /** Quick entry, without the rest of the app; `id`: chat that it goes on with. */
  | { readonly page: 'quick'; readonly id?: string }
  /** `server`, `tool`: of a rule to begin. `agent`: client of the gate whose rows are shown. */
  | { readonly page: 'activity'; readonly tab?: string; readonly server?: string; readonly tool?: string; readonly agent?: string }
  /** `item`: URI of a resource, URI template, or name of a prompt or tool. */
  | { readonly page: 'library'; readonly tab?: string; readonly server?: string; readonly item?: string }

/** Members of a route in the order of its address; those of `chat` and `folder` depend on each other and are read below. */
const members = {
  servers: ['name', 'tab'],
  registry: ['name', 'version'],
  settings: ['tab', 'pull'],
  activity: ['tab', 'server', 'tool', 'agent'],
  requests: ['id'],
  quick: ['id'],
  chats: ['tab', 'folder'],
  library: ['tab', 'server', 'item'],
  search: ['text', 'where', 'chat'],
} as const satisfies { readonly [R in Route as Exclude<R['page'], 'chat' | 'folder'>]: readonly (keyof R)[] }

export function parseRoute(hash: string): Route {
  const [page = '', ...parts] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(safeDecode)
  const [first, second, third, fourth] = parts
  if (page === 'folder' && first) return { page, id: first, ...(second === 'edit' && { edit: true }) }
  if (Object.hasOwn(members, page)) {
    const given = members[page as keyof typeof members].map((name, index) => [name, parts[index]] as const)
    // An empty part is an absent member, except for a server's name.
    const known = given.filter(([name, part]) => part || (part === '' && name === 'name' && page === 'servers'))
    return { page, ...Object.fromEntries(known) } as Route // The table has each page's own members.
  }
  if (page !== 'chat' || !first) return { page: 'chat' }
  return {
    page,
    id: first,
    ...(second === 'review' && third && { review: third }),
    ...(second === 'at' && third && { at: third, ...(fourth && { call: fourth }) }),
  }
}

function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray percent sign in a typed address.
    return part
  }
}

function partsOf(route: Route): readonly (string | undefined)[] {
  if (route.page === 'folder') return [route.page, route.id, route.edit ? 'edit' : undefined]
  if (route.page !== 'chat') return [route.page, ...members[route.page].map((name) => (route as Readonly<Record<string, string>>)[name])]
  if (route.at !== undefined) return [route.page, route.id, 'at', route.at, route.call]
  return [route.page, route.id, route.review === undefined ? undefined : 'review', route.review]
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
  // The browser itself would send the event later, and the next key would still reach the page before.
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

const listeners = new Set<() => void>()
/** Hold of the current route; `hash` is its address. */
let held: { readonly hash: string; readonly onLeave: () => void } | undefined
const tellAll = (): void => {
  if (held) held.onLeave()
  else for (const listener of listeners) listener()
}

/**
 * Keeps the current route, whatever the address says, and calls `onLeave` at each change. Returns its undo. A separate listener
 * of the window could run too late: `hashchange` has no capture phase there.
 */
export function holdRoute(onLeave: () => void): () => void {
  const mine = { hash: window.location.hash, onLeave }
  held = mine
  return () => {
    if (held === mine) held = undefined
  }
}

/** Uses one listener of the window for all, so that React renders the page once for a change. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('hashchange', tellAll)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('hashchange', tellAll)
  }
}

let last = { hash: '', route: parseRoute('') }

/** Returns the same object for the same hash, so that React sees no change. */
function current(): Route {
  const { hash } = held ?? window.location
  if (hash !== last.hash) last = { hash, route: parseRoute(hash) }
  return last.route
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, current)
