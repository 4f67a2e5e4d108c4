// The text of an export as it comes in: a plain file, or the conversations in a zip archive, whose other files are skipped. Names in an
// archive are never used as paths. An archive that unpacks to far more than texts would is refused.
import { Unzip, UnzipInflate } from 'fflate'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'

export interface TextPiece {
  /** Number of its file in the archive. */
  readonly file: number
  readonly text: string
}

/** File names of `conversations.json`, `conversations-000.json` and Assent's own export. */
const WANTED = /^(?:conversations(?:-\d+)?|assent[^/]*)\.json$/i
/** Unpacked bytes. */
const LARGEST = 4_000_000_000
/** Highest ratio of unpacked to packed bytes, beyond the first bytes. Texts rarely exceed 20; deflate reaches 1000. */
const MOST_FROM_ONE = 200
const FIRST_BYTES = 10_000_000
/** Packed bytes between two checks of the limits. */
const STEP = 8192

/** The methods throw `import.too-large` and `import.unreadable`. */
export function createUnpacker() {
  let kind: 'zip' | 'text' | undefined
  let read = 0
  let made = 0
  let failed: unknown
  let pieces: TextPiece[] = []
  let files = 0
  let others = 0
  const plain = new TextDecoder()

  const unzip = new Unzip((file) => {
    const name = file.name.split(/[/\\]/).at(-1) ?? ''
    if (!WANTED.test(name)) {
      others += 1
      return
    }
    const decoder = new TextDecoder()
    files += 1
    const number = files
    file.ondata = (error, chunk, final) => {
      if (error) failed ??= error
      if (!chunk) return
      made += chunk.length
      pieces.push({ file: number, text: decoder.decode(chunk, { stream: !final }) })
    }
    file.start()
  })
  unzip.register(UnzipInflate)

  function unpack(bytes: Uint8Array, final: boolean): void {
    for (let at = 0; at < bytes.length || (final && at === 0); at += STEP) {
      const piece = bytes.subarray(at, at + STEP)
      unzip.push(piece, final && at + STEP >= bytes.length)
      if (made > LARGEST || made > FIRST_BYTES + read * MOST_FROM_ONE)
        throw new HostError('import.too-large', t`The archive unpacks to far more than it could hold in chats.`)
      if (failed !== undefined) throw unreadable(failed)
    }
  }

  function take(): TextPiece[] {
    const taken = pieces
    pieces = []
    return taken
  }

  return {
    push(bytes: Uint8Array): TextPiece[] {
      kind ??= bytes[0] === 0x50 && bytes[1] === 0x4b ? 'zip' : 'text'
      read += bytes.length
      if (kind === 'text') return [{ file: 0, text: plain.decode(bytes, { stream: true }) }]
      try {
        unpack(bytes, false)
      } catch (error) {
        throw error instanceof HostError ? error : unreadable(error)
      }
      return take()
    },
    end(): TextPiece[] {
      if (kind === 'text') return [{ file: 0, text: plain.decode() }]
      if (kind === 'zip' && files === 0)
        throw others === 0 ? unreadable(undefined) : new HostError('import.unreadable', t`There is no conversations.json in this archive.`)
      return take()
    },
  }
}

const unreadable = (cause: unknown): HostError =>
  new HostError('import.unreadable', t`The archive cannot be read: it is damaged, or of another kind.`, { cause })
