// The page's Content-Security-Policy, the same in every shell. `connect-src 'self'` covers the page's own WebSocket.
// No inline script or style and no eval: what a server sends can never become code, fetch a font or call home.
import type { McpAppDomains } from '../mcp-apps/csp-domains.ts'

const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  // Of all that is served only the documents of diagrams and views let themselves be framed. What they may go to is said here
  // too: a frame that leaves for another origin is stopped.
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

/** Documents of views (MCP Apps): `/view/<id>`, each for one frame, known by nobody else. */
export const mcpAppPath = (id: string): string => `/view/${id}`
const viewPattern = /^\/view\/([A-Za-z0-9_-]{20,100})$/
/** Undefined: it is no such path. */
export const mcpAppIdOf = (path: string): string | undefined => viewPattern.exec(path)?.[1]

/** Backups that are downloaded: `/backup/<ticket>`, each known to the page that asked for it alone. */
export const backupPath = (ticket: string): string => `/backup/${ticket}`
const backupPattern = /^\/backup\/([A-Za-z0-9_-]{43})$/
/** Undefined: it is no such path. */
export const ticketOf = (path: string): string | undefined => backupPattern.exec(path)?.[1]

/** What a view's frame may do: the same words stand in its policy and on the element. Forms tell its script; none is sent. */
export const mcpAppSandbox = 'allow-scripts allow-forms'

/**
 * For the document of a view: the specification's default, without `'self'`, which would name this origin here. Whatever it
 * declared is added; where that is nothing there is no request. It has an origin of its own, frames nothing and goes nowhere.
 */
export function mcpAppSecurityPolicy({ connect, resource, baseUri }: McpAppDomains): string {
  const or = (sources: readonly string[]): string => (sources.length === 0 ? "'none'" : sources.join(' '))
  const beside = (...own: readonly string[]): string => [...own, ...resource].join(' ')
  return [
    "default-src 'none'",
    `script-src ${beside("'unsafe-inline'")}`,
    `style-src ${beside("'unsafe-inline'")}`,
    `img-src ${beside('data:', 'blob:')}`,
    `font-src ${beside('data:')}`,
    `media-src ${beside('data:', 'blob:')}`,
    `connect-src ${or(connect)}`,
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    `base-uri ${or(baseUri)}`,
    "form-action 'none'",
    "frame-ancestors 'self'",
    "webrtc 'block'",
    // The one policy is made by the script before the view's own first line (`unconnected.ts`).
    "require-trusted-types-for 'script'",
    'trusted-types default',
    `sandbox ${mcpAppSandbox}`,
  ].join('; ')
}

/**
 * Beside that policy, where the browser knows it (Chromium 152 on; WICG, Connection Allowlists): closes at its root what the
 * policy does not count, above all WebRTC, preconnects and look-ups of names, in each document within as well.
 */
export function mcpAppConnections({ connect, resource, baseUri }: McpAppDomains): string {
  const places = new Set([...connect, ...resource, ...baseUri].map((source) => source.replace(/^ws/, 'http')))
  return `(${[...places].map((place) => JSON.stringify(place)).join(' ')});redirects=allow`
}

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

/**
 * Beside those on the document of a view. It may load what its policy names from places that know nothing of embedding, without
 * a cookie; no store keeps it; and what a browser may be asked for is closed to it and to whatever it frames.
 */
export const mcpAppOwnHeaders = {
  'X-Frame-Options': 'SAMEORIGIN',
  'Cache-Control': 'no-store',
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Permissions-Policy': [
    'camera microphone geolocation usb serial hid bluetooth midi payment display-capture fullscreen clipboard-read clipboard-write',
    'accelerometer gyroscope magnetometer ambient-light-sensor screen-wake-lock idle-detection local-fonts publickey-credentials-get',
    'publickey-credentials-create identity-credentials-get storage-access window-management autoplay picture-in-picture xr-spatial-tracking',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `${name}=()`)
    .join(', '),
} as const

export const mcpAppContentType = 'text/html; charset=utf-8'

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
