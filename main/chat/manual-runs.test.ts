// What a run by hand makes of a call that gives no word; the rest goes through the whole host (`runs.integration.test.ts`).
import { expect, it } from 'vitest'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import type { JsonObject } from '#app/json.ts'
import { systemClock } from '#main/base/clock.ts'
import { silentLog } from '#main/base/host-log.ts'
import { createManualRuns, type ManualRunsOptions } from './manual-runs.ts'

it('waits longer for a call that is past its time when the person says so, and has what it gives then', async () => {
  const told: ManualRun['state'][] = []
  const waited: string[] = []
  const answered = Promise.withResolvers<{ result: JsonObject; bytes: number }>()
  const runs = createManualRuns({
    store: { manualRuns: { put: () => undefined, get: () => undefined }, blobs: {} },
    servers: {
      view: () => ({ definition: { transport: 'stdio', trusted: false } }),
      catalogue: () => ({ tools: [{ name: 'slow', fingerprint: 'f', inputSchema: {} }] }),
      call(_approval: unknown, { onOverdue }: { onOverdue: (overdue: unknown) => void }) {
        const wait = (): void => {
          waited.push('waited')
          onOverdue(undefined)
        }
        onOverdue({ since: 1, endsAt: 2, wait })
        return answered.promise
      },
    },
    broker: {
      manualCall: async () => ({
        kind: 'allowed',
        approval: { argumentsText: '{}' },
        decision: { allowed: true, by: 'person', scope: 'once', byHand: true },
      }),
    },
    chat: { joinCall: () => () => undefined },
    emit: (_name: string, { run }: { run: ManualRun }) => told.push(run.state),
    clock: systemClock,
    log: silentLog,
    mask: (text: string) => text,
  } as unknown as ManualRunsOptions) // Only what a run stands on.
  const { id } = runs.run({ server: 's', tool: 'slow', fingerprint: 'f', arguments: '{}' })
  await expect.poll(() => told.at(-1)).toMatchObject({ kind: 'running', overdue: { since: 1, endsAt: 2 } })
  runs.wait('another')
  runs.wait(id)
  expect([waited, told.at(-1)?.kind, 'overdue' in (told.at(-1) ?? {})]).toEqual([['waited'], 'running', false])
  answered.resolve({ result: { content: [{ type: 'text', text: 'at last' }] }, bytes: 10 })
  await expect.poll(() => told.at(-1)).toMatchObject({ kind: 'done', result: { content: [{ text: 'at last' }] } })
  // What is over is not waited for.
  runs.wait(id)
  expect(waited).toEqual(['waited'])
})
