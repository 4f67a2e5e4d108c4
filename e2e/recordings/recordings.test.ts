// Streams that others recorded, through the real providers. The bodies are not in this repository (docs/notes/recordings.md).
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectPlayed, type Recording, sha } from './play.testing.ts'

/** `judged`: why the expected result is not the one that was made from the body alone. */
type Recorded = Recording & { readonly body: { readonly sha256: string }; readonly judged?: string; readonly set?: 'held-out' }

const list = readFileSync(join(import.meta.dirname, 'recordings.jsonl'), 'utf8')
  .trim()
  .split('\n')
const recordings = list.map((line) => JSON.parse(line) as Recorded)
const bodies = resolve(process.env['ASSENT_RECORDINGS'] ?? '../shared/recordings')
const there = existsSync(bodies)
if (!there) console.warn(`No bodies of recordings in ${bodies}: ${recordings.length} recordings are not played`)

test.each([
  ['first', 150, 20],
  ['held-out', 150, 20],
])('the list’s %s set has %i recordings or more, of %i vendors or more, at most 15 of one', (name, least, vendors) => {
  const set = recordings.filter((one) => (one.set ?? 'first') === name)
  const counts = Object.values(Object.groupBy(set, ({ vendor }) => vendor)).map((of) => of?.length ?? 0)
  expect([set.length >= least, counts.length >= vendors, Math.max(...counts) <= 15]).toEqual([true, true, true])
})

if (!there) test.skip(`${recordings.length} recordings, whose bodies are not here`, () => undefined)
else
  describe('recordings', () => {
    test.each(recordings)('$id', async (recording) => {
      const body = readFileSync(join(bodies, `${recording.id}.sse`))
      expect(sha(body), `${recording.id}.sse is not the recorded body`).toBe(recording.body.sha256)
      await expectPlayed(recording, body)
    })
  })
