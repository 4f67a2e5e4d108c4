// From the `file://` URI that a server is told to the path that a person knows. Whatever is no such URI stays as it is, so
// that nothing is shown which is not sent.

export function pathOfFileUri(uri: string, os: string): string {
  const parts = /^file:\/\/([^/]*)(\/.*)$/.exec(uri)
  if (!parts) return uri
  const [, host = '', coded = ''] = parts
  // A slash that is part of a name would read as two folders.
  if (/%2f/i.test(coded)) return uri
  const path = decoded(coded)
  if (path === undefined) return uri
  if (os !== 'win32') return host === '' ? path : uri
  const names = path.replaceAll('/', '\\')
  if (host !== '') return `\\\\${host}${names}`
  return /^\\[A-Za-z]:/.test(names) ? names.slice(1) : uri
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
