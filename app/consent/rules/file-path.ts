// Converts a `file://` URI to a path. Any other URI is shown as it is sent.
import { orElse } from '#app/or-else.ts'

export function pathOfFileUri(uri: string, os: string): string {
  const parts = /^file:\/\/([^/]*)(\/.*)$/.exec(uri)
  if (!parts) return uri
  const [, host = '', coded = ''] = parts
  // An encoded slash within a name would read as two folders.
  if (/%2f/i.test(coded)) return uri
  const path = orElse(() => decodeURIComponent(coded), undefined)
  if (path === undefined) return uri
  if (os !== 'win32') return host === '' ? path : uri
  const names = path.replaceAll('/', '\\')
  if (host !== '') return `\\\\${host}${names}`
  return /^\\[A-Za-z]:/.test(names) ? names.slice(1) : uri
}
