// A computer for one escape: a home folder with secrets, a data folder, granted folders, and what listens outside. The same program runs
// in the sandbox and outside of it: a row counts only if it succeeds there.
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { memoryServerStore } from '#main/servers/lifecycle/connection-test/connection-test.ts'
import { createAttemptJournal } from '#main/servers/process/sandbox/attempts/attempt-journal.ts'
import { createSandboxMonitor, type SandboxMonitor } from '#main/servers/process/sandbox/attempts/sandbox-monitor.ts'
import type { HostAttempt } from '#main/servers/process/sandbox/proxy/host-proxy.ts'
import { resolveGrants } from '#main/servers/process/sandbox/resolve-grants.ts'
import { createSandbox, type Sandbox } from '#main/servers/process/sandbox/sandbox.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { realPorts } from '../../internet.ts'

/** What a secret file holds. */
export const secret = 'S3CRET'

export interface Scene {
  readonly home: string
  readonly dataDir: string
  /** Granted to read, and to write. */
  readonly r: string
  readonly w: string
  /** A folder of the computer that nothing grants. */
  readonly elsewhere: string
  readonly port: number
  readonly port6: number
  readonly udp: number
  readonly lan: string
  readonly socket: string
  /** A process outside, with a secret in its environment. */
  readonly pid: number
  /** Hosts that the proxy was asked for, with what became of it. */
  readonly attempts: string[]
  /** Names that were looked up. */
  readonly lookups: string[]
  readonly connections: () => number
}

export interface Run {
  /** Program of Node or Python. `scene`, an object, is there as a variable. */
  readonly code: string
  readonly lang?: 'node' | 'python'
  readonly env?: Readonly<Record<string, string>> | ((scene: Scene) => Readonly<Record<string, string>>)
  readonly grants?: (scene: Scene) => Partial<SandboxGrants>
  /** Done outside while the program runs, each time it writes a line `ready`. */
  readonly meanwhile?: (scene: Scene) => void
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Another start before this one, of the same server unless it names another. */
  readonly before?: Pick<Run, 'code' | 'grants' | 'server'>
  readonly server?: string
}

export const put = (path: string, text = secret): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim()

// biome-ignore format: a list reads better in rows
const secrets = [
  '.ssh/id_ed25519', '.gnupg/key', '.aws/credentials', '.config/gcloud/token', '.kube/config', '.docker/config.json',
  '.netrc', '.git-credentials', '.npmrc', '.mozilla/firefox/logins.json', '.config/google-chrome/Cookies',
  '.bash_history', '.local/share/keyrings/login.keyring', 'private/note.txt', '.profile',
  '.config/autostart/a.desktop', '.gitconfig',
]

/** Address of this computer in its network. */
export const lanAddress =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.2'

const listening = async (server: Server, at: object): Promise<void> => new Promise((resolve) => server.listen(at, () => resolve()))

