import { expect, it } from 'vitest'
import { forwardsOf, hostsFile } from './forwards.ts'

it('leads to hosts that are named with a port, each once', () => {
  const hosts = ['localhost:5432', '127.0.0.1:5432', 'db.example:5432', 'db.example:6432', 'other.example:5432']
  expect(forwardsOf(hosts)).toEqual([
    { address: '127.0.0.1', host: 'localhost', port: 5432 },
    { address: '127.0.1.1', host: 'db.example', port: 5432 },
    { address: '127.0.1.1', host: 'db.example', port: 6432 },
    { address: '127.0.1.2', host: 'other.example', port: 5432 },
  ])
})

it.each(['a.example', '*', '*.a.example:5432', 'a.example:443', 'localhost:80', '10.0.0.7:5432', '[::1]:5432', 'no pattern'])(
  'leads nowhere for %s',
  (pattern) => expect(forwardsOf([pattern])).toEqual([]),
)

it('puts names before those of the system', () => {
  const forwards = forwardsOf(['localhost:5432', 'db.example:5432'])
  expect([hostsFile(forwards, '127.0.0.1 localhost\n'), hostsFile(forwards.slice(0, 1), '')]).toEqual([
    '127.0.1.1 db.example\n127.0.0.1 localhost\n',
    undefined,
  ])
})
