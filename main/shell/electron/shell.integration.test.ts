// The Electron shell over the real host and the real demo server. Only Electron is not there: its utility process is
// played by a Node child that speaks over its IPC channel.
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import type { ForkOptions, IpcMainInvokeEvent, UtilityProcess } from 'electron'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channels } from '#app/contract/channels.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { app, resetElectron, utilityProcess } from '../../../e2e/electron-fake/electron.ts'
import { fakeEvent } from '../../../e2e/electron-fake/emitter.ts'
import { invokeFromPage } from '../../../e2e/electron-fake/ipc.ts'
import { FakeProcess } from '../../../e2e/electron-fake/process.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { BrowserWindow } from '../../../e2e/electron-fake/window.ts'
import { runShell } from './shell.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

const demo = resolve(import.meta.dirname, '../../../resources/demo-server')
const children: ChildProcess[] = []
let dataDir: string

function forkNode(_module: string, _args: string[] = [], options: ForkOptions = {}): UtilityProcess {
  const child = fork(join(demo, 'port.ts'), {
    execArgv: ['--import', join(demo, 'testing-parent-port.ts')],
    env: options.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.push(child)
  const process = Object.assign(new EventEmitter(), {
    pid: child.pid,
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => child.kill(),
    postMessage: (message: object) => void child.send(message),
  })
  child.on('spawn', () => process.emit('spawn'))
  child.on('message', (message) => process.emit('message', message))
  child.on('exit', (code) => process.emit('exit', code ?? 15))
  return process as unknown as UtilityProcess // the part of it that the shell uses
}

beforeEach(() => {
  resetElectron()
  dataDir = mkdtempSync(join(tmpdir(), 'assent-electron-'))
  mkdirSync(join(dataDir, 'dist', 'renderer'), { recursive: true })
  writeFileSync(join(dataDir, 'dist', 'renderer', 'index.html'), '<!doctype html>')
  cpSync(join(import.meta.dirname, '../../../resources/tray'), join(dataDir, 'resources', 'tray'), { recursive: true })
  vi.spyOn(utilityProcess, 'fork').mockImplementation(forkNode)
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

test('from start to quit: the demo server runs in its own process, the page is told so, and nothing is left behind', async () => {
  const running = runShell({
    places: { dataDir },
    dist: join(dataDir, 'dist'),
    icon: undefined,
    os: 'linux',
    args: ['--data-dir', dataDir],
    folder: dataDir,
    env: { PATH: process.env['PATH'], ASSENT_NO_KEYRING: '1', XDG_STATE_HOME: process.env['XDG_STATE_HOME'] },
    stderr: new PassThrough(),
    process: new FakeProcess(),
    onShown: () => undefined,
  })
  app.ready.resolve()
  await running
  const [window] = BrowserWindow.open
  if (!window) throw new Error('no window was opened')
  const sender = { sender: window.webContents, senderFrame: window.webContents.mainFrame } as unknown as IpcMainInvokeEvent
  const snapshot = async (): Promise<Snapshot> => {
    const answer = (await invokeFromPage(sender, channels.request, 'app.snapshot', {})) as { result: Snapshot }
    return answer.result
  }

  const first = await snapshot()
  expect([first.shell, first.dataDir]).toEqual([
    { kind: 'electron', os: 'linux', canChooseFolder: true, secrets: 'memory', signedBy: 'file' },
    dataDir,
  ])
  const demoServer = async () => (await snapshot()).servers.find(({ definition }) => definition.transport === 'builtin')
  await expect.poll(async () => (await demoServer())?.state.kind).toBe('ready')
  expect([(await demoServer())?.counts.tools, children.length]).toEqual([7, 1])
  expect(window.webContents.sent.some(({ channel }) => channel === channels.event)).toBe(true)

  app.fire('will-quit', fakeEvent())
  await expect.poll(() => callsOf('app.exit')).toEqual([[0]])
  expect(children.every((child) => child.exitCode !== null || child.signalCode !== null)).toBe(true)
  expect([existsSync(join(dataDir, 'assent.db')), readFileSync(join(dataDir, 'logs', 'assent.log'), 'utf8')]).toEqual([true, ''])
})
