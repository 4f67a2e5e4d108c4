import { expect, it } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { sandboxKeysOf } from './sandbox-keys.ts'
import { noGrants } from './sandbox-settings.ts'

const read = (keys: object) => readConfig(JSON.stringify({ mcpServers: { a: { command: 'x', ...keys } } }), 'servers.json')

it.each([
  [{}],
  [{ sandboxEnabled: false }],
  [{ sandboxEnabled: true }],
  [
    {
      sandboxEnabled: true,
      sandbox: {
        filesystem: { allowRead: ['~/r'], allowWrite: ['~/w'], denyRead: ['~/r/x'], denyWrite: ['~/w/x'] },
        network: { allowedDomains: ['*.a.example'], deniedDomains: ['b.a.example'] },
      },
    },
  ],
])('%j is written as it was read', (keys) => {
  const definition = read(keys).definitions.get('a')
  expect(definition && 'sandbox' in definition ? sandboxKeysOf(definition.sandbox) : {}).toEqual(keys)
})

it('takes lists without sandboxEnabled for no sandbox', () => {
  expect(read({ sandbox: { network: { allowedDomains: ['a.example'] } } }).definitions.get('a')).not.toHaveProperty('sandbox')
})

it('grants nothing that is not written', () => {
  expect(read({ sandboxEnabled: true, sandbox: { other: {}, network: { other: ['x'] } } }).definitions.get('a')).toMatchObject({
    sandbox: { kind: 'on', grants: noGrants },
  })
})

it.each([
  [{ sandboxEnabled: 'yes' }, 'sandboxEnabled'],
  [{ sandbox: [] }, 'sandbox'],
  [{ sandbox: { network: 1 } }, 'network'],
  [{ sandbox: { filesystem: { allowRead: '/a' } } }, 'allowRead'],
  [{ sandbox: { filesystem: { allowRead: [1] } } }, 'allowRead'],
  [{ sandbox: { network: { deniedDomains: ['https://a.example'] } } }, 'deniedDomains'],
])('names the fault of %j', (keys, word) => {
  expect(read(keys).problems.map(({ message }) => message)).toEqual([expect.stringContaining(word)])
})
