import { expect, test } from 'vitest'
import type { ServerDefinition } from '../definition.ts'
import { sandboxExemption } from './sandbox-exemption.ts'

const common = { enabled: true, start: 'needed', trusted: false } as const
const stdio = (command: string, more = {}): ServerDefinition => ({
  ...common,
  transport: 'stdio',
  command,
  args: ['run'],
  env: {},
  ...more,
})

test.each([
  [stdio('docker'), 'container'],
  [stdio('/usr/bin/podman'), 'container'],
  [stdio('/home/ada/bin/docker'), undefined],
  [stdio('./docker'), undefined],
  [stdio('dockerd'), undefined],
  [stdio('docker', { env: { Path: '/tmp/evil' } }), undefined],
  [stdio('docker', { sandbox: { kind: 'off' } }), undefined],
  [{ ...common, transport: 'streamable-http', url: 'https://x.example', headers: {} }, 'remote'],
  [{ ...common, transport: 'builtin', module: 'demo' }, 'builtin'],
] as const)('%j: %s', (definition, because) => {
  expect(sandboxExemption(definition as ServerDefinition)).toBe(because)
})
