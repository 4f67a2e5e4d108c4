import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { createSandbox } from './sandbox.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-sandbox-')))
const [home, dataDir] = [join(root, 'home'), join(root, 'home/.data')]
mkdirSync(dataDir, { recursive: true })
afterAll(() => rmSync(root, { recursive: true, force: true }))
const sandbox = createSandbox({ dataDir, home })
const definition: StdioDefinition = {
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: 'node',
  args: [],
  env: {},
}
const { kind: engine } = await sandbox.engine()

/** Processes whose argument list names this run. */
const left = (): string[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
      return line.includes(root) && Number(pid) !== process.pid ? [line] : []
    } catch {
      return [] // It has ended.
    }
  })

async function start(code: string, grants: Partial<SandboxGrants> = {}, path = process.env['PATH'] ?? '') {
  const { launchStdio } = await import('#main/servers/transport/stdio/stdio-process.ts')
  const launch = {
    command: process.execPath,
    args: ['-e', `/* ${root} */ ${code}`],
    env: { PATH: path },
    cwd: home,
    path,
    pathSource: 'terminal' as const,
  }
  const confined = await sandbox.confine({ server: 'one', grants: { ...noGrants, ...grants }, launch, onAttempt: () => {} })
  const server = launchStdio({ ...launch, clock: systemClock, confined, limits: { grace: { stdin: 200, terminate: 5000, kill: 2000 } } })
  const said: string[] = []
  const ready = new Promise<void>((resolve) =>
    server.onOutput((_, line) => {
      said.push(line)
      if (line === 'ready') resolve()
    }),
  )
  await server.transport.start()
  await ready
  return { server, said }
}

