import { expect, test } from 'vitest'
import { answeredGrants } from './sandbox-report.ts'
import { noGrants } from './sandbox-settings.ts'

const host = { kind: 'host', target: 'db.example', port: 5432 } as const
const folder = { kind: 'write', target: '/srv/out' } as const

test('an answer stands in one list alone, once', () => {
  const allowed = answeredGrants(answeredGrants(noGrants, host, 'allow'), host, 'allow')
  expect(allowed).toEqual({ ...noGrants, hosts: ['db.example:5432'] })
  expect(answeredGrants(allowed, host, 'deny')).toEqual({ ...noGrants, denyHosts: ['db.example:5432'] })
  const denied = answeredGrants({ ...noGrants, write: ['/srv/out', '/srv/in'] }, folder, 'deny')
  expect(denied).toEqual({ ...noGrants, write: ['/srv/in'], denyWrite: ['/srv/out'] })
  expect(answeredGrants(noGrants, { kind: 'read', target: '/srv/in' }, 'allow')).toEqual({ ...noGrants, read: ['/srv/in'] })
})
