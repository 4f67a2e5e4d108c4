import { expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { NewLine } from '#main/servers/process/logs/log-buffer.ts'
import { createMessageLog } from './log-messages.ts'

function hearing() {
  const clock = manualClock(0)
  const lines: NewLine[] = []
  return { clock, lines, hear: createMessageLog({ add: (line) => lines.push(line) }, clock) }
}

it('shows what comes, whatever its level', () => {
  const { lines, hear } = hearing()
  hear({ level: 'debug', data: 'plain' })
  hear({ level: 'emergency', logger: 'db', data: { a: 1 } })
  hear({ level: 'info', data: undefined })
  expect(lines.map(({ level, text }) => [level, text])).toEqual([
    ['debug', 'plain'],
    ['emergency', 'db: {"a":1}'],
    ['info', 'undefined'],
  ])
})

it('keeps a part of a flood, and says with the next message how much it left out', () => {
  const { clock, lines, hear } = hearing()
  clock.advance(500)
  for (let i = 0; i < 10_000; i += 1) hear({ level: 'info', data: `${i}` })
  expect(lines).toHaveLength(200)
  clock.advance(500)
  hear({ level: 'info', data: 'after' })
  expect([lines.at(-1), clock.pending]).toMatchObject([{ text: 'after', droppedBefore: 9800 }, 0])
})

it('says when the flood is over that something was left out at its end', () => {
  const { clock, lines, hear } = hearing()
  for (let i = 0; i < 300; i += 1) hear({ level: 'info', data: `${i}` })
  clock.advance(1000)
  expect([lines.length, lines.at(-1), clock.pending]).toMatchObject([201, { source: 'host', level: 'warning', droppedBefore: 100 }, 0])
  hear({ level: 'info', data: 'later' })
  expect(lines.at(-1)).toMatchObject({ text: 'later', droppedBefore: 0 })
})

it('cuts a message that is a document', () => {
  const { lines, hear } = hearing()
  hear({ level: 'info', data: 'x'.repeat(100_000) })
  expect(lines[0]?.text.length).toBeLessThan(10_000)
})
