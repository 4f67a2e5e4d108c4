// The letters that a host name stands for where it is written in ASCII (RFC 3492): for showing them, never for comparing
// or for going anywhere.
import punycode from 'punycode.js'

/** `xn--e1afmkfd.example` → `пример.example`; a label that stands for nothing is left as it is. */
export const unicodeHost = (host: string): string => host.split('.').map(decodeLabel).join('.')

function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label
  try {
    return punycode.decode(label.slice(4))
  } catch {
    return label // Whoever wrote it may write anything; it is shown as it stands.
  }
}
