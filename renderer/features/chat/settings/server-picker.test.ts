import { expect, it } from 'vitest'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { countServers } from './server-picker.tsx'

const error = { code: 'server.command-not-found', message: 'uvx was not found.' } as const
const ready = (name: string): ServerSummary => makeServer({ name })
const failed = makeServer({ name: 'ledger', state: { kind: 'failed', at: 0, attempt: 1, error } })
const waiting = makeServer({ name: 'notes', state: { kind: 'waiting', requestId: 'r1' } })
const stopped = makeServer({ name: 'idle', state: { kind: 'stopped', reason: 'idle' } })
const signing = makeServer({ name: 'tracker', state: { kind: 'starting', since: 0, attempt: 1, step: 'signing-in' } })
const inBrowser = { kind: 'waiting', issuer: 'https://auth.example', url: 'https://auth.example/a', since: 0 } as const
const off = makeServer({ name: 'off', state: { kind: 'disabled' } })

it.each([
  ['the ready ones', [ready('a'), ready('b'), stopped, off], ['a', 'b'], 'ok'],
  ['one that failed before all else', [ready('a'), waiting, failed], ['a'], 'bad'],
  ['one that waits for the person', [ready('a'), waiting], ['a'], 'warn'],
  ['one that waits for a sign-in', [ready('a'), signing], ['a'], 'warn'],
  ['one that runs and waits to be allowed more', [{ ...ready('a'), signIn: inBrowser }], ['a'], 'warn'],
  ['none that runs', [stopped, off], [], 'off'],
] as const)('counts %s', (_name, list, running, tone) => {
  const summary = countServers(list)
  expect([summary.running, summary.tone]).toEqual([running, tone])
})
