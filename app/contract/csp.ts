// The page's Content-Security-Policy, the same in every shell. `connect-src 'self'` covers the page's own WebSocket.
// No inline script or style and no eval: what a server sends can never become code, fetch a font or call home.
const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  // Of all that is served only the diagrams' document lets itself be framed.
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // The one policy makes the address of the worker that parses PDFs (`preview/pdf.ts`); none can be made that would let text through.
  'trusted-types': 'assent-pdf-worker',
}

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')

/** The document of the frame that draws a diagram (`renderer/diagram/frame.ts`); served to a frame and to nothing else. */
export const diagramPath = '/diagram'

/**
 * For that document, whose one script stands in it: `hash` is its SHA-256 in base64. An origin of its own, no request of any
 * kind, no eval; inline styles are what a drawing is made of.
 */
export const diagramSecurityPolicy = (hash: string): string =>
  `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`

/** For stored bytes (`/blob/<sha256>`): shown or played, never run. */
export const blobSecurityPolicy = "default-src 'none'; style-src 'none'; sandbox; frame-ancestors 'none'"

/** Types that a blob is served as; anything else goes out as `application/octet-stream`. SVG is not among them: it can hold scripts. */
export const blobTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/x-wav',
  'audio/webm',
  'audio/flac',
  'audio/aac',
])

/** On every answer of either shell, refusals included, beside the policy. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=(), display-capture=()',
  'X-DNS-Prefetch-Control': 'off',
} as const

/** The files that a built page is made of, by ending; nothing else is served. */
export const pageFileTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}