describe.skipIf(engine === 'none')('a server in its sandbox', () => {
  it('is said to begin in a home folder of its own in place of the person’s', async () => {
    const folderOf = async (cwd: string) =>
      (await sandbox.propose({ definition: { ...definition, sandbox: { kind: 'on', grants: noGrants } }, cwd })).sandbox
    expect([await folderOf(home), await folderOf(join(root, 'project'))]).toMatchObject([{ ownFolder: true }, { ownFolder: false }])
  })

  it('gets SIGTERM itself, and ends in its own way', async () => {
    const { server, said } = await start(
      `process.on('SIGTERM', () => { console.error('goodbye'); process.exit(3) }); setInterval(() => {}, 1000); console.error('ready')`,
    )
    expect([await server.stop(), said]).toEqual([{ code: 3, signal: null }, ['ready', 'goodbye']])
    if (engine === 'bubblewrap') expect(left()).toEqual([])
  })

  it('is told by the signal that ended it', async () => {
    const { server } = await start(`console.error('ready'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)`)
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('runs a program of PATH that a version manager puts in front of the one that it starts', async () => {
    for (const name of ['shims', 'libexec']) mkdirSync(join(home, '.pyenv', name), { recursive: true })
    const program = (name: string, line: string) => writeFileSync(join(home, '.pyenv', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    program('libexec/pyenv', 'echo 3.13.0')
    program('shims/python3', `exec ${join(home, '.pyenv/libexec/pyenv')} exec python3`)
    const code = `console.error(require('child_process').spawnSync('python3').stdout?.toString().trim()); console.error('ready')`
    const { server, said } = await start(code, {}, `${join(home, '.pyenv/shims')}:/usr/bin:/bin`)
    await server.exited
    expect(said).toEqual(['3.13.0', 'ready'])
  })

  it('reads, writes and reaches what it was granted, and nothing else', async () => {
    const [r, w] = [join(root, 'r'), join(root, 'w')]
    for (const folder of [join(r, 'private'), join(w, '.git/hooks'), join(w, 'fixed'), join(root, 'beside')]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'file'), 'S3CRET')
    }
    writeFileSync(join(w, '.git/HEAD'), 'ref: refs/heads/main')
    writeFileSync(join(r, 'file'), 'S3CRET')
    const sites = [0, 1].map(() => createServer((_, response) => response.end('S3CRET')).listen(0, '127.0.0.1'))
    await Promise.all(sites.map((site) => once(site, 'listening')))
    const [granted, other] = sites.map((site) => `localhost:${(site.address() as AddressInfo).port}`)
    const code = `
      const fs = require('fs'); const [r, w, root, granted, other] = ${JSON.stringify([r, w, root, granted, other])};
      const can = (work) => { try { return work() !== false } catch { return false } };
      const reads = (path) => can(() => fs.readFileSync(path, 'utf8') === 'S3CRET');
      const writes = (path) => can(() => fs.writeFileSync(path, 'x'));
      const reaches = (url) => fetch(url).then((answer) => answer.text()).then((text) => text === 'S3CRET', () => false);
      const direct = (to) => new Promise((resolve) => require('net').connect(to.split(':')[1], '127.0.0.1').on('connect', () => resolve(true)).on('error', () => resolve(false)));
      (async () => { const done = {
        read: reads(r + '/file'), write: writes(w + '/new'), own: writes(process.env.HOME + '/own'), temporary: writes(process.env.TMPDIR + '/own'), reach: await reaches('http://' + granted),
        readBeside: reads(root + '/beside/file'), readDenied: reads(r + '/private/file'), writeRead: writes(r + '/file'), writeBeside: writes(root + '/beside/new'),
        writeDenied: writes(w + '/fixed/file'), writeHook: writes(w + '/.git/hooks/file'), moveGit: can(() => fs.renameSync(w + '/.git', w + '/moved')),
        link: can(() => fs.linkSync(r + '/file', w + '/linked')), reachOther: await reaches('http://' + other), direct: await direct(other),
      }; console.error(JSON.stringify(done)); console.error('ready') })()`
    const grants = { read: [r], write: [w], denyRead: [join(r, 'private')], denyWrite: [join(w, 'fixed')], hosts: [granted ?? ''] }
    const { server, said } = await start(code.replaceAll('\n', ' '), grants)
    await server.exited
    for (const site of sites) site.close()
    const done = Object.entries(JSON.parse(said[0] ?? '{}'))
    expect(done.length).toBe(15)
    expect(done.flatMap(([name, could]) => (could ? [name] : []))).toEqual(['read', 'write', 'own', 'temporary', 'reach'])
  })
})

describe.skipIf(engine !== 'bubblewrap')('a server in bubblewrap, which has its processes to itself', () => {
  it('leaves nothing behind that it started itself, nor its folder for temporary files', async () => {
    const { server } = await start(
      `require('child_process').spawn(process.execPath, ['-e', '/* ${root} */ setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore', env: {} }).unref(); console.error('ready'); setTimeout(() => process.exit(0), 100)`,
    )
    await server.exited
    await expect.poll(left).toEqual([])
    const [own = ''] = readdirSync(join(dataDir, 'sandbox'))
    await expect.poll(() => readdirSync(join(dataDir, 'sandbox', own))).toEqual(['home'])
  })

  it('ends with a host that is killed', async () => {
    const script = `
      const { createSandbox } = await import('#main/servers/process/sandbox/sandbox.ts')
      const { launchStdio } = await import('#main/servers/transport/stdio/stdio-process.ts')
      const { systemClock } = await import('#main/base/clock.ts')
      const [home, dataDir, root] = ${JSON.stringify([home, dataDir, root])}
      const path = process.env.PATH
      const launch = { command: process.execPath, args: ['-e', '/* ' + root + ' */ console.error("ready"); setInterval(() => {}, 1000)'], env: { PATH: path }, cwd: home, path, pathSource: 'terminal' }
      const grants = { read: [], write: [], denyRead: [], denyWrite: [], hosts: [], denyHosts: [] }
      const confined = await createSandbox({ dataDir, home }).confine({ server: 'two', grants, launch, onAttempt() {} })
      const server = launchStdio({ ...launch, clock: systemClock, confined })
      server.onOutput((_, line) => console.log(line))
      await server.transport.start()
    `
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: process.cwd(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => host.stdout.once('data', resolve))
    expect(left().length).toBeGreaterThan(2)
    host.kill('SIGKILL')
    await expect.poll(left, { timeout: 5000 }).toEqual([])
  })
})
