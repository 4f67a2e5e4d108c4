// A large structured result is not taken apart: to parse 10 MB of small objects would hold the loop for 150 ms, and of what
// comes out the host keeps a text again. Its bytes are looked over instead, in steps that the caller spaces: whether they
// are JSON, how deep it goes, and where `structuredContent` stands. Only the rest of the message is parsed. Whatever is not
// plainly such an answer is left to `JSON.parse`, with its rules and its errors.
import { isUtf8 } from 'node:buffer'
import { isJsonObject, type Json } from '#app/json.ts'
import { deepest } from '../json-size.ts'
import { keepAsText } from '../kept-text.ts'
import { createJsonWalk } from './json-walk.ts'

/** Bytes. Below it parsing costs a few milliseconds at most, and the result may stand in a message as it is. */
export const leastKept = 512 * 1024

const name = 'structuredContent'
const needle = Buffer.from(`"${name}"`)

export interface LargeAnswer {
  /** Looks over so many bytes more. True once it is done. */
  step(bytes: number): boolean
  /** The message, its structured part kept as text; undefined: it has to be parsed whole. */
  message(): unknown
}

/** Undefined: there is nothing in this line that would be kept as text. */
export function lookOver(line: Buffer): LargeAnswer | undefined {
  if (line.length < leastKept) return undefined
  // Within a string the quotes would be escaped.
  const at = line.indexOf(needle)
  if (at === -1 || line.length - at < leastKept || !isUtf8(line)) return undefined
  const walk = createJsonWalk(line, { path: ['result', name], deepest: deepest + 1 })
  return {
    step: walk.step,
    message() {
      const found = walk.found()
      if (!found || found.end - found.start < leastKept) return undefined
      const value = JSON.parse(`${line.toString('utf8', 0, found.start)}null${line.toString('utf8', found.end)}`) as Json
      if (!isJsonObject(value) || !isJsonObject(value['result'])) return undefined
      keepAsText(value['result'], name, line.subarray(found.start, found.end))
      return value
    },
  }
}
