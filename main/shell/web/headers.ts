import { blobSecurityPolicy, contentSecurityPolicy } from '#app/contract/csp.ts'

/** On every answer, refusals included. */
const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), display-capture=()',
  'X-DNS-Prefetch-Control': 'off',
} as const

export type Headers = Readonly<Record<string, string>>

export const pageHeaders: Headers = { ...always, 'Content-Security-Policy': contentSecurityPolicy, 'Cache-Control': 'no-store' }
/** Built assets carry a hash in their name; they are still private to this person. */
export const assetHeaders: Headers = {
  ...always,
  'Content-Security-Policy': contentSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
export const blobHeaders: Headers = {
  ...always,
  'Content-Security-Policy': blobSecurityPolicy,
  'Cache-Control': 'private, max-age=31536000, immutable',
}
/** For answers without content, and for the page that says why there is nothing to see. */
export const refusalHeaders: Headers = {
  ...always,
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}
