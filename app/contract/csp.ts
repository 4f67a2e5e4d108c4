// Content-Security-Policy and other security headers, the same in every shell. `connect-src 'self'` covers the page's WebSocket.
// Without inline script, inline style and eval, server text can never become code, load a font or send a request.
import type { McpAppDomains } from '../mcp-apps/csp-domains.ts'

const directives: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  // Only the documents of diagrams and MCP Apps may be framed. This also stops a frame that navigates to another origin.
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // The only policy: it makes the worker URL of the PDF parser (`preview/pdf.ts`), and lets no text through.
  'trusted-types': 'assent-pdf-worker',
}

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ')

/** Document that draws diagrams (`renderer/diagram/frame.ts`), served to frames only. */
export const diagramPath = '/diagram'

/** Policy of the diagram document. `hash`: SHA-256 of its one script, in base64. Drawings need inline styles. */
export const diagramSecurityPolicy = (hash: string): string =>
  `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts`

/** Documents of MCP Apps: `/view/<id>`, each for one frame. */
export const mcpAppPath = (id: string): string => `/view/${id}`
const viewPattern = /^\/view\/([A-Za-z0-9_-]{20,100})$/
export const mcpAppIdOf = (path: string): string | undefined => viewPattern.exec(path)?.[1]

/** Downloads of backups: `/backup/<ticket>`, known to the requesting page only. */
export const backupPath = (ticket: string): string => `/backup/${ticket}`
const backupPattern = /^\/backup\/([A-Za-z0-9_-]{43})$/
export const ticketOf = (path: string): string | undefined => backupPattern.exec(path)?.[1]

/** Sandbox of an MCP App's frame, in its policy and on the element. Forms reach its script; none is submitted. */
export const mcpAppSandbox = 'allow-scripts allow-forms'

/**
 * Policy of an MCP App's document: the specification's default (MCP Apps, "CSP") without `'self'`, which would name the host's
 * origin, plus the declared domains. It has an opaque origin, frames nothing and cannot navigate.
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
    // The policy is created by the script before the app's own code (`unconnected.ts`).
    "require-trusted-types-for 'script'",
    'trusted-types default',
    `sandbox ${mcpAppSandbox}`,
  ].join('; ')
}

/** Connection allowlist (WICG; Chromium 152 and later): blocks what CSP does not cover, such as WebRTC, preconnects and DNS. */
export function mcpAppConnections({ connect, resource, baseUri }: McpAppDomains): string {
  const places = new Set([...connect, ...resource, ...baseUri].map((source) => source.replace(/^ws/, 'http')))
  return `(${[...places].map((place) => JSON.stringify(place)).join(' ')});redirects=allow`
}

/** Policy of blobs (`/blob/<sha256>`): shown or played, never run. */
export const blobSecurityPolicy = "default-src 'none'; style-src 'none'; sandbox; frame-ancestors 'none'"

/** Types that blobs are served as; others are `application/octet-stream`. Not SVG, which can hold scripts. */
export const blobTypes: ReadonlySet<string> = new Set([
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((type) => `image/${type}`),
  ...['mpeg', 'mp4', 'ogg', 'wav', 'x-wav', 'webm', 'flac', 'aac'].map((type) => `audio/${type}`),
])

/** Headers of every response of either shell, besides the policy. */
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

/** Further headers of an MCP App: cross-origin resources without credentials, no caching, no browser permissions. */
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

/** Content types of the built page's files, by extension; nothing else is served. */
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
