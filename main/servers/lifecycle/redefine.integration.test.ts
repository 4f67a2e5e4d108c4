import { afterEach, describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { closeServers, eventually, fakeBroker, isProcessAlive, makeServers, raw, type TestServers } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const configure = (servers: TestServers, definitions: Readonly<Record<string, ServerDefinition>>): void =>
  servers.configure(new Map(Object.entries(definitions)))
const pidOf = (servers: TestServers, name: string): number => {
  const state = servers.state(name)
  if (state.kind !== 'ready' || state.pid === undefined) throw new Error(`${name} does not run`)
  return state.pid
}

describe('the first lists', () => {
  const soon = { signal: new AbortController().signal, wanted: () => true, onWaiting: () => undefined }

  it('are waited for, and a server that nobody knows yet is started for them', async () => {
    const servers = makeServers({ a: raw('tools'), off: { ...raw('tools'), enabled: false } })
    await servers.listed(soon)
    expect([servers.tools().length > 0, servers.state('a').kind, servers.state('off').kind]).toEqual([true, 'ready', 'disabled'])
    await servers.stop('a')
    await servers.listed(soon)
    expect(servers.state('a').kind).toBe('stopped')
  })

  it('of a server that the chat does not use are not waited for, and it is not started', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.listed({ ...soon, wanted: (name) => name !== 'a' })
    expect(servers.state('a')).toEqual({ kind: 'stopped', reason: 'never-started' })
  })

  it('are waited for while the person is asked whether to start it, but not once that was refused', async () => {
    const asking = makeServers({ a: raw('tools') }, { broker: fakeBroker('wait') })
    const left = new AbortController()
    const told: unknown[] = []
    const listed = asking.listed({ ...soon, signal: left.signal, onWaiting: (servers) => told.push(servers) })
    await eventually(() => expect(told.at(-1)).toEqual([{ name: 'a', asked: true }]))
    left.abort()
    await listed
    expect(asking.state('a').kind).toBe('waiting')
    const refusing = makeServers({ a: raw('tools') }, { broker: fakeBroker('deny') })
    await refusing.listed(soon)
    expect(refusing.state('a').kind).toBe('refused')
    await refusing.listed(soon)
    expect(refusing.state('a').kind).toBe('refused')
  })

  it('are waited for while it starts, but not after a stop', async () => {
    const servers = makeServers({ silent: raw('silent') })
    const started = servers.start('silent').catch(() => undefined)
    const stopped = new AbortController()
    stopped.abort()
    await servers.listed({ ...soon, signal: stopped.signal })
    const told: unknown[] = []
    const listed = servers.listed({ ...soon, onWaiting: (waiting) => told.push(waiting) })
    await eventually(() => expect(told.at(-1)).toEqual([{ name: 'silent', asked: false }]))
    await servers.stop('silent')
    await Promise.all([started, listed])
  })
})

describe('what is configured anew', () => {
  it('starts nothing at first, then what is added to start at launch', async () => {
    const servers = makeServers({ a: { ...raw('tools'), start: 'launch' } })
    expect(servers.state('a').kind).toBe('stopped')
    configure(servers, { a: { ...raw('tools'), start: 'launch' }, b: { ...raw('tools'), start: 'launch' }, c: raw('tools') })
    await eventually(() => expect(servers.state('b').kind).toBe('ready'))
    expect([servers.state('a').kind, servers.state('c').kind, servers.views().map(({ name }) => name)]).toEqual([
      'stopped',
      'stopped',
      ['a', 'b', 'c'],
    ])
  })

  it('restarts a server that would start differently, and asks again', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.start('a')
    const before = pidOf(servers, 'a')
    configure(servers, { a: { ...raw('tools'), env: { X: '1' } } })
    await eventually(() => expect([servers.state('a').kind, servers.pids().length]).toEqual(['ready', 2]))
    expect([isProcessAlive(before), servers.broker.targets.length]).toEqual([false, 2])
  })

  it('says of a server that never ran that it did not, when its command changes', async () => {
    const servers = makeServers({ a: raw('tools'), b: raw('tools') })
    await servers.stop('b')
    const other = { ...raw('tools'), env: { X: '1' } }
    configure(servers, { a: other, b: other })
    expect([servers.state('a'), servers.state('b')]).toEqual([
      { kind: 'stopped', reason: 'never-started' },
      { kind: 'stopped', reason: 'user' },
    ])
  })

  it('leaves a server running when only what it may do has changed', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.start('a')
    const before = pidOf(servers, 'a')
    configure(servers, { a: { ...raw('tools'), trusted: true, timeoutMs: 5000 } })
    expect([pidOf(servers, 'a'), servers.tools()[0]?.trusted]).toEqual([before, true])
  })

  it('stops a server that is switched off, and hides its tools', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.start('a')
    const before = pidOf(servers, 'a')
    configure(servers, { a: { ...raw('tools'), enabled: false } })
    await eventually(() => expect(servers.state('a').kind).toBe('disabled'))
    expect([isProcessAlive(before), servers.tools()]).toEqual([false, []])
    await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.disabled' })
    configure(servers, { a: raw('tools') })
    await servers.start('a')
  })

  it('forgets a server that is taken out, so that another of its name is not taken for it', async () => {
    const servers = makeServers({ a: raw('tools'), b: raw('silent') })
    await servers.start('a')
    const before = pidOf(servers, 'a')
    configure(servers, { b: raw('silent') })
    expect(servers.view('a')).toBeUndefined()
    await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.unknown' })
    configure(servers, { a: raw('modern'), b: raw('silent') })
    expect(servers.tools()).toEqual([])
    await servers.start('a')
    expect([isProcessAlive(before), servers.view('a')?.session?.era]).toEqual([false, 'modern'])
  })

  it('warns of names that look alike, for as long as they do', () => {
    const servers = makeServers({ github: raw('tools'), g1thub: raw('tools'), other: raw('tools') })
    expect(servers.views().map(({ warnings }) => warnings.length)).toEqual([1, 1, 0])
    configure(servers, { github: raw('tools'), other: raw('tools') })
    expect(servers.views().map(({ warnings }) => warnings.length)).toEqual([0, 0])
  })
})

it('restarts by hand, and ends everything at once when it is closed', async () => {
  const servers = makeServers({ a: raw('tools'), b: raw('modern'), c: raw('silent') })
  await Promise.all([servers.start('a'), servers.start('b')])
  servers.start('c').catch(() => undefined)
  const before = pidOf(servers, 'a')
  await servers.restart('a')
  expect(isProcessAlive(before)).toBe(false)
  const pids = [pidOf(servers, 'a'), pidOf(servers, 'b')]
  await servers.dispose()
  expect([pids.map(isProcessAlive), servers.views().map(({ state }) => state.kind)]).toEqual([
    [false, false],
    ['stopped', 'stopped', 'stopped'],
  ])
  await expect(servers.start('a')).rejects.toMatchObject({ code: 'server.stopped' })
})

it('lets stop have the last word over a restart', async () => {
  const servers = makeServers({ a: raw('tools') })
  await servers.start('a')
  const restarted = servers.restart('a')
  restarted.catch(() => undefined)
  await servers.stop('a')
  await expect(restarted).rejects.toMatchObject({ code: 'server.stopped' })
  expect(servers.state('a')).toEqual({ kind: 'stopped', reason: 'user' })
})
