import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLineSplitter, type Line } from './line-splitter.ts'

const options = { maxLine: 1000, keepHead: 8 }

/** All that there is to say after each chunk, and after the end. */
function split(chunks: readonly Buffer[], limits = options): Line[] {
  const splitter = createLineSplitter(limits)
  const lines: Line[] = []
  const takeAll = (): void => {
    for (let line = splitter.next(); line; line = splitter.next()) lines.push(line)
  }
  for (const chunk of chunks) {
    splitter.push(chunk)
    takeAll()
  }
  splitter.end()
  takeAll()
  return lines
}

const texts = (lines: readonly Line[]): string[] => lines.map((line) => (line.kind === 'line' ? line.bytes.toString() : line.kind))

/** Cuts at the given places, which may be inside a character. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, index) => Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end)))
}

afterEach(() => vi.restoreAllMocks())

describe('a line splitter', () => {
  it('finds the same lines wherever the chunks were cut, also inside a character', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, '·'))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(), { maxLength: 30 }), (lines, places) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        expect(texts(split(cut(bytes, places)))).toEqual(lines.filter((text) => /[^ \t]/.test(text)))
      }),
    )
  })

  it('takes what is left at the end for a line', () => {
    expect(texts(split([Buffer.from('one\ntw'), Buffer.from('o')]))).toEqual(['one', 'two'])
  })

  it('skips blank lines', () => {
    expect(texts(split([Buffer.from('\n\r\n \t\none\n\n')]))).toEqual(['one'])
  })

  it('gives one line a call and counts what it has not looked at', () => {
    const splitter = createLineSplitter(options)
    splitter.push(Buffer.from('one\ntwo\n'))
    expect(splitter.backlog).toBe(4096)
    expect(splitter.next()).toEqual({ kind: 'line', bytes: Buffer.from('one') })
    expect(splitter.backlog).toBe(4096)
    expect(splitter.next()).toEqual({ kind: 'line', bytes: Buffer.from('two') })
    expect([splitter.backlog, splitter.next()]).toEqual([0, undefined])
  })

  it('lets a line over the cap go, says so as soon as it is crossed, and goes on with the next', () => {
    const long = Buffer.from('0123456789'.repeat(150))
    const lines = split([...cut(long, [400, 900]), Buffer.from('end\nnext\n')])
    expect(lines.map(({ kind }) => kind)).toEqual(['oversized', 'oversized-end', 'line'])
    expect(lines[1]).toMatchObject({ head: Buffer.from('01234567'), length: 1503 })
    expect(lines[1]?.kind === 'oversized-end' && lines[1].tail.toString().endsWith('6789end')).toBe(true)
  })

  it('keeps a line of just the cap, and lets go one of a byte more in the same chunk', () => {
    const chunk = Buffer.from(`${'a'.repeat(1000)}\n${'b'.repeat(1001)}\nnext\n`)
    expect(split([chunk]).map(({ kind }) => kind)).toEqual(['line', 'oversized', 'oversized-end', 'line'])
  })
})

describe('the work that a line costs', () => {
  /** Bytes looked through and bytes copied for one line of `size` that comes in chunks of `chunk`. */
  function work(size: number, chunk: number): { scanned: number; copied: number } {
    let scanned = 0
    let copied = 0
    const { indexOf, copy } = Buffer.prototype
    const { concat } = Buffer
    vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from) {
      const at = indexOf.call(this, value, from)
      scanned += (at === -1 ? this.length : at + 1) - Number(from)
      return at
    })
    vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...args) {
      copied += this.length
      return copy.apply(this, args)
    })
    vi.spyOn(Buffer, 'concat').mockImplementation((list, total) => {
      const joined = concat(list, total)
      copied += joined.length
      return joined
    })
    const splitter = createLineSplitter({ maxLine: 2 * size, keepHead: 8 })
    const piece = Buffer.alloc(chunk, 'x')
    for (let sent = 0; sent < size; sent += chunk) {
      splitter.push(piece)
      splitter.next()
    }
    splitter.push(Buffer.from('\n'))
    expect(splitter.next()).toMatchObject({ kind: 'line', bytes: { length: size } })
    vi.restoreAllMocks()
    return { scanned, copied }
  }

  it.each([
    ['10 MB in chunks of 64 kB', 10 * 2 ** 20, 64 * 1024],
    ['1 MB in chunks of 16 bytes', 2 ** 20, 16],
  ])('is one look at each byte and at most two copies: %s', (_, size, chunk) => {
    const { scanned, copied } = work(size, chunk)
    expect(scanned).toBe(size + 1)
    expect(copied).toBeLessThanOrEqual(2 * size)
  })
})

it('gives back at once the memory of what it drops, but never that of others', () => {
  const splitter = createLineSplitter({ maxLine: 10, keepHead: 8 })
  const own = (): Buffer => Buffer.from(new ArrayBuffer(100)).fill('x')
  const shared = Buffer.from(new ArrayBuffer(200), 50, 100).fill('x')
  const chunks = [own(), own(), shared]
  const kinds: unknown[] = []
  for (const chunk of chunks) {
    splitter.push(chunk)
    kinds.push(splitter.next()?.kind)
  }
  splitter.push(Buffer.from('\n'))
  expect([kinds, chunks.map(({ length }) => length), splitter.next()]).toEqual([
    ['oversized', undefined, undefined],
    [0, 0, 100],
    { kind: 'oversized-end', head: Buffer.from('xxxxxxxx'), tail: Buffer.alloc(300, 'x'), length: 300 },
  ])
  expect(splitter.backlog).toBe(0)
})
