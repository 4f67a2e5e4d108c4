// Hosts in a text. `sureHost`, for approvals, accepts only unambiguous addresses without user information; `possibleHosts`, for
// refusals, returns every possible reading.

/** Host of an unambiguous http(s) address: `example.org`, `example.org:8080`. */
export function sureHost(text: string): string | undefined {
  if (text.length > 8192 || /[\p{C}\s\\@]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
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
