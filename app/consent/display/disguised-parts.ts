import { t } from '#app/i18n/translate.ts'
import { isPunycode } from '#app/text/host-name.ts'
import { disguisedAs } from '#app/text/look-alike.ts'
import { unicodeHost } from '#app/text/punycode.ts'

interface DisguisedPart {
  readonly text: string
  /** How it reads; undefined of a host whose letters pass for no Latin ones. */
  readonly like: string | undefined
}

/** Program or address of a launch, or of a server’s definition. */
type Run =
  | {
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly cwd?: string | undefined
      readonly folder?: string | undefined
      readonly variables?: readonly { readonly value: string }[] | undefined
    }
  | { readonly transport: 'streamable-http' | 'sse'; readonly url: string; readonly headerNames?: readonly string[] }
  | { readonly transport: 'builtin' }

/** Names of hosts in their ASCII form, within a word of a command. */
const asciiHosts = /(?<![\w.-])(?:[\w-]+\.)*xn--[\w.-]+/gi

/**
 * Parts of a launch in which letters of another alphabet pass for Latin ones: words of the command, hosts that these name, the folder, values
 * of variables that choose what runs or where it connects; or the host of the address.
 */
export function disguisedParts(target: Run): readonly DisguisedPart[] {
  if (target.transport === 'builtin') return []
  if (target.transport !== 'stdio') return disguisedHost(target.url)
  const values = (target.variables ?? []).map(({ value }) => value)
  return [target.command, ...target.args, ...[target.folder ?? target.cwd ?? []].flat(), ...values].flatMap((text) => {
    const like = disguisedAs(text.replace(asciiHosts, (host) => unicodeHost(host.toLowerCase())))
    return like === undefined ? [] : [{ text, like }]
  })
}

/** The host of an address, of a server or of a model's endpoint, if it has letters of another alphabet; else none. */
export function disguisedHost(url: string): readonly DisguisedPart[] {
  if (!isPunycode(url)) return []
  const { hostname } = new URL(url)
  return [{ text: hostname, like: disguisedAs(unicodeHost(hostname)) }]
}

/** Says it in one sentence, without the end. `shown`: how a text of others is shown where it is said. */
export const disguisedLabel = ({ text, like }: DisguisedPart, shown: (text: string) => string = String): string =>
  like === undefined
    ? t`“${shown(text)}” has letters of another alphabet: read it letter by letter`
    : t`“${shown(text)}” has letters of another alphabet: it looks like “${shown(like)}”, and is not`
