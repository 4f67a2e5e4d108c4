import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { onWindows } from '#main/base/this-system.testing.ts'
import { createEnvironment } from '../process/environment/environment.ts'
import { approve, closeServers, eventually, fakeBroker, makeServers, memoryServerStore, node, quickClock, raw } from './servers.testing.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const signal = new AbortController().signal
const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''
const fails = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })

describe('the start of a server', () => {
  it('goes from stopped over starting to ready, and remembers what was agreed on', async () => {
    const servers = makeServers({ a: raw('tools') })
    await servers.start('a')
    expect(servers.kinds('a')).toEqual(['stopped', 'starting', 'ready'])
    expect(servers.view('a')).toMatchObject({
      state: { kind: 'ready', pid: expect.any(Number) },
      session: {
        era: 'legacy',
        protocolVersion: '2025-06-18',
        foundBy: 'initialize',
        serverInfo: { name: 'raw' },
        instructions: 'Be raw.',
      },
    })
    expect(servers.store.session('a')).toEqual(servers.view('a')?.session)
    expect(servers.instructions()).toEqual([{ server: 'a', text: 'Be raw.' }])
    await servers.stop('a')
    expect(servers.kinds('a')).toEqual(['stopped', 'starting', 'ready', 'stopping', 'stopped'])
    expect(servers.tools().length).toBeGreaterThan(0)
  })

  it('tells pages what it says on stderr, without the secrets that it was given', async () => {
    const definition = raw('tools')
    const servers = makeServers({ a: { ...definition, env: { ECHO_TOKEN: 'hush-hush-hush' } } })
    await servers.start('a')
    await eventually(() => expect(servers.logged('a')).toEqual(['the tools are open', 'token •••']))
    expect(servers.log('a').lines.map(({ source, text }) => [source, text])).toEqual([
      ['stderr', 'the tools are open'],
      ['stderr', 'token •••'],
    ])
  })

  it('is one, however many ask for it', async () => {
    const servers = makeServers({ a: raw('tools') })
    await Promise.all([servers.start('a'), servers.start('a'), servers.readResource('a', 'x:', { signal }).catch(() => undefined)])
    expect([servers.pids().length, servers.kinds('a').filter((kind) => kind === 'starting').length]).toEqual([1, 1])
  })

  it('asks first, and is refused for good until the person starts it', async () => {
    const servers = makeServers({ a: raw('tools') }, { broker: fakeBroker('deny') as never })
    await expect(servers.start('a')).rejects.toEqual(fails('server.refused'))
    expect(servers.kinds('a')).toEqual(['stopped', 'starting', 'waiting', 'refused'])
    await expect(servers.readResource('a', 'x:', { signal })).rejects.toEqual(fails('server.refused'))
    expect([servers.broker.targets.length, servers.pids()]).toEqual([1, []])
  })

  it('shows the names of variables, never their values', async () => {
    const servers = makeServers({ a: { ...raw('tools'), env: { B_TOKEN: 's3cret-value', A: '1' } } })
    await servers.start('a')
    expect(servers.broker.targets).toEqual([
      {
        transport: 'stdio',
        command: process.execPath,
        args: raw('tools').args,
        envNames: ['A', 'B_TOKEN'],
        folder: realpathSync(homedir()),
      },
    ])
    expect(servers.view('a')?.definition).toMatchObject({ env: { B_TOKEN: '••••', A: '1' } })
  })

  it('is called off by stop, also while it waits for the person', async () => {
    const servers = makeServers({ a: raw('tools') }, { broker: fakeBroker('wait') as never })
    const started = servers.start('a')
    started.catch(() => undefined)
    await eventually(() => expect(servers.state('a').kind).toBe('waiting'))
    await servers.stop('a')
    await expect(started).rejects.toEqual(fails('server.stopped'))
    expect(servers.state('a')).toEqual({ kind: 'stopped', reason: 'user' })
  })

  it('fills in variables, and says which one is missing', async () => {
    const reference = (name: string): string => `\${env:${name}}`
    const env = { NAMED: reference('SOME_SECRET') }
    const servers = makeServers(
      { a: { ...raw('tools'), env }, b: { ...raw('tools'), env: { X: reference('NOT_THERE') } } },
      { variables: { SOME_SECRET: 'hush' } },
    )
    await servers.start('a')
    const { result } = await servers.call(approve(servers, 'a', 'environment', { name: 'NAMED' }), { signal })
    expect(text(result)).toBe('hush')
    await expect(servers.start('b')).rejects.toEqual(fails('config.invalid', { variable: 'NOT_THERE' }))
  })

  it.skipIf(onWindows)('fills in what only the person’s shell knows, and hands on nothing of it that was not asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assent-shell-'))
    const shell = join(folder, 'shell')
    writeFileSync(shell, '#!/bin/sh\nexport SHELL_TOKEN=hush OTHER_TOKEN=x\neval "$2"\n', { mode: 0o755 })
    const environment = createEnvironment({ env: { PATH: process.env['PATH'], SHELL: shell }, isTerminal: false })
    const servers = makeServers({ a: { ...raw('tools'), env: { NAMED: `\${env:SHELL_TOKEN}` } } }, { environment })
    await servers.start('a')
    const read = async (name: string) => text((await servers.call(approve(servers, 'a', 'environment', { name }), { signal })).result)
    expect([await read('NAMED'), await read('OTHER_TOKEN'), await read('SHELL_TOKEN')]).toEqual(['hush', 'not set', 'not set'])
    rmSync(folder, { recursive: true })
  })

  it('fails plainly for a command that is not there, and waits for the person', async () => {
    const servers = makeServers({ a: { ...raw('tools'), command: 'no-such-program' } })
    await expect(servers.start('a')).rejects.toEqual(fails('server.command-not-found'))
    expect(servers.state('a')).not.toHaveProperty('retryAt')
  })

  it('of a program that crashes says its exit code and last words, and comes again by itself', async () => {
    const servers = makeServers({ a: raw('crash-on-start') })
    await expect(servers.start('a')).rejects.toEqual(fails('server.exited', { code: 3 }))
    expect(servers.state('a')).toMatchObject({
      kind: 'failed',
      exit: { code: 3, signal: null },
      retryAt: expect.any(Number),
      error: { data: { stderr: ['cannot find the ledger'] } },
    })
    await servers.stop('a')
    expect(servers.state('a')).toEqual({ kind: 'stopped', reason: 'user' })
  })

  it('stops trying after three starts in five minutes', async () => {
    const servers = makeServers({ a: raw('crash-on-start') }, { clock: quickClock })
    await expect(servers.start('a')).rejects.toEqual(fails('server.exited'))
    await eventually(() => expect(servers.state('a')).toMatchObject({ kind: 'failed', attempt: 3 }))
    expect(servers.state('a')).not.toHaveProperty('retryAt')
    expect(servers.kinds('a')).toEqual(['stopped', 'starting', 'failed', 'starting', 'failed', 'starting', 'failed'])
  })
})

