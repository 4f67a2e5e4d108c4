import { expect, it } from 'vitest'
import { createServerNetwork } from './guarded-dispatchers.ts'

const name = 'mcp.example.test'
const leading = (...addresses: string[]) => createServerNetwork(name, async () => addresses)

it('what needs no resolving lies where it says', async () => {
  const reaches = ['127.0.0.1', 'localhost.', '[fd00::1]', '93.184.216.34'].map((host) => createServerNetwork(host).reach(false))
  expect(await Promise.all(reaches)).toEqual(['loopback', 'loopback', 'private', 'public'])
})

it('a name lies where it leads, and as far out as any address that it was seen to have', async () => {
  const home = leading('10.0.0.1')
  expect(await home.reach(false)).toBe('private')
  home.saw('other.example.test', ['93.184.216.34'])
  expect(await home.reach(false)).toBe('private')
  home.saw(name, ['93.184.216.34'])
  home.saw(name, ['127.0.0.1'])
  expect(await home.reach(false)).toBe('public')
})

it('a name behind a proxy lies in the internet', async () => {
  expect(await leading('127.0.0.1').reach(true)).toBe('public')
})

it('a name without an address vouches for none', async () => {
  expect(await leading().reach(false)).toBe('public')
  expect(await createServerNetwork(name, async () => Promise.reject(new Error('not found'))).reach(false)).toBe('public')
})
