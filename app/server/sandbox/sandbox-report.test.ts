import { expect, test } from 'vitest'
import { hostPatternOf, type SandboxAttempt, unansweredAttempts, unusedGrants } from './sandbox-report.ts'

const times = { count: 1, firstAt: 1, lastAt: 1 }
const host = (target: string, port = 443, refused?: SandboxAttempt['refused']): SandboxAttempt => ({
  ...{ kind: 'host', target, port, ...times },
  ...(refused && { refused }),
})

test('a grant counts as used when a host that it covers was reached', () => {
  const hosts = ['api.example', '*.cdn.example', 'db.example:5432', 'idle.example', '*.idle.example']
  const attempts = [host('api.example'), host('a.cdn.example', 80), host('db.example', 5432), host('idle.example', 443, 'unreachable')]
  expect(unusedGrants({ hosts }, attempts)).toEqual(['idle.example', '*.idle.example'])
  expect(unusedGrants({ hosts: ['api.example'] }, [host('api.example', 8443)])).toEqual(['api.example'])
  // Nothing was reached, so it may have been approved a minute ago.
  expect(unusedGrants({ hosts }, [host('api.example', 443, 'unreachable')])).toEqual([])
})

test('what was answered, or failed without the sandbox, is not to be answered', () => {
  const refused = ['not-granted', 'private-address', 'malformed', 'denied', 'not-found', 'unreachable', undefined] as const
  const left = unansweredAttempts(refused.map((why) => host('a.example', 443, why)))
  expect(left.map((one) => one.refused)).toEqual(['not-granted', 'private-address', 'malformed'])
})

test.each([
  ['a.example', 443, 'a.example'],
  ['a.example', 80, 'a.example'],
  ['a.example', 5432, 'a.example:5432'],
  ['2001:db8::1', 443, '[2001:db8::1]'],
  ['2001:db8::1', 53, '[2001:db8::1]:53'],
])('%s on port %i is granted by %s', (target, port, pattern) => expect(hostPatternOf({ target, port })).toBe(pattern))