describe('a server that dies again and again', () => {
  it('is started by nobody but the person after the third time, and works at once when they do', async () => {
    const store = memoryServerStore()
    const servers = makeServers({ a: raw('tools') }, { clock: quickClock, store })
    const call = (tool: string) => servers.call(approve(servers, 'a', tool), { signal })
    expect(servers.view('a')).not.toHaveProperty('workedAt')
    await servers.start('a')
    for (const starts of [1, 2, 3]) {
      await eventually(() => expect([servers.state('a').kind, servers.pids().length]).toEqual(['ready', starts]))
      await expect(call('exit')).rejects.toEqual(fails('tool.outcome-unknown'))
    }
    expect(servers.state('a')).toMatchObject({ kind: 'failed', loop: true })
    const told = fails('server.crash-loop', { server: 'a', reason: 'server.exited', exit: { code: 7, signal: null } })
    await expect(call('echo')).rejects.toEqual(told)
    await expect(servers.ping('a', { signal })).rejects.toEqual(told)
    expect([servers.pids().length, servers.state('a').kind]).toEqual([3, 'failed'])
    const { workedAt } = servers.view('a') ?? {}
    expect(workedAt).toEqual(expect.any(Number))
    expect(makeServers({ a: raw('tools') }, { store }).view('a')?.workedAt).toBe(workedAt)
    await servers.restart('a')
    expect(text((await servers.call(approve(servers, 'a', 'echo', { text: 'back' }), { signal })).result)).toContain('back')
    expect(servers.state('a')).toMatchObject({ kind: 'ready', attempt: 1 })
  })
})

