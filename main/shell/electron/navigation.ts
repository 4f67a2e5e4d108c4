// Which addresses are ours and which may leave the app. Pure; every guard of the shell asks here.
import { diagramPath, mcpAppIdOf } from '#app/contract/csp.ts'

export const scheme = 'app'
const host = 'assent'
export const appOrigin = `${scheme}://${host}`
export const pageUrl = `${appOrigin}/`

function parse(url: unknown): URL | undefined {
  if (typeof url !== 'string') return undefined
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

const isOurs = (url: URL): boolean => url.protocol === `${scheme}:` && url.host === host && url.username === '' && url.password === ''

/** The path of an `app://assent/…` address, percent-decoded once; undefined: it is none. */
export function appPath(url: unknown): string | undefined {
  const parsed = parse(url)
  if (!parsed || !isOurs(parsed)) return undefined
  try {
    return decodeURIComponent(parsed.pathname)
  } catch {
    return undefined
  }
}

/** The page itself, whatever stands behind its `#`. */
export const isPage = (url: unknown): boolean => appPath(url) === '/'

/** The document of a view: one of the two things that a frame in the page may hold. */
export const isMcpAppFrame = (url: unknown): boolean =>
  typeof url === 'string' && url.startsWith(`${appOrigin}/view/`) && mcpAppIdOf(url.slice(appOrigin.length)) !== undefined

/** The document that draws a diagram: the other. */
export const isDiagramFrame = (url: unknown): boolean => typeof url === 'string' && url === `${appOrigin}${diagramPath}`

/** The address as it goes to the browser; undefined: it may not. Only http and https, and never with a password in it. */
export function openableUrl(url: unknown): string | undefined {
  const parsed = parse(url)
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return undefined
  if (parsed.username !== '' || parsed.password !== '' || parsed.hostname === '') return undefined
  return parsed.href
}
