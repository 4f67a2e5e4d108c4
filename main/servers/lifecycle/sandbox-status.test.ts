import { expect, test } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { type LaunchSandbox, noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import type { SandboxEngine } from '../process/sandbox/find-engine.ts'
import { sandboxStatus } from './sandbox-status.ts'

const definition: ServerDefinition = { enabled: true, start: 'needed', trusted: false, transport: 'stdio', command: 'x', args: [], env: {} }
const bubblewrap: SandboxEngine = { kind: 'bubblewrap', bwrap: '', socat: '', disablesUserns: true }
const none: SandboxEngine = { kind: 'none', reason: 'refused', remedy: 'Allow it.' }
const missing = { kind: 'missing', reason: 'refused', remedy: 'Allow it.' }
const on: LaunchSandbox = { kind: 'on', ownFolder: true, ...noGrants, hosts: ['a.example'] }
const shownOn = { kind: 'on', grants: { ...noGrants, hosts: ['a.example'] } }

type Facts = Partial<Parameters<typeof sandboxStatus>[0]>
const status = (facts: Facts = {}) =>
  sandboxStatus({ definition, option: undefined, engine: bubblewrap, last: undefined, kept: undefined, ...facts })

test.each<[string, Facts, object]>([
  ['not known before anybody looked', { engine: undefined }, {}],
  ['on, once it is approved', {}, { sandbox: { kind: 'on' } }],
  ['missing without an engine', { engine: none }, { sandbox: missing }],
  ['missing for one that was approved before, too', { engine: none, kept: null }, { sandbox: missing }],
  ['off until it is asked, for one that was approved before', { kept: null }, { sandbox: { kind: 'off', by: 'earlier' } }],
  ['off by the entry', { definition: { ...definition, sandbox: { kind: 'off' } } }, { sandbox: { kind: 'off', by: 'entry' } }],
  ['off by the person', { kept: { kind: 'off', by: 'person' } }, { sandbox: { kind: 'off', by: 'person' } }],
  ['off by the option, whatever is approved', { kept: on, option: 'off' }, { sandbox: { kind: 'off', by: 'option' } }],
  ['on with what is approved', { kept: on }, { sandbox: shownOn }],
  ['as it was started', { kept: on, last: { sandbox: on } }, { sandbox: shownOn }],
  [
    'as it was started, and what is approved since',
    { kept: on, last: { sandbox: { kind: 'off', by: 'person' } } },
    { sandbox: { kind: 'off', by: 'person' }, nextSandbox: shownOn },
  ],
  ['as it was started, for once', { last: { sandbox: on } }, { sandbox: shownOn }],
  [
    'not needed in a container',
    { definition: { ...definition, command: 'docker' }, engine: none },
    { sandbox: { kind: 'not-needed', because: 'container' } },
  ],
  [
    'needed there too, where a run wants it',
    { definition: { ...definition, command: 'docker' }, engine: none, option: 'on' },
    { sandbox: missing },
  ],
])('%s', (_title, facts, expected) => {
  expect(status(facts)).toEqual(expected)
})
