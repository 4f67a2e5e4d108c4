// A server that nobody needs is stopped when its definition says so, and is back at the next need.
import { afterEach, expect, it } from 'vitest'
import { approve, closeServers, eventually, makeServers, raw, type TestServers } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const { signal } = new AbortController()
/** 300 ms. */
const idleMinutes = 0.005
const stopped = (servers: TestServers) => eventually(() => expect(servers.state('a')).toEqual({ kind: 'stopped', reason: 'idle' }))

it('is stopped, its tools stay in sight, and the next call starts it', async () => {
  const servers = makeServers({ a: { ...raw('tools'), idleMinutes } })
  await servers.start('a')
  await stopped(servers)
  expect(servers.tools().some(({ tool }) => tool.name === 'echo')).toBe(true)
  const { result } = await servers.call(approve(servers, 'a', 'echo'), { signal })
  expect(result).toMatchObject({ content: [{ text: '{}' }] })
  await stopped(servers)
  expect(servers.pids()).toHaveLength(2)
})

it('is not stopped while a call goes on, but after it', async () => {
  const servers = makeServers({ a: { ...raw('tools'), idleMinutes } })
  await servers.start('a')
  const { result } = await servers.call(approve(servers, 'a', 'steps'), { signal })
  expect([result, servers.pids().length]).toMatchObject([{ content: [{ text: 'done' }] }, 1])
  await stopped(servers)
})

it('stays up when its definition no longer says so', async () => {
  const definition = raw('tools')
  const servers = makeServers({ a: { ...definition, idleMinutes: 1000 } })
  await servers.start('a')
  servers.configure(new Map([['a', { ...definition, idleMinutes }]]))
  await stopped(servers)
  servers.configure(new Map([['a', definition]]))
  await servers.start('a')
  expect([servers.state('a').kind, servers.pids().length]).toEqual(['ready', 2])
})
