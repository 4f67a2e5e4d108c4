// Hosts in a text. `sureHost`, for approvals, accepts only unambiguous addresses without user information; `possibleHosts`, for
// refusals, returns every possible reading.

/** Host of an unambiguous http(s) address: `example.org`, `example.org:8080`. */
export function sureHost(text: string): string | undefined {
  // Other texts are many, and long ones take time to parse.
  if (text.length > 8192 || !/^https?:/i.test(text) || /[\p{C}\s\\@]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const begin = `${url.protocol}//${url.host}`
  const rest = text.slice(begin.length)
  return text.slice(0, begin.length).toLowerCase() === begin && /^(?:$|[/?#])/.test(rest) ? url.host : undefined
}

/** Every host that the text may be taken to name. */
export function possibleHosts(text: string): readonly string[] {
  const bare = text.slice(0, 8192).replace(/[\p{C}\s]/gu, '')
  const readings = [text.slice(0, 8192), bare, bare.replaceAll('\\', '/'), `https://${bare}`, `https:${bare}`]
  const urls = readings.filter((reading) => URL.canParse(reading)).map((reading) => new URL(reading))
  // A user name before the @ may be read as the host.
  const names = urls
    .flatMap(({ hostname, username }) => [hostname, username])
    .concat(`${text.slice(0, 8192)} ${bare}`.match(/[\p{L}\d.-]+/gu) ?? [])
  return [...new Set(names.map((name) => name.toLowerCase().replace(/\.+$/, '')).filter(Boolean))]
}

/** Normalises a host that a person typed; undefined when it is none. */
export function hostName(host: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).host : undefined
}

export const isHostOf = (host: string, wanted: string, subdomains: boolean): boolean =>
  host === wanted || (subdomains && host.endsWith(`.${wanted}`))

// Addresses that may reach a browser: http and https without user information, which makes one host look like another. The returned
// URL is exactly the one that is opened: show that.

type WebUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'not-an-address' | 'scheme' | 'credentials' }

export function readWebUrl(text: string): WebUrl {
  if (text.length > 8192 || !URL.canParse(text)) return { ok: false, reason: 'not-an-address' }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, reason: 'scheme' }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text.trim()))
    return { ok: false, reason: 'credentials' }
  return { ok: true, url: url.href }
}

// Registrable part of a host. Without the public suffix list it is a rule of thumb: the last two labels, or three below a country's
// second level (co.uk) or a hosting domain. The whole host is always shown beside it.

const secondLevel = /^(?:com?|org|net|gov|edu|ac|or|ne|go|gob|nom|ltd|plc|sch|nhs|mil)$/

/** Hosting domains whose subdomains have different owners; a missing one makes two of them look related. */
const shared = new Set(
  (
    'github.io gitlab.io pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com onrender.com fly.dev ' +
    'railway.app deno.dev azurewebsites.net cloudfront.net amazonaws.com run.app appspot.com ngrok.io ngrok.app ngrok-free.app ' +
    'trycloudflare.com glitch.me repl.co replit.app hf.space supabase.co auth0.com okta.com'
  ).split(' '),
)

export function registrableDomain(host: string): string {
  if (/^[\d.]+$/.test(host) || host.includes(':')) return host
  // A trailing dot is no label.
  const labels = host.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  const wide = labels.length > 2 && ((last.length === 2 && secondLevel.test(labels.at(-2) ?? '')) || shared.has(labels.slice(-2).join('.')))
  return labels.slice(wide ? -3 : -2).join('.')
}

/** Registrable domain of an address; undefined when it is none. */
export const domainOf = (url: string): string | undefined => (URL.canParse(url) ? registrableDomain(new URL(url).hostname) : undefined)

/** Whether the host has non-ASCII letters, which can look like Latin ones. */
export const isPunycode = (url: string): boolean => URL.canParse(url) && /(?:^|\.)xn--/.test(new URL(url).hostname)
