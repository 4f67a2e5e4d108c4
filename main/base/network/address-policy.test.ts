import { describe, expect, it } from 'vitest'
import { addressProblem, reachOfAddress, reachOfAll, reachOfHost } from './address-policy.ts'

describe('the reach of an address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.8.8.8', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'private'],
    ['100.64.0.1', 'private'],
    ['0.0.0.0', 'private'],
    ['::', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fd00::1', 'private'],
    ['fe80::1', 'private'],
    ['fe80::1%eth0', 'private'],
    ['fec0::1', 'private'],
    ['::10.0.0.1', 'private'],
    ['::ffff:0:10.0.0.1', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::93.184.216.34', 'public'],
    ['64:ff9b:1::93.184.216.34', 'private'],
    ['2002:a9fe:a9fe::1', 'private'],
    ['2002:5db8:d822::1', 'public'],
    ['2001:0:5db8:d822::1', 'private'],
    ['172.32.0.1', 'public'],
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
  ])('%s is %s', (address, reach) => {
    expect(reachOfAddress(address)).toBe(reach)
  })

  it('of a name is known unresolved for this machine alone', () => {
    expect(['localhost', 'a.localhost', '[::1]', '[fd00::1]', 'mcp.example', 'localhost.example'].map(reachOfHost)).toEqual([
      'loopback',
      'loopback',
      'loopback',
      'private',
      undefined,
      undefined,
    ])
  })

  it('of a name with one public address is public', () => {
    expect(reachOfAll(['127.0.0.1', '93.184.216.34'])).toBe('public')
    expect(reachOfAll(['127.0.0.1', '10.0.0.1'])).toBe('private')
    expect(reachOfAll(['127.0.0.1', '::1'])).toBe('loopback')
    expect(reachOfAll([])).toBe('public')
  })
})

describe('an address that a server names', () => {
  it.each([
    ['https://as.example/token', 'public', undefined],
    ['https://10.0.0.1/token', 'public', 'private'],
    ['https://127.0.0.1/token', 'public', 'private'],
    ['https://127.0.0.1/token', 'private', 'private'],
    ['https://10.0.0.1/token', 'private', undefined],
    ['https://10.0.0.1/token', 'loopback', undefined],
    ['http://127.0.0.1:9/token', 'loopback', undefined],
    ['http://localhost:9/token', 'loopback', undefined],
    ['http://127.0.0.1:9/token', 'public', 'insecure'],
    ['http://as.example/token', 'loopback', 'insecure'],
    ['http://as.example/token', 'public', 'insecure'],
    ['https://me:secret@as.example/token', 'public', 'not-an-address'],
    ['file:///etc/passwd', 'loopback', 'not-an-address'],
    ['javascript:alert(1)', 'loopback', 'not-an-address'],
    ['nonsense', 'loopback', 'not-an-address'],
  ] as const)('%s from a %s server: %s', (address, from, problem) => {
    expect(addressProblem(address, from)).toBe(problem)
  })
})
