import { blobSecurityPolicy, contentSecurityPolicy, securityHeaders, viewOwnHeaders } from '#app/contract/csp.ts'

export type Headers = Readonly<Record<string, string>>

export const pageHeaders: Headers = { ...securityHeaders, 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' }
/** Built assets carry a hash in their name; they are still private to this person. */
export const assetHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
export const blobHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': blobSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
/** `policy`: of the document of the diagrams' frame, which the page may frame. */
export const diagramHeaders = (policy: string): Headers => ({
  ...securityHeaders,
  'X-Frame-Options': 'SAMEORIGIN',
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-cache',
})
/** Of the document of a view, which only its frame in the page may show. */
export const viewHeaders = (of: { readonly policy: string; readonly connections: string }): Headers => ({
  ...securityHeaders,
  ...viewOwnHeaders,
  'Content-Security-Policy': of.policy,
  'Connection-Allowlist': of.connections,
})
/** For answers without content, and for the page that says why there is nothing to see. */
export const refusalHeaders: Headers = {
  ...securityHeaders,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}
