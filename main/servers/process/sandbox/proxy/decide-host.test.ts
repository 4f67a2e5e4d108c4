import { expect, it } from 'vitest'
import { decideHost } from './decide-host.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'a.example': ['93.184.216.34'],
  'inward.example': ['10.0.0.7'],
  'both.example': ['127.0.0.1', '93.184.216.34'],
}
const resolve = async (host: string): Promise<readonly string[]> => names[host] ?? []

it.each([
  ['a.example', 443, ['a.example'], [], ['93.184.216.34']],
  ['A.EXAMPLE.', 443, ['a.example'], [], ['93.184.216.34']],
  ['a.example', 22, ['a.example'], [], 'not-granted'],
  ['a.example', 443, [], [], 'not-granted'],
  ['a.example', 443, ['a.example'], ['a.example'], 'denied'],
  ['a.example', 443, ['a.example'], ['93.184.216.34'], 'private-address'],
  ['inward.example', 443, ['inward.example'], [], 'private-address'],
  ['inward.example', 443, ['inward.example', '10.0.0.7'], [], ['10.0.0.7']],
  ['both.example', 443, ['both.example'], [], ['93.184.216.34']],
  ['gone.example', 443, ['gone.example'], [], 'not-found'],
  ['localhost', 80, ['localhost'], [], ['127.0.0.1', '::1']],
  ['127.0.0.1', 80, ['localhost'], [], 'not-granted'],
  ['a.example', 443, ['*'], [], ['93.184.216.34']],
  ['a.example', 443, ['*'], ['a.example'], 'denied'],
  ['inward.example', 443, ['*'], [], 'private-address'],
  ['both.example', 443, ['*'], [], ['93.184.216.34']],
  ['localhost', 80, ['*'], [], 'private-address'],
  ['169.254.169.254', 80, ['*'], [], 'not-granted'],
  ['93.184.216.34', 443, ['*'], [], 'not-granted'],
  ['a b', 443, ['a.example'], [], 'malformed'],
  ['a.example', 0, ['a.example'], [], 'malformed'],
])('%s:%d with %j and not %j: %j', async (host, port, hosts, denyHosts, expected) => {
  const decision = await decideHost({ host, port }, { hosts, denyHosts }, resolve)
  expect(decision.kind === 'allowed' ? decision.addresses : decision.why).toEqual(expected)
})
