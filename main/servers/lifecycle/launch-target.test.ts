import { expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { type LaunchSandbox, noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { launchFingerprint } from '#main/consent/audit-writer.ts'
import { launchTargetOf, launchValues } from './launch-target.ts'

const from = (name: string): string => `\${env:${name}}`
const common = { enabled: true, start: 'needed', trusted: false } as const

it('a variable of the person that goes to a server is named with what carries it, and no value is', () => {
  const url = 'https://example.com/mcp'
  const headers = {
    'X-Trace': `id-${from('ANTHROPIC_API_KEY')}`,
    Authorization: 'Bearer secret',
    'X-Key': `${from('A')}${inputReference('b')}`,
  }
  expect(launchTargetOf({ ...common, transport: 'streamable-http', url, headers })).toEqual({
    transport: 'streamable-http',
    url,
    headerNames: ['Authorization', 'X-Key (from your A; kept secret: b)', 'X-Trace (from your ANTHROPIC_API_KEY)'],
  })
  const env = { A: `${from('HOME')}:${from('TOKEN')}`, B: 'plain' }
  expect(launchTargetOf({ ...common, transport: 'stdio', command: 'x', args: [], env })).toMatchObject({
    envNames: ['A (from your HOME, TOKEN)', 'B'],
  })
})

it('a value of the person that goes to whoever signs them in is named, and each such setting is bound to the answer', () => {
  const url = 'https://example.com/mcp'
  const oauth = { clientId: 'mine', clientSecret: from('AWS_SECRET'), subjectToken: inputReference('id'), scopes: ['a', 'b'] }
  const definition = { ...common, transport: 'sse', url, headers: { 'X-A': 'b' }, oauth } as const
  expect(launchTargetOf(definition)).toEqual({
    transport: 'sse',
    url,
    headerNames: ['X-A', 'oauth clientSecret (from your AWS_SECRET)', 'oauth subjectToken (kept secret: id)'],
  })
  expect(launchValues(definition)).toEqual({
    'X-A': 'b',
    'oauth clientId': 'mine',
    'oauth clientSecret': from('AWS_SECRET'),
    'oauth subjectToken': inputReference('id'),
    'oauth scopes': 'a,b',
  })
})

it('a changed sandbox is a changed launch, and no sandbox is what it was before there were any', () => {
  const definition: ServerDefinition = { ...common, transport: 'stdio', command: 'x', args: [], env: {} }
  const print = (sandbox?: LaunchSandbox) => {
    const target = launchTargetOf(definition, '/work', sandbox)
    return target && launchFingerprint(target)
  }
  const on = (more: Partial<SandboxGrants> = {}): LaunchSandbox => ({ kind: 'on', ownFolder: true, ...noGrants, ...more })
  const missing: LaunchSandbox = { kind: 'missing', reason: 'not-installed', remedy: '' }
  const all = [
    undefined,
    { kind: 'off' } as const,
    missing,
    on(),
    on({ read: ['/a'] }),
    on({ write: ['/a'] }),
    on({ hosts: ['a.example'] }),
  ]
  expect(new Set(all.map(print)).size).toBe(all.length)
  expect(print(on({ read: ['/a'] }))).toBe(print(on({ read: ['/a'] })))
  expect(launchTargetOf(definition, '/work')).toEqual({ transport: 'stdio', command: 'x', args: [], envNames: [], folder: '/work' })
})
