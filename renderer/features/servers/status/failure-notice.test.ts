import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '#app/server/doctor.ts'
import { type Failed, failureSummary, gaveUp } from './failure-notice.tsx'

const failed: Failed = { kind: 'failed', at: 1, attempt: 1, error: { code: 'server.exited', message: 'the host’s own sentence' } }
const diagnosis: Diagnosis = {
  code: 'script-not-found',
  short: 'x.js was not found',
  message: 'files doesn’t start.',
  why: 'It is not there.',
  remedy: 'Correct its path.',
  actions: [],
  tone: 'warn',
}

describe('failureSummary', () => {
  it('is the host’s diagnosis, word for word', () => {
    expect(failureSummary({ ...failed, diagnosis })).toBe(diagnosis)
  })

  it('is no alarm while this computer is offline', () => {
    const bad: Diagnosis = { ...diagnosis, tone: 'bad' }
    expect(
      [failureSummary({ ...failed, diagnosis: bad, offline: true }), failureSummary({ ...failed, offline: true })].map(({ tone }) => tone),
    ).toEqual(['warn', 'warn'])
  })

  it('falls back to the error’s own sentence, with something to press', () => {
    const view = failureSummary(failed)
    expect([view.message, view.actions.map(({ kind }) => kind)]).toEqual(['the host’s own sentence', ['retry', 'log']])
  })
})

describe('gaveUp', () => {
  it.each<[string, Partial<Failed>, boolean]>([
    ['of a crash', { loop: true, starts: [1, 2, 3] }, true],
    ['of a server that never answers', { loop: true, starts: [1, 2, 3], error: { code: 'server.start-timeout', message: 'x' } }, true],
    ['of one that goes away', { loop: true, error: { code: 'server.connection-lost', message: 'x' } }, true],
    ['not while it comes again', { attempt: 3, retryAt: 5, starts: [1, 2] }, false],
    ['not for what the person must mend first', { attempt: 3, error: { code: 'server.cwd-not-found', message: 'x' } }, false],
  ])('says so of a loop: %s', (_title, change, expected) => {
    expect(gaveUp({ ...failed, ...change }) !== undefined).toBe(expected)
  })
})
