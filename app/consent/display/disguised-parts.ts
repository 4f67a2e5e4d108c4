import { disguisedAs } from '#app/text/look-alike.ts'
import { unicodeHost } from '#app/text/punycode.ts'
import { isPunycode } from '#app/text/registrable-domain.ts'
import type { LaunchTarget } from '../request.ts'

interface DisguisedPart {
  readonly text: string
  /** How it reads; undefined of a host whose letters pass for no Latin ones. */
  readonly like: string | undefined
}

/** Names of hosts in their ASCII form, within a word of a command. */
const asciiHosts = /(?<![\w.-])(?:[\w-]+\.)*xn--[\w.-]+/gi

/**
 * Parts of a launch in which letters of another alphabet pass for Latin ones: words of the command, hosts that these name, the folder, values
 * of variables that choose what runs or where it connects; or the host of the address.
 */
export function disguisedParts(target: LaunchTarget): readonly DisguisedPart[] {
  if (target.transport !== 'stdio') {
    const { hostname } = new URL(target.url)
    return isPunycode(target.url) ? [{ text: hostname, like: disguisedAs(unicodeHost(hostname)) }] : []
  }
  const values = (target.variables ?? []).map(({ value }) => value)
  return [target.command, ...target.args, ...[target.folder ?? target.cwd ?? []].flat(), ...values].flatMap((text) => {
    const like = disguisedAs(text.replace(asciiHosts, (host) => unicodeHost(host.toLowerCase())))
    return like === undefined ? [] : [{ text, like }]
  })
}
