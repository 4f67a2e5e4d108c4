// The address of an endpoint that speaks OpenAI's format, as the person types it. Pure.

/** What is offered by name; any other address is typed. */
export const endpointPresets = [
  { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
] as const

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

/**
 * The base URL, without a slash at its end. `localhost:11434` gets its scheme, an address without a path gets `/v1`, and
 * the path of a request is cut off. Undefined: no http(s) address, or one with a name, password, query or fragment in it.
 */
export function endpointUrl(typed: string): string | undefined {
  const text = typed.trim()
  const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(text)
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${here ? 'http' : 'https'}://${text}`
  if (text === '' || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|models)$/, '')
  return `${url.origin}${path === '' ? '/v1' : path}`
}

/** Whoever is on the way can read and change what goes there, the key too. */
export function isOpenToAll(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLocal(hostname)
}
