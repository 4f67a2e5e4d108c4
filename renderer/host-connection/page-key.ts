// The page's key of its session in the web shell. A cookie is sent to every port of 127.0.0.1, so other programs' servers may
// see it; this key is kept by origin, which no other port shares. It arrives in the fragment of the address, is removed from it
// before anything reads the route, and is sent to the host only, in the hello of each socket.
import { keyFragment } from '#app/contract/host-connection.ts'

const storedAs = 'assent.page-key'
const wellFormed = /^[A-Za-z0-9_-]{43}$/

/** Moves a key from the address to the storage of this origin, where reloads and other tabs find it. */
export function keepPageKey(): void {
  const { hash, pathname } = window.location
  if (!hash.startsWith(keyFragment)) return
  window.history.replaceState(null, '', pathname)
  const key = hash.slice(keyFragment.length)
  if (wellFormed.test(key)) window.localStorage.setItem(storedAs, key)
}

/** Reads the key; once for each socket, since another tab may have stored a newer one. */
export const readPageKey = (): string | undefined => window.localStorage.getItem(storedAs) ?? undefined
