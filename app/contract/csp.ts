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
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // No policy can be made that would let text through.
  'trusted-types': "'none'",
}

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')

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
