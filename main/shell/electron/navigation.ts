// Classifies addresses: those of our page, and those that the browser may open. Pure; every guard of the shell uses it.
import { diagramPath, mcpAppIdOf } from '#app/contract/csp.ts'
import { orElse } from '#app/or-else.ts'

export const scheme = 'app'
const host = 'assent'
export const appOrigin = `${scheme}://${host}`
export const pageUrl = `${appOrigin}/`

const parse = (url: unknown): URL | null => (typeof url === 'string' ? URL.parse(url) : null)

const isOurs = (url: URL): boolean => url.protocol === `${scheme}:` && url.host === host && url.username === '' && url.password === ''

/** Path of an `app://assent/…` address, percent-decoded once; undefined for any other. */
export function appPath(url: unknown): string | undefined {
  const parsed = parse(url)
  return parsed && isOurs(parsed) ? orElse(() => decodeURIComponent(parsed.pathname), undefined) : undefined
}

/** Whether the address is the page itself, with any fragment. */
export const isPage = (url: unknown): boolean => appPath(url) === '/'

/** Whether the address is an MCP App's document, which a frame in the page may hold. */
export const isMcpAppFrame = (url: unknown): boolean =>
  typeof url === 'string' && url.startsWith(`${appOrigin}/view/`) && mcpAppIdOf(url.slice(appOrigin.length)) !== undefined

/** Whether the address is the diagrams' document, which a frame in the page may hold. */
export const isDiagramFrame = (url: unknown): boolean => typeof url === 'string' && url === `${appOrigin}${diagramPath}`

/** Returns the address for the browser, or undefined for anything but http and https without a password. */
export function openableUrl(url: unknown): string | undefined {
  const parsed = parse(url)
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined
  if (parsed.username !== '' || parsed.password !== '' || parsed.hostname === '') return undefined
  return parsed.href
}
