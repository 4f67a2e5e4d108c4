import { expect, test } from 'vitest'
import type { ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { type LaunchSandbox, noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { sandboxHandlers } from './sandbox-requests.ts'

const times = { count: 1, firstAt: 1, lastAt: 1 }
const key: ListedAttempt = { ...times, kind: 'read', target: '/home/ada/.ssh/config', refused: 'not-granted', allowance: 'review' }
const host: ListedAttempt = { ...times, kind: 'host', target: 'api.example', port: 443, refused: 'not-granted', allowance: 'click' }
const on: LaunchSandbox = { kind: 'on', ownFolder: false, ...noGrants, hosts: ['a.example'] }

function makeHost(kept: LaunchSandbox | undefined = on) {
  const done: unknown[] = []
  const context = {
    store: { audit: { append: ({ decision, detail }: { decision: string; detail: object }) => done.push([decision, detail]) } },
    broker: { approvedSandbox: () => kept },
    servers: {
      view: () => ({}),
      sandboxAttempts: () => ({ attempts: [key, host, { ...host, port: 80, refused: undefined }], lost: 0 }),
      setSandbox: async (_: string, settings: object) => void done.push(settings),
      answerSandboxAttempt: (_: string, { target }: { target: string }, answer: string) => {
        done.push([answer, target])
        return 'now'
      },
    },
  }
  const handlers = sandboxHandlers(context as unknown as Parameters<typeof sandboxHandlers>[0])
  return { done, answer: (asked: object) => handlers['server.answerSandboxAttempt']({ name: 'notes', ...asked } as never) }
}

const read = { kind: 'read', target: key.target }
const reach = { kind: 'host', target: 'api.example', port: 443 }

test('a secret is allowed after a review alone, which is on record', async () => {
  const { answer, done } = makeHost()
  await expect(answer({ attempt: read, answer: 'once' })).rejects.toMatchObject({ code: 'server.sandbox-attempt' })
  await expect(answer({ attempt: read, answer: 'always', reviewed: false })).rejects.toMatchObject({ code: 'server.sandbox-attempt' })
  expect(done).toEqual([])
  await answer({ attempt: read, answer: 'once', reviewed: true })
  expect(done).toEqual([
    ['sandbox-allowed-once', { ...read, reviewed: true }],
    ['once', key.target],
  ])
})

test('a kept answer changes the approved sandbox before it holds, and is on record', async () => {
  const { answer, done } = makeHost()
  await answer({ attempt: reach, answer: 'always' })
  await answer({ attempt: read, answer: 'keep' })
  expect(done).toEqual([
    { kind: 'on', grants: { ...noGrants, hosts: ['a.example', 'api.example'] } },
    ['sandbox-allowed', reach],
    ['always', 'api.example'],
    { kind: 'on', grants: { ...noGrants, hosts: ['a.example'], denyRead: [key.target] } },
    ['sandbox-kept-blocked', read],
    ['keep', key.target],
  ])
})

test('without a sandbox that is approved for good nothing is allowed for good; keeping it blocked needs none', async () => {
  const { answer, done } = makeHost({ kind: 'off' })
  await expect(answer({ attempt: reach, answer: 'always' })).rejects.toMatchObject({ code: 'server.sandbox-attempt' })
  await answer({ attempt: reach, answer: 'keep' })
  expect(done).toEqual([
    ['sandbox-kept-blocked', reach],
    ['keep', 'api.example'],
  ])
})

test('an attempt that is not listed as refused has no answer', async () => {
  const { answer } = makeHost()
  for (const attempt of [
    { ...reach, port: 80 },
    { ...reach, port: 8443 },
    { kind: 'write', target: key.target },
  ])
    await expect(answer({ attempt, answer: 'once', reviewed: true })).rejects.toMatchObject({ code: 'server.sandbox-attempt' })
})
