// Splits a byte stream into lines on demand, in linear time: every byte is scanned once, and copied at most twice. Of a line over the cap
// only its first and last bytes are kept, which may tell the request that it answered. Blank lines are skipped.
export type Line =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** A line has just crossed the cap; this is its beginning. */
  | { readonly kind: 'oversized'; readonly head: Buffer }
  | { readonly kind: 'oversized-end'; readonly head: Buffer; readonly tail: Buffer; readonly length: number }

const newline = 0x0a
const chunkCost = 4096
const slabSize = 64 * 1024
const tailSize = 512

export function createLineSplitter({ maxLine, keepHead }: { readonly maxLine: number; readonly keepHead: number }) {
  const chunks: Buffer[] = []
  let offset = 0
  let backlog = 0
  let ended = false
  let line = createPieces()
  let oversized: { readonly head: Buffer; tail: Buffer; length: number } | undefined

  const dropChunk = (chunk: Buffer): void => {
    chunks.shift()
    offset = 0
    backlog -= Math.max(chunk.length, chunkCost)
  }

  /** Adds a piece of the current line; returns what there is to say when that takes it over the cap. */
  const absorb = (piece: Buffer): Line | undefined => {
    if (oversized) {
      oversized.length += piece.length
      oversized.tail = lastBytes(oversized.tail, piece)
      return undefined
    }
    if (line.length + piece.length <= maxLine) {
      line.add(piece)
      return undefined
    }
    const tail = lastBytes(line.last(), piece)
    const length = line.length + piece.length
    line.add(piece.subarray(0, keepHead))
    const head = Buffer.from(line.first(keepHead))
    line = createPieces()
    oversized = { head, tail, length }
    return { kind: 'oversized', head }
  }

  const finish = (): Line | undefined => {
    if (oversized) {
      const end: Line = { kind: 'oversized-end', ...oversized }
      oversized = undefined
      return end
    }
    const bytes = line.join()
    line = createPieces()
    return whole(bytes)
  }

  return {
    push(chunk: Buffer): void {
      if (chunk.length === 0) return
      chunks.push(chunk)
      backlog += Math.max(chunk.length, chunkCost)
    },
    end(): void {
      ended = true
    },
    next(): Line | undefined {
      for (let chunk = chunks[0]; chunk !== undefined; chunk = chunks[0]) {
        const at = chunk.indexOf(newline, offset)
        const piece = chunk.subarray(offset, at === -1 ? chunk.length : at)
        let said: Line | undefined
        if (at !== -1 && line.length === 0 && !oversized && piece.length <= maxLine) {
          said = whole(piece) // By far the most lines come in one piece.
        } else {
          said = absorb(piece)
          if (at !== -1 && said) {
            offset = at // The cap was crossed just before the newline, which is left for the next call.
            return said
          }
          if (at !== -1) said = finish()
        }
        if (at === -1 || at + 1 === chunk.length) dropChunk(chunk)
        else offset = at + 1
        if (at === -1 && oversized) letGo(chunk)
        if (said) return said
      }
      return ended ? finish() : undefined
    },
    /** Line that has no end yet: its length in bytes, and its beginning. */
    pending: (): { readonly length: number; readonly head: Buffer } => oversized ?? { length: line.length, head: line.first(keepHead) },
    /** Bytes that were pushed and not yet scanned; a small chunk counts as 4 kB, about the cost of keeping it. */
    get backlog(): number {
      return backlog
    },
  }
}

const whole = (bytes: Buffer): Line | undefined => (isBlank(bytes) ? undefined : { kind: 'line', bytes })

/** The pieces of one line. Small ones are copied together, so that a server that dribbles bytes costs no object each. */
function createPieces() {
  const pieces: Buffer[] = []
  let length = 0
  let slab: { readonly bytes: Buffer; used: number } | undefined
  return {
    add(piece: Buffer): void {
      if (piece.length === 0) return
      length += piece.length
      if (pieces.length === 0 || piece.length >= chunkCost) {
        pieces.push(piece)
        slab = undefined
        return
      }
      if (slab && slab.used + piece.length <= slab.bytes.length) {
        piece.copy(slab.bytes, slab.used)
        slab.used += piece.length
        pieces[pieces.length - 1] = slab.bytes.subarray(0, slab.used)
        return
      }
      // A short end of a long line costs a little slab, a long dribble ever larger ones.
      slab = { bytes: Buffer.allocUnsafeSlow(Math.min(slabSize, Math.max(2 * (slab?.bytes.length ?? 0), chunkCost))), used: piece.length }
      piece.copy(slab.bytes)
      pieces.push(slab.bytes.subarray(0, slab.used))
    },
    join: (): Buffer => (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, length)),
    first(size: number): Buffer {
      const some: Buffer[] = []
      let have = 0
      for (const piece of pieces) {
        if (have >= size) break
        some.push(piece)
        have += piece.length
      }
      return Buffer.concat(some).subarray(0, size)
    },
    last: (): Buffer => pieces.at(-1) ?? Buffer.alloc(0),
    get length() {
      return length
    },
  }
}

/** Frees the memory of a dropped piece now: the collector would let some 64 MB gather. A piece that shares its memory stays. */
function letGo({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

function lastBytes(before: Buffer, piece: Buffer): Buffer {
  if (piece.length >= tailSize) return Buffer.from(piece.subarray(piece.length - tailSize))
  const joined = Buffer.concat([before.subarray(Math.max(0, before.length - tailSize)), piece])
  return joined.subarray(Math.max(0, joined.length - tailSize))
}

/** JSON's white space, in which a carriage return is included. A long line is worth reporting even when it is blank. */
function isBlank(bytes: Buffer): boolean {
  if (bytes.length > chunkCost) return false
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}
