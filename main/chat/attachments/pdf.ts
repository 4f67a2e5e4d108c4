// What can be said of a PDF without drawing it: how many pages, and whether it is locked. Object streams are unpacked, within
// limits; a file that hides its page tree has no count, which is no error.
import { inflateSync } from 'node:zlib'

export interface PdfFacts {
  readonly pages?: number
  /** It asks for a password, or says what may not be done with it: no model takes it. */
  readonly locked: boolean
}

const MOST_UNPACKED = 4_000_000
const MOST_STREAMS = 200

export function pdfFacts(bytes: Uint8Array): PdfFacts {
  const text = Buffer.from(bytes).toString('latin1')
  const locked = /\/Encrypt\s+\d+\s+\d+\s+R|\/Encrypt\s*<</.test(text)
  const pages = pagesIn(text) ?? (locked ? undefined : pagesIn(unpacked(bytes, text)))
  return { locked, ...(pages === undefined ? {} : { pages }) }
}

/** The root of the page tree counts all below it, so the largest count is the whole. */
function pagesIn(text: string): number | undefined {
  const counts = [...text.matchAll(/<<(?:[^<>]|<[^<>]*>|<<[^<>]*>>){0,2000}>>/g)].flatMap(([dictionary]) => {
    if (!/\/Type\s*\/Pages\b/.test(dictionary)) return []
    const count = /\/Count\s+(\d{1,6})/.exec(dictionary)?.[1]
    return count === undefined ? [] : [Number(count)]
  })
  return counts.length === 0 ? undefined : Math.max(...counts)
}

function unpacked(bytes: Uint8Array, text: string): string {
  const found: string[] = []
  let room = MOST_UNPACKED
  let streams = 0
  for (const { index, 0: start } of text.matchAll(/\/Type\s*\/ObjStm[\s\S]{0,500}?stream\r?\n/g)) {
    if (streams++ >= MOST_STREAMS || room <= 0) break
    const begin = index + start.length
    const end = text.indexOf('endstream', begin)
    if (end < 0) break
    try {
      const plain = inflateSync(bytes.subarray(begin, end), { maxOutputLength: room, finishFlush: 2 })
      room -= plain.byteLength
      found.push(plain.toString('latin1'))
    } catch {
      // Packed in another way, or larger than is looked at: it then has no count.
    }
  }
  return found.join('\n')
}
