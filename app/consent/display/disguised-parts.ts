import { disguisedAs } from '#app/text/look-alike.ts'
import { unicodeHost } from '#app/text/punycode.ts'
import { isPunycode } from '#app/text/registrable-domain.ts'
import type { LaunchTarget } from '../request.ts'

interface DisguisedPart {
  readonly text: string
  /** How it reads; undefined of a host whose letters pass for no Latin ones. */
  readonly like: string | undefined
}

/** Parts of a launch in which letters of another alphabet pass for Latin ones: words of the command, or the host of the address. */
export function disguisedParts(target: LaunchTarget): readonly DisguisedPart[] {
  if (target.transport !== 'stdio') {
    const { hostname } = new URL(target.url)
    return isPunycode(target.url) ? [{ text: hostname, like: disguisedAs(unicodeHost(hostname)) }] : []
  }
  return [target.command, ...target.args].flatMap((text) => {
    const like = disguisedAs(text)
    return like === undefined ? [] : [{ text, like }]
  })
}
