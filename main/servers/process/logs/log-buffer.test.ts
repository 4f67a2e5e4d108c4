import { describe, expect, it } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import type { Clock } from '#main/base/clock.ts'
import { createLogBuffer, type LogBufferOptions } from './log-buffer.ts'

/** A clock that stands still until a test lets it run. */
function handClock(): Clock & { advance(ms: number): void; readonly waiting: number } {
  let now = 1000
  let timers: { at: number; callback: () => void }[] = []
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      now += ms
      const due = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { callback } of due) callback()
    },
    get waiting() {
      return timers.length
    },
  }
}

function makeBuffer(options: Partial<LogBufferOptions> = {}) {
  const clock = handClock()
  const batches: { lines: string[]; dropped: number }[] = []
  const onLines = (lines: LogLine[], dropped: number): void => void batches.push({ lines: lines.map(({ text }) => text), dropped })
  const buffer = createLogBuffer({ clock, onLines, ...options })
  return { buffer, clock, batches, add: (...texts: string[]) => texts.forEach((text) => void buffer.add({ source: 'stderr', text })) }
}

const texts = (lines: readonly LogLine[]): string[] => lines.map(({ text }) => text)

describe('a log buffer', () => {
  it('keeps lines with their number, time, source and level', () => {
    const { buffer, clock } = makeBuffer()
    buffer.add({ source: 'stderr', text: 'one' })
    clock.advance(5)
    buffer.add({ source: 'message', level: 'warning', text: 'two' })
    expect(buffer.lines()).toEqual([
      { seq: 1, time: 1000, source: 'stderr', text: 'one' },
      { seq: 2, time: 1005, source: 'message', level: 'warning', text: 'two' },
    ])
  })

  it('keeps the last lines and counts the others', () => {
    const { buffer, add } = makeBuffer({ maxLines: 3 })
    for (let n = 1; n <= 100; n++) add(`line ${n}`)
    expect([texts(buffer.lines()), buffer.dropped]).toEqual([['line 98', 'line 99', 'line 100'], 97])
    buffer.add({ source: 'stderr', text: 'line 111', droppedBefore: 10 })
    expect([buffer.lines().at(-1)?.seq, buffer.dropped]).toEqual([101, 108])
  })

  it('is bounded in size as well, but always keeps the last line', () => {
    const { buffer, add } = makeBuffer({ maxSize: 10 })
    add('12345', '67890', 'abc')
    expect(texts(buffer.lines())).toEqual(['67890', 'abc'])
    add('longer than all of it')
    expect([texts(buffer.lines()), buffer.dropped]).toEqual([['longer than all of it'], 3])
  })

  it('tells of new lines in batches, and of none when there are none', () => {
    const { clock, batches, add } = makeBuffer()
    add('one', 'two')
    clock.advance(99)
    expect(batches).toEqual([])
    clock.advance(1)
    add('three')
    clock.advance(100)
    expect(batches).toEqual([
      { lines: ['one', 'two'], dropped: 0 },
      { lines: ['three'], dropped: 0 },
    ])
    expect(clock.waiting).toBe(0)
  })

  it('tells of the end of a batch only, when it is too long', () => {
    const { clock, batches, add, buffer } = makeBuffer({ maxLines: 5, maxBatch: 2 })
    add('1', '2', '3', '4', '5', '6')
    clock.advance(100)
    expect(batches).toEqual([{ lines: ['5', '6'], dropped: 1 }])
    expect(texts(buffer.lines())).toEqual(['2', '3', '4', '5', '6'])
  })

  it('does not tell again of what was cleared, and goes on counting', () => {
    const { clock, batches, add, buffer } = makeBuffer()
    add('one')
    buffer.clear()
    add('two')
    clock.advance(100)
    expect(batches).toEqual([{ lines: ['two'], dropped: 0 }])
    expect(buffer.lines().map(({ seq }) => seq)).toEqual([2])
  })

  it('hands over each line to be kept, masked, with a word where lines were left out', () => {
    const kept: LogLine[] = []
    const { buffer } = makeBuffer({ keep: (line) => void kept.push(line), maxLines: 1 })
    buffer.mask(['s3cret-token'])
    buffer.add({ source: 'stderr', text: 'with s3cret-token' })
    buffer.add({ source: 'stderr', text: 'two', droppedBefore: 7 })
    expect(kept.map(({ source, text }) => [source, source === 'host' ? text.match(/\d+/)?.[0] : text])).toEqual([
      ['stderr', 'with •••'],
      ['host', '7'],
      ['stderr', 'two'],
    ])
  })

  it('leaves no timer behind', () => {
    const { clock, batches, add, buffer } = makeBuffer()
    add('one')
    buffer.dispose()
    clock.advance(1000)
    expect([batches, clock.waiting]).toEqual([[], 0])
  })

  it('masks what it is told to, before anybody sees it', () => {
    const { clock, batches, add, buffer } = makeBuffer()
    buffer.mask(['s3cret-token'])
    add('Authorization: Bearer s3cret-token')
    clock.advance(100)
    expect([texts(buffer.lines()), batches[0]?.lines]).toEqual([['Authorization: Bearer •••'], ['Authorization: Bearer •••']])
  })
})
