import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { makeProfile, type TestProfile } from '#main/store/store.testing.ts'
import { auditConsentFlags } from './start-audit.ts'

let profile: TestProfile
beforeEach(() => {
  profile = makeProfile()
})
afterEach(() => profile.dispose())

const server = (part: Partial<ServerDefinition> = {}): ServerDefinition =>
  ({ transport: 'stdio', command: 'x', args: [], env: {}, enabled: true, start: 'needed', trusted: false, ...part }) as ServerDefinition
const see = (servers: Record<string, ServerDefinition>, file = ''): void =>
  auditConsentFlags(profile.store(), file, new Map(Object.entries(servers)))
const rows = (): unknown[] => [...profile.store().audit.all()].map((row) => [row.server, row.decision])

it('a server as it comes needs no row; one that is trusted, or starts by itself, has one', () => {
  see({ plain: server(), bold: server({ trusted: true, start: 'launch' }) })
  expect(rows()).toEqual([
    ['bold', 'trusted'],
    ['bold', 'starts-with-assent'],
  ])
})

it('a change is on record once, also one that was made while nobody ran', () => {
  see({ files: server() })
  profile.reopen()
  for (let times = 0; times < 3; times++) see({ files: server({ trusted: true }) })
  see({ files: server({ enabled: false }) })
  expect(rows()).toEqual([
    ['files', 'trusted'],
    ['files', 'trusted-no-more'],
    ['files', 'switched-off'],
  ])
})

it('a name that is used again begins anew, and each file has its own servers', () => {
  see({ files: server({ trusted: true }) })
  see({})
  see({ files: server({ trusted: true }) })
  see({ files: server({ trusted: true }) }, 'other.json')
  expect(rows()).toEqual([1, 2, 3].map(() => ['files', 'trusted']))
})
