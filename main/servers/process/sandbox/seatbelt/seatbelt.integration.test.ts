// Seatbelt's seam with a program in place of sandbox-exec that confines nothing: what is started, with what, and what is left of it.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { blockedBySandbox } from '../attempts/check-path.ts'
import { findEngine } from '../find-engine.ts'
import type { HostAttempt } from '../proxy/host-proxy.ts'
import { createSandbox } from '../sandbox.ts'
import { makeSceneFolder } from '../scene-folder.testing.ts'
import { trySeatbelt } from './try-seatbelt.ts'

const root = makeSceneFolder()
const [home, dataDir] = [join(root, 'home'), join(root, 'home/.data')]
for (const folder of ['home/.data', 'home/notes/private', 'home/.ssh', 'home/papers']) mkdirSync(join(root, folder), { recursive: true })
afterAll(() => rmSync(root, { recursive: true, force: true }))

function stub(name: string, script: string): string {
  mkdirSync(join(root, name))
  const file = join(root, name, 'sandbox-exec')
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o700)
  return file
}
const lax = stub('lax', '[ "$1" = -f ] && [ -f "$2" ] || exit 64\nshift 2\nexec "$@"')

describe('the test before it is relied on', () => {
  it('sees each attempt that a profile would have to refuse', async () => {
    // There is no second way to a file by its volume here.
    expect(await trySeatbelt(lax)).toBe('read write proxy read-beside list-beside write-beside read-hidden write-kept link move other-port')
  })

  it.each([
    ['holds', 'echo "read write proxy "', 'seatbelt'],
    ['lets too much through', 'echo "read write proxy other-port "', 'none'],
    ['lets too little through', 'echo "read write "', 'none'],
    ['does not take the profile', 'echo "read write proxy "; exit 65', 'none'],
  ])('of a sandbox that %s: %s is %s', async (name, script, kind) => {
    const sandboxExec = stub(name.replaceAll(' ', '-'), script)
    const found = await findEngine({ platform: 'darwin', folders: [join(sandboxExec, '..')] })
    expect(found).toMatchObject(
      kind === 'seatbelt' ? { kind, sandboxExec } : { kind, reason: 'refused', remedy: expect.stringContaining('macOS') },
    )
  })

  it('finds none where there is no sandbox-exec', async () => {
    expect(await findEngine({ platform: 'darwin', folders: [home] })).toMatchObject({ kind: 'none', reason: 'refused' })
  })
})

async function start(code: string, grants: Partial<SandboxGrants> = {}, env = {}) {
  const sandbox = createSandbox({ dataDir, home, engine: async () => ({ kind: 'seatbelt', sandboxExec: lax }) })
  const path = process.env['PATH'] ?? ''
  const launch = {
    command: process.execPath,
    args: ['-e', code],
    env: { PATH: path, ...env },
    cwd: home,
    path,
    pathSource: 'terminal' as const,
  }
  const attempts: HostAttempt[] = []
  const onAttempt = (attempt: HostAttempt): void => void attempts.push(attempt)
  const confined = await sandbox.confine({ server: 'one', grants: { ...noGrants, ...grants }, launch, onAttempt })
  const profile = confined.args[1] ?? ''
  const [text, mode] = [readFileSync(profile, 'utf8'), statSync(profile).mode & 0o777]
  const server = launchStdio({ ...launch, clock: systemClock, confined, limits: { grace: { stdin: 200, terminate: 5000, kill: 2000 } } })
  const said: string[] = []
  const first = new Promise<void>((resolve) =>
    server.onOutput((_, line) => {
      said.push(line)
      resolve()
    }),
  )
  await server.transport.start()
  await first
  return { server, said, confined, attempts, profile, text, mode }
}

