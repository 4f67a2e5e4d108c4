// Address of an endpoint as the person types it. Pure.
import type { EndpointFormat } from './presets.ts'

const isLocal = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

/**
 * Adds a scheme and `/v1`, removes a request path; in Anthropic's format `/v1` is part of the request, and clouds have paths of their own. Undefined: not http(s), or with user
 * information, query or fragment.
 */
export function endpointUrl(typed: string, format: EndpointFormat = 'openai'): string | undefined {
  const text = typed.trim()
  const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(text)
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${here ? 'http' : 'https'}://${text}`
  if (text === '' || !URL.canParse(whole)) return undefined
  const url = new URL(whole)
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses|messages|models)$/, '')
  if (format === 'anthropic') return `${url.origin}${path.replace(/\/v1$/, '')}`
  if (path !== '') return `${url.origin}${path}`
  return format === 'openai' || format === 'openai-responses' ? `${url.origin}/v1` : url.origin
}

/** Whether traffic, the key included, can be read and changed on the way. */
export function isOpenToAll(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLocal(hostname)
}
