import { describe, expect, it } from 'vitest'
import type { Session } from '#app/server/server-state.ts'
import { remembered, verdictMs, withVerdict } from './remembered-era.ts'

const session = (more: Partial<Session> = {}): Session => ({
  era: 'legacy',
  protocolVersion: '2025-06-18',
  foundBy: 'initialize',
  transport: 'streamable-http',
  askedAt: 1000,
  serverInfo: { name: 'web', version: '1' },
  ...more,
})

describe('what is remembered of a server', () => {
  it.each<[string, Session | undefined, number, ReturnType<typeof remembered>]>([
    ['nothing', undefined, 1000, undefined],
    ['that it is an old one', session(), 2000, 'initialize'],
    ['that it speaks the oldest transport', session({ transport: 'sse' }), 2000, 'sse'],
    ['that it is a new one, which is asked each time', session({ era: 'modern' }), 2000, undefined],
    ['a verdict of a week ago', session(), 1001 + verdictMs, undefined],
    ['a verdict of tomorrow', session(), 999, undefined],
    ['a verdict of nobody knows when', session({ askedAt: undefined }), 2000, undefined],
  ])('%s', (_what, before, now, expected) => {
    expect(remembered(before, now)).toBe(expected)
  })

  it('is as old as the asking, not as the last start', () => {
    expect(withVerdict(session({ foundBy: 'discover', askedAt: undefined }), session(), 5000).askedAt).toBe(5000)
    expect(withVerdict(session({ foundBy: 'remembered', askedAt: undefined }), session(), 5000).askedAt).toBe(1000)
  })

  it('is gone with the version of the server that it was found with', () => {
    const updated = session({ foundBy: 'remembered', askedAt: undefined, serverInfo: { name: 'web', version: '2' } })
    expect(remembered(withVerdict(updated, session(), 5000), 5000)).toBeUndefined()
  })
})
