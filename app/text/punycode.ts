// Unicode form of ASCII host names (RFC 3492), for display only.
import punycode from 'punycode.js'
import { orElse } from '../or-else.ts'

/** Decodes `xn--e1afmkfd.example` to `пример.example`; an invalid label stays. */
export const unicodeHost = (host: string): string => host.split('.').map(decodeLabel).join('.')

const decodeLabel = (label: string): string => (label.startsWith('xn--') ? orElse(() => punycode.decode(label.slice(4)), label) : label)
