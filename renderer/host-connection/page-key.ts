// The page's half of its session in the web shell. A cookie is sent to every port of 127.0.0.1, so other programs' servers
// may see it; this key is kept by origin, which no other port shares. It comes in the fragment of the address, is taken
// out of it before anything reads the route, and is said to the host only, in the hello of each socket.
import { keyFragment } from '#app/contract/host-connection.ts'

const storedAs = 'assent.page-key'
const wellFormed = /^[A-Za-z0-9_-]{43}$/

/** Takes the key out of the address, if one is there, and keeps it for this origin: reloads and other tabs find it too. */
export function keepPageKey(): void {
  const { hash, pathname } = window.location
  if (!hash.startsWith(keyFragment)) return
  window.history.replaceState(null, '', pathname)
  const key = hash.slice(keyFragment.length)
  if (wellFormed.test(key)) window.localStorage.setItem(storedAs, key)
}

/** Read anew for each socket, since another tab may have been opened with a newer link. */
export const readPageKey = (): string | undefined => window.localStorage.getItem(storedAs) ?? undefined