describe('a server that is started', () => {
  it('has its own home folder, the tag, and a proxy with a secret of this start', async () => {
    const code = `const { HOME, TMPDIR, HTTPS_PROXY, DYLD_INSERT_LIBRARIES, ASSENT_PROCESS_TAG } = process.env; fetch('http://elsewhere.example/').catch(({ cause }) => console.error(JSON.stringify({ HOME, TMPDIR, HTTPS_PROXY, DYLD_INSERT_LIBRARIES, tag: ASSENT_PROCESS_TAG.length, cwd: process.cwd(), why: cause.cause.message })))`
    const { server, said, confined, attempts } = await start(code, {}, { DYLD_INSERT_LIBRARIES: '/evil' })
    await server.exited
    const { own } = confined.view
    const told = JSON.parse(said[0] ?? '')
    expect(told).toEqual({
      HOME: own.home,
      TMPDIR: own.tmp,
      HTTPS_PROXY: expect.any(String),
      tag: 32,
      cwd: own.home,
      why: expect.stringContaining('(403)'),
    })
    expect(told.HTTPS_PROXY).toMatch(/^http:\/\/assent:[0-9a-f]{48}@127\.0\.0\.1:\d+$/)
    expect(attempts).toEqual([{ host: 'elsewhere.example', port: 80, refused: 'not-granted' }])
    expect([confined.args, confined.view.home]).toEqual([expect.not.arrayContaining([expect.stringContaining('assent:')]), own.home])
  })

  it('leads its process itself, gets SIGTERM and ends in its own way', async () => {
    const code = `process.on('SIGTERM', () => { console.error('goodbye'); process.exit(143) }); setInterval(() => {}, 1000); console.error(process.pid)`
    const { server, said } = await start(code)
    expect([await server.stop(), said]).toEqual([{ code: 143, signal: null }, [String(server.pid), 'goodbye']])
  })

  it('leaves neither its profile nor its temporary files', async () => {
    const { server, profile, mode, confined } = await start(`console.error('ready')`)
    expect(mode).toBe(0o600)
    await server.exited
    await expect.poll(() => [profile, confined.view.own.tmp].filter((path) => existsSync(path))).toEqual([])
  })

  it('finds what was granted below the home folder at the same place of its own', async () => {
    const [notes, papers] = [join(home, 'notes'), join(home, 'papers')]
    const { server, said, confined, text } = await start(`console.error(require('fs').realpathSync(process.env.HOME + '/notes'))`, {
      read: [notes],
      write: [papers],
      denyRead: [join(notes, 'private')],
    })
    await server.exited
    const { own, mounts } = confined.view
    expect([said, readlinkSync(join(own.home, 'papers')), existsSync(join(own.home, 'notes/private'))]).toEqual([[notes], papers, true])
    expect(text).toContain(`(allow file-read* file-map-executable (subpath "${notes}"))`)
    expect(text).toContain(`(deny file-read* file-map-executable file-write* (subpath "${join(notes, 'private')}"))`)
    expect(mounts).toContainEqual({ kind: 'write', path: own.tmp })
    writeFileSync(join(home, '.ssh/key'), '')
    const blocked = (path: string, access: 'any' | 'write' = 'any') => blockedBySandbox({ path, access }, confined.view)?.target
    expect([blocked(join(home, '.ssh/key')), blocked(join(notes, 'private')), blocked('~/notes/new', 'write')]).toEqual([
      join(home, '.ssh/key'),
      undefined,
      notes,
    ])
    expect(['~/own', '~/papers/new', join(own.home, 'new')].map((path) => blocked(path, 'write'))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('makes no folder outside through a link that it left in its home folder', async () => {
    const target = join(home, 'notes')
    const left = await start(`console.error('ready'); require('fs').symlinkSync(${JSON.stringify(target)}, process.env.HOME + '/deep')`)
    await left.server.exited
    mkdirSync(join(home, 'deep/er'), { recursive: true })
    const { server, confined } = await start(`console.error('ready')`, { read: [join(home, 'deep/er')] })
    await server.exited
    expect([lstatSync(join(confined.view.own.home, 'deep')).isDirectory(), existsSync(join(target, 'er'))]).toEqual([true, false])
  })

  it('that is granted the home folder has no secrets of it', async () => {
    const { server, text } = await start(`console.error('ready')`, { read: [home] })
    await server.exited
    for (const name of ['.ssh', '.data', 'Library/Keychains'])
      expect(text).toContain(`(deny file-read* file-map-executable file-write* (subpath "${join(home, name)}"))`)
  })

  it('is not started where a profile could not hold a path', async () => {
    const odd = join(home, 'odd\n(allow default)')
    mkdirSync(odd)
    await expect(start('', { read: [odd] })).rejects.toMatchObject({ code: 'server.sandbox-grant' })
  })
})
