import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ManualRun, mostRuns } from '#app/chat/tools/manual-run.ts'
import { makeProfile, type TestProfile } from './store.testing.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const decision = { allowed: true, by: 'person', scope: 'once', byHand: true } as const
const done = (text: string): ManualRun['state'] => ({
  kind: 'done',
  decision,
  startedAt: 1,
  durationMs: 1,
  result: { content: [{ type: 'text', text }], structuredContent: { text }, isError: false, bytes: text.length },
})
const run = (at: number, part: Partial<ManualRun> = {}): ManualRun => ({
  id: `r${at}`,
  server: 'files',
  tool: 'read',
  at,
  arguments: { at },
  fingerprint: 'f',
  state: done('a'),
  ...part,
})

it('as many are kept as are bounded, and the oldest go', () => {
  const { manualRuns } = profile.store()
  for (let at = 0; at < mostRuns + 5; at += 1) manualRuns.put(run(at))
  const kept = manualRuns.list({ limit: 1000 })
  expect([kept.length, kept.at(-1)?.at]).toEqual([mostRuns, 5])
})

it('and as much as is bounded: what takes more room pushes out others, never itself or what is under way', () => {
  const { manualRuns } = profile.store()
  manualRuns.put(run(1))
  manualRuns.put(run(2, { state: { kind: 'queued' } }))
  const large = run(3, { state: done('x'.repeat(16_000_000)) })
  manualRuns.put(large)
  expect(manualRuns.list({ limit: 10 }).map(({ at }) => at)).toEqual([3, 2])
})

it('a list has no results, and one that is asked for has', () => {
  const { manualRuns } = profile.store()
  manualRuns.put(
    run(1, {
      state: {
        kind: 'failed',
        decision,
        error: { code: 'tool.timeout', message: 'm' },
        late: { at: 2, result: { content: [{ type: 'text', text: 'late' }], isError: false, bytes: 4 } },
      },
    }),
  )
  manualRuns.put(run(2))
  expect(JSON.stringify(manualRuns.list({ limit: 10 }))).not.toMatch(/late|"text"/)
  expect([manualRuns.get('r2'), manualRuns.get('none')]).toEqual([run(2), undefined])
})

it('those of one tool are forgotten, but for what is named', () => {
  const { manualRuns } = profile.store()
  manualRuns.put(run(1))
  manualRuns.put(run(2))
  manualRuns.put(run(3, { tool: 'write' }))
  expect(manualRuns.forget({ server: 'files', tool: 'read' }, ['r2'])).toBe(1)
  expect(manualRuns.list({ limit: 10 }).map(({ id }) => id)).toEqual(['r3', 'r2'])
  expect(manualRuns.forget(undefined, [])).toBe(2)
})

it('a picture that a chat shows too stays', () => {
  const { manualRuns, blobs, conversations } = profile.store()
  const kept = blobs.put(new Uint8Array([1]), 'image/png')
  const lost = blobs.put(new Uint8Array([2]), 'image/png')
  const of = (blob: typeof kept): ManualRun['state'] => ({
    ...(done('') as Extract<ManualRun['state'], { kind: 'done' }>),
    result: { content: [{ type: 'image', blob }], isError: false, bytes: 1 },
  })
  conversations.put({ id: 'c', title: 't', createdAt: 1, updatedAt: 1, model: 'm', activity: { kind: 'idle' } })
  conversations.putMessage({
    role: 'assistant',
    id: 'm',
    conversationId: 'c',
    turnId: 't',
    createdAt: 1,
    model: 'm',
    state: 'done',
    parts: [{ kind: 'tool-call', call: { id: 'x', providerId: 'x', modelName: 'x', state: of(kept) } }],
  })
  manualRuns.put(run(1, { state: of(kept) }))
  manualRuns.put(run(2, { state: of(lost) }))
  manualRuns.forget(undefined, [])
  expect([blobs.get(kept.sha256)?.mimeType, blobs.get(lost.sha256)]).toEqual(['image/png', undefined])
})
