import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { waitForDrain } from './stdio-process.ts'

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next))
}

/** What was read of a pipe by the time that it was given up, and whether it was. */
function listen() {
  const [clock, pipe, ended] = [manualClock(), new PassThrough(), Promise.withResolvers<void>()]
  const seen: string[] = []
  let over = false
  pipe.on('data', (chunk: Buffer) => seen.push(chunk.toString()))
  void waitForDrain(pipe, { ended: ended.promise, ms: 250, clock }).then(() => {
    over = true
  })
  return { clock, pipe, end: ended.resolve, seen, isOver: () => over }
}

describe('the pipe of a process that has ended', () => {
  it('is not given up by the time alone, while the loop still reads from it', async () => {
    const { clock, pipe, seen, isOver } = listen()
    clock.advance(250)
    for (const line of ['1', '2', '3', '4']) {
      pipe.write(line)
      await turns(1)
      expect(isOver()).toBe(false)
    }
    await turns(4)
    expect([isOver(), seen]).toEqual([true, ['1', '2', '3', '4']])
  })

  it('is given up at once when it ends, and not before its time when it is quiet', async () => {
    const quiet = listen()
    await turns(10)
    expect(quiet.isOver()).toBe(false)
    quiet.end()
    await turns(1)
    expect([quiet.isOver(), quiet.clock.pending]).toEqual([true, 0])
  })

  it('is given up though somebody talks on without end', async () => {
    const { clock, pipe, isOver } = listen()
    clock.advance(250)
    for (let turn = 0; turn < 200 && !isOver(); turn += 1) {
      pipe.write('x')
      await turns(1)
    }
    expect(isOver()).toBe(true)
  })
})