/** Runs `use` on a new computer, and takes it away again. */
export async function onScene<T>(use: (scene: Scene) => Promise<T>): Promise<T> {
  // `npm test` keeps temporary files in memory, below `/dev`, where nothing is granted.
  mkdirSync('test-results', { recursive: true })
  const root = realpathSync(mkdtempSync(join('test-results', 'escape-')))
  const home = join(root, 'home')
  const dataDir = join(home, '.local/share/assent')
  for (const name of secrets) put(join(home, name))
  put(join(dataDir, 'assent.db'))
  put(join(dataDir, 'sandbox/other-0123456789ab/home/token'))
  const [r, w, elsewhere] = [join(home, 'r'), join(home, 'w'), join(root, 'elsewhere')]
  put(join(r, 'inner/id_ed25519'), 'harmless')
  put(join(elsewhere, 'id_ed25519'))
  for (const folder of [w, join(w, 'sub/repo')]) {
    put(join(folder, 'text.txt'), 'mine')
    put(join(folder, '.git/config'), '[core]\n')
    put(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n')
    mkdirSync(join(folder, '.git/hooks'))
  }
  put(join(w, '.vscode/tasks.json'), '{}')
  mkdirSync(join(w, 'plain'))
  const socket = join(root, 'daemon.sock')
  let connections = 0
  const servers = Array.from({ length: 3 }, () =>
    createServer((client) => {
      connections += 1
      client.on('error', () => {})
      client.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${secret}`)
    }),
  ) as [Server, Server, Server]
  await listening(servers[0], { port: 0, host: '0.0.0.0' })
  await listening(servers[1], { port: 0, host: '::1' })
  await listening(servers[2], { path: socket })
  const udp = createSocket('udp4')
  udp.on('message', (_, from) => udp.send(secret, from.port, from.address))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const sleeper = spawn('/bin/sleep', ['600'], { env: { SECRET: secret }, stdio: 'ignore' })
  const portOf = (server: Server): number => (server.address() as { port: number }).port
  const port = portOf(servers[0])
  realPorts.add(port)
  // biome-ignore format: facts in rows
  const scene: Scene = {
    home, dataDir, r, w, elsewhere, port, port6: portOf(servers[1]), udp: udp.address().port, lan: lanAddress, socket, pid: sleeper.pid ?? 0, attempts: [], lookups: [],
    connections: () => connections,
  }
  try {
    return await use(scene)
  } finally {
    realPorts.delete(port)
    sleeper.kill('SIGKILL')
    udp.close()
    for (const server of servers) server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function launchOf({ code, lang = 'node', env = {} }: Run, scene: Scene) {
  const facts = JSON.stringify({ ...scene, connections: 0 })
  const text = lang === 'node' ? `const scene = ${facts};\n${nodeHelpers}${code}` : `scene = ${facts}\n${pythonHelpers}${code}`
  const command = lang === 'node' ? process.execPath : python
  // No command line may hold a line break.
  const file = join(scene.home, '../program', lang === 'node' ? 'probe.cjs' : 'probe.py')
  put(file, text)
  const path = `${dirname(command)}:/usr/bin:/bin`
  const more = typeof env === 'function' ? env(scene) : env
  return {
    command,
    args: [file],
    env: { PATH: path, HOME: scene.home, ...more },
    path: { PATH: path, ...more }.PATH,
    cwd: scene.home,
    pathSource: 'terminal' as const,
  }
}

/** Each helper says what it got; a secret among that is the escape. */
const nodeHelpers = `
const fs = require('fs'), net = require('net'), http = require('http'), cp = require('child_process'), os = require('os'), path = require('path')
const say = (x) => console.error(String(x && x.message || x).replaceAll('\\n', ' '))
const tell = (f) => { try { say(f()) } catch (e) { say(e) } }
const read = (p) => tell(() => fs.readFileSync(p, 'utf8'))
const write = (p) => tell(() => { fs.mkdirSync(path.dirname(p), { recursive: true }); fs.writeFileSync(p, 'ESCAPED') })
const dial = (to) => { const s = net.connect(to); s.setTimeout(1500, () => s.destroy(new Error('timeout'))); s.on('data', say); s.on('error', say); s.on('connect', () => s.write('GET / HTTP/1.0\\r\\n\\r\\n')); }
const after = (f) => { say('ready'); const t = setInterval(() => { if (!fs.existsSync(scene.w + '/go')) return; clearInterval(t); f() }, 20) }
const proxyPort = Number(/:(\\d+)$/.exec(process.env.HTTP_PROXY || '')?.[1] || 1)
const raw = (text, then) => { const s = net.connect(proxyPort, '127.0.0.1'); let got = ''; s.setTimeout(4000, () => s.destroy()); s.on('data', (d) => { got += d; if (then && /200 Conn/.test(got)) { s.write(then); then = '' } }); s.on('error', say); s.on('close', () => say(got)); s.write(text) }
const tunnel = (authority) => raw('CONNECT ' + authority + ' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', 'GET / HTTP/1.0\\r\\n\\r\\n')
const sh = (c) => tell(() => cp.execSync(c, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 8000 }))
`
const pythonHelpers = `
import os, sys, ctypes, socket, errno
libc = ctypes.CDLL(None, use_errno=True)
def say(x): print(str(x).replace(chr(10), ' '), file=sys.stderr, flush=True)
def after():
    import time
    say('ready')
    while not os.path.exists(scene['w'] + '/go'): time.sleep(0.02)
def call(*a):
    r = libc.syscall(*[ctypes.c_long(x) if isinstance(x, int) else x for x in a])
    return r, errno.errorcode.get(ctypes.get_errno(), '') if r == -1 else ''
`

async function finish(process: ReturnType<typeof launchStdio>, run: Run, scene: Scene, wrote?: (line: string) => void): Promise<string> {
  const lines: string[] = []
  process.onOutput((_, line) => {
    if (line === 'ready') {
      run.meanwhile?.(scene)
      put(join(scene.w, 'go'))
    }
    lines.push(line)
    wrote?.(line)
  })
  await process.transport.start()
  const timer = setTimeout(() => void process.stop(), 12_000)
  await process.exited
  clearTimeout(timer)
  return lines.join('\n')
}

/** Output of the program in the sandbox, or the refusal to start it. */
export async function inside(run: Run, scene: Scene, watch?: (sandbox: Sandbox) => SandboxMonitor): Promise<string> {
  const { before, ...later } = run
  if (before) await inside({ ...later, ...before }, scene)
  const counts = new Map<string, number>()
  const sandbox = createSandbox({
    dataDir: scene.dataDir,
    home: scene.home,
    resolve: async (host) => {
      scene.lookups.push(host)
      const answers = run.names?.[host] ?? []
      const count = counts.get(host) ?? 0
      counts.set(host, count + 1)
      return answers[Math.min(count, answers.length - 1)] ?? []
    },
  })
  try {
    const place = { home: scene.home, dataDir: scene.dataDir }
    const grants = resolveGrants({ ...noGrants, read: [scene.r], write: [scene.w], ...run.grants?.(scene) }, place)
    const monitor = watch?.(sandbox)
    const onAttempt = (attempt: HostAttempt): void => {
      scene.attempts.push(`${attempt.host}:${attempt.port} ${attempt.refused ?? 'reached'}`)
      monitor?.onAttempt(attempt)
    }
    const launch = launchOf(run, scene)
    const confined = await sandbox.confine({ server: run.server ?? 'probe', grants, launch, onAttempt })
    monitor?.began(confined)
    return await finish(launchStdio({ ...launch, clock: systemClock, confined }), run, scene, monitor?.wrote)
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Attempts of a program in the sandbox, as the page is told of them. */
export async function listed(run: Run, scene: Scene): Promise<ListedAttempt[]> {
  const nothing = (): void => {}
  const store = memoryServerStore()
  const journal = createAttemptJournal({ server: 'probe', store, clock: systemClock, onChange: nothing, onUnwritten: nothing })
  let allowance: Sandbox['allowance'] | undefined
  await inside(run, scene, (sandbox) => {
    allowance = sandbox.allowance
    return createSandboxMonitor({ journal, clock: systemClock })
  })
  return journal.list().map((one) => ({ ...one, allowance: allowance?.(one) ?? 'never' }))
}

export async function outside(run: Run, scene: Scene): Promise<string> {
  const { before, ...later } = run
  if (before) await outside({ ...later, ...before }, scene)
  run.grants?.(scene) // What it lays is there outside too.
  return finish(launchStdio({ ...launchOf(run, scene), clock: systemClock }), run, scene)
}

export const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Listens on an abstract socket of this computer for a moment. */
export function listenAbstract({ port }: Scene): void {
  const server = createServer((client) => client.end(secret))
  server.on('error', () => {})
  server.listen(`\0assent-escape-${port}`)
  setTimeout(() => server.close(), 2000).unref()
}

/** Whether a file is there within 2.5 s. */
export async function comesLater(path: string): Promise<boolean> {
  for (let waited = 0; waited < 2500; waited += 100) {
    if (existsSync(path)) return true
    await wait(100)
  }
  return false
}
