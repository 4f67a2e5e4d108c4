// A server behind a shell, with a child of its own: what the page is told of it.
import { afterEach, describe, expect, it } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import { listByPs, treeOf } from '../process/list-process-tree.ts'
import { approve, closeServers, eventually, makeServers, raw } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ')
/** `sh` → the server, and beside it `sh` → `sleep`; the value of the variable stands among the shell's words. */
const wrapped = (): StdioDefinition => {
  const { command, args, ...rest } = raw('tools')
  const script = `(exec sh -c "sleep 600; true") & ${quoted([command, ...args])}; kill %1`
  return { ...rest, command: '/bin/sh', args: ['-c', script, 'hush-hush-hush'], env: { ECHO_TOKEN: 'hush-hush-hush' } }
}
/** Takes no notice of the end of its stdin, nor of SIGTERM. */
const lingering = (): StdioDefinition => {
  const { command, args, ...rest } = raw('tools')
  return { ...rest, command: '/bin/sh', args: ['-c', `trap '' TERM; ${quoted([command, ...args])}; sleep 600`] }
}

describe.skipIf(process.platform === 'win32')('the processes of a server', () => {
  it('are those of its whole tree, with their memory and time, without the secrets among their words', async () => {
    const servers = makeServers({ a: wrapped() })
    expect(await servers.processes('a')).toEqual({ kind: 'none' })
    await servers.start('a')
    const state = servers.state('a')
    const list = await eventually(async () => {
      const found = await servers.processes('a')
      expect(found.kind === 'processes' && found.processes.some(({ command }) => command.startsWith('sleep 600'))).toBe(true)
      return found
    })
    if (list.kind !== 'processes' || state.kind !== 'ready') throw new Error('it does not run')
    const [leader, ...others] = list.processes
    expect(leader?.pid).toBe(state.pid)
    expect(others.filter(({ parent }) => parent === leader?.pid).length).toBe(2)
    const sleep = others.find(({ command }) => command.startsWith('sleep'))
    expect(others.find(({ pid }) => pid === sleep?.parent)?.parent).toBe(leader?.pid)
    expect(list.processes.every(({ memory }) => memory > 100_000)).toBe(true)
    const server = others.find(({ command }) => command.includes('tools.ts') && !command.startsWith('sh'))
    expect([server?.memory, server?.cpuMs].map((value) => Number(value) > 0)).toEqual([true, true])
    expect(list.processes.map(({ command }) => command).join()).not.toContain('hush')
    // The other way to find out finds the same.
    expect(treeOf(Number(state.pid), await listByPs()).map(({ pid }) => pid)).toEqual(list.processes.map(({ pid }) => pid))
    await servers.stop('a')
    expect(await servers.processes('a')).toEqual({ kind: 'none' })
  })
})

describe.skipIf(process.platform === 'win32')('the processes of a server that is not ready', () => {
  it('are told while it does not answer yet, and until nothing of it is left', async () => {
    const servers = makeServers({ a: raw('silent'), b: lingering() })
    const told = (name: string, count: number) =>
      eventually(async () => {
        const list = await servers.processes(name)
        expect(list.kind === 'processes' ? list.processes.length : list.kind).toBe(count)
      })
    const start = servers.start('a').catch(() => undefined)
    await told('a', 1)
    expect(servers.state('a')).toMatchObject({ kind: 'starting' })
    await servers.stop('a')
    await start
    expect(await servers.processes('a')).toEqual({ kind: 'none' })
    await servers.start('b')
    const end = servers.stop('b')
    await told('b', 2)
    expect(servers.state('b')).toMatchObject({ kind: 'stopping' })
    await servers.stop('b')
    await end
    expect(await servers.processes('b')).toEqual({ kind: 'none' })
  })
})

describe('what a server did in this run', () => {
  it('is its starts, its failures and its calls', async () => {
    const servers = makeServers({ a: raw('tools'), b: raw('crash-on-start') })
    expect(servers.activity('a')).toMatchObject({ counts: { starts: 0, restarts: 0, failures: 0 }, run: { calls: 0, p50: null } })
    await servers.start('a')
    await servers.restart('a')
    await servers
      .call(approve(servers, 'a', servers.catalogue('a').tools[0]?.name ?? ''), { signal: new AbortController().signal })
      .catch(() => undefined)
    expect(servers.activity('a')).toMatchObject({ counts: { starts: 2, restarts: 0, failures: 0 }, run: { calls: 1 }, day: { calls: 1 } })
    await servers.start('b').catch(() => undefined)
    expect(servers.activity('b')).toMatchObject({
      counts: { starts: 1, failures: 1 },
      lastError: { kind: 'server', error: { code: 'server.exited' } },
    })
  })
})
