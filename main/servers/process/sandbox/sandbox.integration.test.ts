import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
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
const hasEngine = (await sandbox.engine()).kind === 'bubblewrap'

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

async function start(code: string) {
  const { launchStdio } = await import('#main/servers/transport/stdio/stdio-process.ts')
  const path = process.env['PATH'] ?? ''
  const launch = {
    command: process.execPath,
    args: ['-e', `/* ${root} */ ${code}`],
    env: { PATH: path },
    cwd: home,
    path,
    pathSource: 'terminal' as const,
  }
  const confined = await sandbox.confine({ server: 'one', grants: noGrants, launch, onAttempt: () => {} })
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

describe.skipIf(!hasEngine)('a server in its sandbox', () => {
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
    expect(left()).toEqual([])
  })

  it('is told by the signal that ended it', async () => {
    const { server } = await start(`console.error('ready'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)`)
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

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
