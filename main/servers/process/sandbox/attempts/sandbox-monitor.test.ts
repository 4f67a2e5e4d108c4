import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BlockedTarget } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createHostMask } from '#main/base/redact-secrets.ts'
import { memoryServerStore } from '#main/servers/lifecycle/connection-test/connection-test.ts'
import { makeSceneFolder } from '../scene-folder.testing.ts'
import { createAttemptJournal } from './attempt-journal.ts'
import { createSandboxMonitor } from './sandbox-monitor.ts'

let home: string
beforeEach(() => {
  home = makeSceneFolder()
  mkdirSync(join(home, 'notes'))
  writeFileSync(join(home, 'notes/todo.md'), 'x')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function makeMonitor(grants: SandboxGrants = noGrants) {
  const clock = manualClock()
  const nothing = () => undefined
  const journal = createAttemptJournal({ server: 's', store: memoryServerStore(), clock, onChange: nothing, onUnwritten: nothing })
  const monitor = createSandboxMonitor({ journal, clock, maskHost: createHostMask(['S3cret-Value-4711']) })
  const proxied: string[] = []
  const open = { list: [] as { host: string; port: number }[] }
  const begin = () => {
    monitor.beginStart()
    return monitor.began({
      proxy: {
        allow: (pattern) => void proxied.push(`allow ${pattern}`),
        deny: (pattern) => void proxied.push(`deny ${pattern}`),
        watchOpen: () => () => open.list,
      },
      view: { mounts: [], home, own: { home: join(home, 'own'), tmp: join(home, 'tmp') }, cwd: home, ...grants },
    })
  }
  const listed = (): string[] => journal.list().map(({ kind, target, tool }) => `${kind} ${target.replace(home, '~')} ${tool ?? '-'}`)
  return { clock, monitor, journal, proxied, open, begin, listed }
}

const api = { host: 'api.example', port: 443 }
const missing = (path: string): string => `ENOENT: no such file or directory, open '${path}'`

describe('a call', () => {
  test('has what was tried while it ran alone, and is told of refusals', () => {
    const { monitor, begin, open, listed } = makeMonitor()
    begin()
    const told: (readonly BlockedTarget[])[] = []
    open.list = [{ host: 'kept.example', port: 443 }]
    const call = monitor.watchCall({ callId: 'c1', tool: 'sync', onBlocked: (blocked) => told.push(blocked) })
    monitor.onAttempt(api)
    monitor.onAttempt({ host: 'ads.example', port: 443, refused: 'not-granted' })
    monitor.onAttempt({ host: 'ads.example', port: 443, refused: 'not-granted' })
    monitor.onAttempt({ host: 'gone.example', port: 443, refused: 'not-found' })
    call?.failed(missing('~/notes/todo.md'), {})
    call?.end(true)
    monitor.onAttempt({ host: 'later.example', port: 443, refused: 'not-granted' })
    expect(told.map((all) => all.map(({ target }) => target.replace(home, '~')))).toEqual([
      ['ads.example'],
      ['ads.example', '~/notes/todo.md'],
    ])
    expect(call?.facts()).toEqual({
      reached: ['api.example:443', 'kept.example:443'],
      blocked: ['ads.example:443', `read ${home}/notes/todo.md`],
    })
    expect(listed()).toEqual([
      'host later.example -',
      'read ~/notes/todo.md sync',
      'host gone.example sync',
      'host ads.example sync',
      'host api.example sync',
    ])
  })

  test('has no secret in what it tried to reach, in what it reached and in what is kept', () => {
    const { monitor, begin, open, listed } = makeMonitor()
    begin()
    open.list = [{ host: 's3cret-value-4711.kept.example', port: 443 }]
    const call = monitor.watchCall({ callId: 'c1', tool: 'sync' })
    monitor.onAttempt({ host: '5333637265742d56616c75652d34373131.evil.example', port: 443, refused: 'not-granted' })
    monitor.onAttempt({ host: 's3cret-value-4711.api.example', port: 443 })
    expect([call?.facts(), listed()]).toEqual([
      { reached: ['•••.api.example:443', '•••.kept.example:443'], blocked: ['•••.evil.example:443'] },
      ['host •••.api.example sync', 'host •••.evil.example sync'],
    ])
  })

  test.each([
    ['write_file', '~/docs/new.txt', ['write ~/docs write_file']],
    ['saveNote', '~/docs/a/b/new.txt', ['write ~/docs saveNote']],
    // This file is missing without a sandbox too.
    ['read_file', '~/docs/new.txt', []],
    // A name that only begins so.
    ['addresses', '~/docs/new.txt', []],
  ])('of a tool that makes files (%s) was kept from the folder that is there outside, for a new file in it', (tool, path, expected) => {
    mkdirSync(join(home, 'docs'))
    const { monitor, begin, listed } = makeMonitor()
    begin()
    monitor.watchCall({ callId: 'c1', tool })?.failed(missing(path.replace('~', home)), {})
    expect(listed()).toEqual(expected)
  })

  test('beside another has no host, and says so; its own error is its own', () => {
    const { monitor, begin, listed } = makeMonitor()
    begin()
    const one = monitor.watchCall({ callId: 'c1', tool: 'one' })
    const two = monitor.watchCall({ callId: 'c2', tool: 'two' })
    monitor.onAttempt({ ...api, refused: 'not-granted' })
    two?.failed(missing('~/notes/todo.md'), {})
    expect([one?.facts(), two?.facts()]).toEqual([
      { reached: [], blocked: [], several: true },
      { reached: [], blocked: [`read ${home}/notes/todo.md`], several: true },
    ])
    expect(listed()).toEqual(['read ~/notes/todo.md two', 'host api.example -'])
  })

  test('of a server without a sandbox is not watched', () =>
    expect(makeMonitor().monitor.watchCall({ callId: 'c', tool: 't' })).toBeUndefined())

  test('is told of a folder that its server was kept from at the start, and says was not given to it', () => {
    const { monitor, begin, listed } = makeMonitor()
    begin()
    const error = 'Access denied - path outside allowed directories'
    const fail = (callId: string) => monitor.watchCall({ callId, tool: 'list' })?.failed(error, { path: join(home, 'notes/todo.md') })
    fail('c1')
    const first = listed()
    monitor.wrote(`ENOENT: no such file or directory, stat '${join(home, 'notes')}'`)
    fail('c2')
    expect([first, listed()]).toEqual([[], ['read ~/notes list']])
  })

  test('that fails is looked through with its arguments, where its error speaks of a file', () => {
    const { monitor, begin, listed } = makeMonitor()
    begin()
    const call = monitor.watchCall({ callId: 'c', tool: 't' })
    call?.failed('invalid pattern', { path: join(home, 'notes/todo.md') })
    expect(listed()).toEqual([])
    call?.failed('unable to open database file', { path: join(home, 'notes/todo.md') })
    expect(listed()).toEqual(['read ~/notes/todo.md t'])
  })
})

test('a failed call is remembered with what was refused to it, until its tool works or the server starts anew', () => {
  const { monitor, begin } = makeMonitor()
  begin()
  const run = (tool: string, failed: boolean, refused = true) => {
    const call = monitor.watchCall({ callId: 'c', tool })
    if (refused) monitor.onAttempt({ ...api, refused: 'not-granted' })
    call?.end(failed)
    return monitor.failedCall()?.tool
  }
  expect([run('sync', false), run('sync', true, false), run('sync', true), run('other', false), run('sync', false)]).toEqual([
    undefined,
    undefined,
    'sync',
    'sync',
    undefined,
  ])
  run('sync', true)
  begin()
  expect(monitor.failedCall()).toBeUndefined()
})

test('lines beside the protocol are looked through, at most 200 in ten seconds, also the last ones', () => {
  const { monitor, begin, clock, listed } = makeMonitor()
  monitor.wrote(missing('~/notes'))
  expect(listed()).toEqual([])
  const ended = begin()
  for (let n = 0; n < 1000; n += 1) monitor.wrote(missing(`/none/${n}`))
  monitor.wrote(missing('~/notes'))
  expect(listed()).toEqual([])
  clock.advance(10_000)
  ended()
  monitor.wrote(missing('~/notes'))
  expect(listed()).toEqual(['read ~/notes -'])
})

test('what is kept blocked is listed as that', () => {
  const { monitor, journal, begin } = makeMonitor({ ...noGrants, denyRead: [join(home, 'notes')] })
  begin()
  monitor.wrote(missing('~/notes/todo.md'))
  expect(journal.list()[0]).toMatchObject({ refused: 'denied' })
  expect(journal.unanswered()).toBe(0)
})

test('what is no host is listed with its hidden characters named', () => {
  const { monitor, journal } = makeMonitor()
  monitor.onAttempt({ host: '<b>\u001b[31mapi\u202e', port: 1, refused: 'malformed' })
  expect(journal.list()[0]?.target).not.toMatch(/\p{C}/u)
})

describe('answers', () => {
  const host = { kind: 'host', target: 'api.example', port: 443 } as const

  test('a host opens at once where the server runs, else at its next start alone', () => {
    const { monitor, proxied, begin } = makeMonitor()
    expect(monitor.answer(host, 'once')).toBe('next-start')
    const ended = begin()
    expect([monitor.withOnce(noGrants).hosts, monitor.answer({ ...host, port: 5432 }, 'once'), monitor.answer(host, 'always')]).toEqual([
      ['api.example'],
      'now',
      'now',
    ])
    expect([monitor.answer(host, 'keep'), proxied]).toEqual(['now', ['allow api.example:5432', 'allow api.example', 'deny api.example']])
    ended()
    begin()
    expect(monitor.withOnce(noGrants)).toEqual(noGrants)
  })

  test('a folder holds at the next start alone, whatever was denied there before', () => {
    const { monitor, begin } = makeMonitor()
    begin()
    const write = { kind: 'write', target: '/srv/out' } as const
    expect([monitor.answer(write, 'once'), monitor.answer({ kind: 'read', target: '/srv/in' }, 'once')]).toEqual([
      'next-start',
      'next-start',
    ])
    expect(monitor.withOnce(noGrants)).toEqual(noGrants)
    begin()
    expect(monitor.withOnce({ ...noGrants, denyWrite: ['/srv/out', '/srv/other'] })).toEqual({
      ...noGrants,
      read: ['/srv/in'],
      write: ['/srv/out'],
      denyWrite: ['/srv/other'],
    })
    begin()
    expect(monitor.withOnce(noGrants)).toEqual(noGrants)
  })

  test('an answer of once is taken back by keeping it blocked', () => {
    const { monitor, begin } = makeMonitor()
    const read = { kind: 'read', target: '/srv/in' } as const
    monitor.answer(read, 'once')
    monitor.answer(read, 'keep')
    begin()
    expect(monitor.withOnce(noGrants)).toEqual(noGrants)
  })
})