describe('the era of a stdio server', () => {
  it('is found in place: one process, and no more questions the next time', async () => {
    const store = memoryServerStore()
    const first = makeServers({}, { store })
    const file = join(first.folder, 'probes')
    writeFileSync(file, '')
    first.configure(new Map([['a', raw('counts-probes', file)]]))
    await first.start('a')
    expect([first.pids().length, readFileSync(file, 'utf8')]).toEqual([1, 'probed\n'])
    const second = makeServers({ a: raw('counts-probes', file) }, { store })
    await second.start('a')
    expect([readFileSync(file, 'utf8'), second.view('a')?.session?.foundBy]).toEqual(['probed\n', 'remembered'])
    await second.restart('a')
    expect([readFileSync(file, 'utf8'), second.view('a')?.session?.foundBy]).toEqual(['probed\nprobed\n', 'initialize'])
  })

  it('of one that ends on the question is found by a second start, once', async () => {
    const servers = makeServers({})
    const file = join(servers.folder, 'starts')
    servers.configure(new Map([['a', raw('exits-on-unknown', file)]]))
    await servers.start('a')
    expect([readFileSync(file, 'utf8'), servers.view('a')?.session?.era]).toEqual(['started\nstarted\n', 'legacy'])
  })

  it('is asked anew when what was remembered is wrong', async () => {
    const store = memoryServerStore()
    store.putSession('a', { era: 'legacy', protocolVersion: '2025-06-18', foundBy: 'initialize', askedAt: Date.now() })
    const servers = makeServers({ a: raw('modern') }, { store })
    await servers.start('a')
    expect(servers.view('a')?.session).toMatchObject({ era: 'modern', foundBy: 'discover' })
  })

  it.each(['', 'shy'])('is modern for a server of 2026-07-28 %s', async (mood) => {
    const servers = makeServers({ a: raw('modern', mood) })
    await servers.start('a')
    expect(servers.view('a')).toMatchObject({
      session: { era: 'modern', protocolVersion: '2026-07-28', instructions: 'Be modern.' },
      counts: { tools: 3 },
    })
  })

  it('of a silent one is taken for legacy after a while', async () => {
    const servers = makeServers({ a: raw('silent', 'polite') }, { clock: quickClock })
    await servers.start('a')
    expect(servers.view('a')?.session).toMatchObject({ era: 'legacy' })
  })
})

describe('real servers', () => {
  it('everything: lists, calls, resources and prompts', async () => {
    const servers = makeServers({ everything: node('node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'stdio') })
    await servers.start('everything')
    const catalogue = servers.catalogue('everything')
    expect(catalogue.stale).toBeUndefined()
    for (const list of [catalogue.tools, catalogue.resources, catalogue.resourceTemplates, catalogue.prompts])
      expect(list.length).toBeGreaterThan(0)
    const { result, session } = await servers.call(approve(servers, 'everything', 'echo', { message: 'hello' }), { signal })
    expect([text(result), session.era]).toEqual(['Echo: hello', 'legacy'])
    const uri = catalogue.resources[0]?.uri ?? ''
    expect(await servers.readResource('everything', uri, { signal })).toHaveProperty('contents')
    expect(await servers.getPrompt('everything', 'simple-prompt', {}, { signal })).toHaveProperty('messages')
  })

  it('filesystem: reads a file inside its folder', async () => {
    const servers = makeServers({})
    writeFileSync(join(servers.folder, 'note.txt'), 'remember the milk')
    servers.configure(new Map([['files', node('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', servers.folder)]]))
    await servers.start('files')
    const { result } = await servers.call(approve(servers, 'files', 'read_text_file', { path: join(servers.folder, 'note.txt') }), {
      signal,
    })
    expect(text(result)).toBe('remember the milk')
  })
})
