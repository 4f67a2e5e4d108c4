// Runs the command line as a script does: without a terminal, in surroundings of its own; in a process of its own where that
// is the point, else one after the other in one process that has read our code (`testing-runner.ts`).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homeVariables } from '#main/base/this-system.testing.ts'
import { makeSceneFolder } from '#main/servers/process/sandbox/scene-folder.testing.ts'
import { isBuilt } from '../../../scripts/build-if-needed.ts'
import type { RunnerRequest } from './cli-runner.testing.ts'

const root = join(import.meta.dirname, '../../..')
/** The command line: as it was built, where that is of this code, since it starts in half of the processor time. */
export const entry = isBuilt(root) ? join(root, 'dist/main/cli.js') : join(import.meta.dirname, 'main.ts')
const runnerProgram = join(import.meta.dirname, 'cli-runner.testing.ts')
export const everythingServer = {
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
}

/** The command line with servers that have no sandbox, unless it says. A command that may join a running host cannot say. */
export const withoutSandbox = (args: readonly string[]): readonly string[] =>
  (args.includes('--config') || args[0] === 'serve') && args[0] !== 'secret' && !args.some((arg) => arg.startsWith('--sandbox'))
    ? [...args, '--sandbox', 'off']
    : args

interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliBench {
  readonly folder: string
  /** Writes an `mcpServers` file and returns its path. */
  config(servers: Record<string, unknown>): string
  /** In a process of its own. */
  run(args: readonly string[], env?: Record<string, string>): Promise<CliRun>
  /** After those before it, in one process. */
  runShared(args: readonly string[], env?: Record<string, string>, more?: Omit<RunnerRequest, 'args' | 'env'>): Promise<CliRun>
  start(args: readonly string[], env?: Record<string, string>, stdin?: 'ignore' | 'pipe'): ChildProcess
  /** Profiles that runs made for themselves and did not remove. */
  leftovers(): string[]
  remove(): Promise<void>
}

/** `sandboxed`: sandboxes as a person's command line has them; default: none. */
export function makeCliBench({ sandboxed = false } = {}): CliBench {
  const line = sandboxed ? (args: readonly string[]) => args : withoutSandbox
  const folder = sandboxed ? makeSceneFolder() : mkdtempSync(join(tmpdir(), 'assent-cli-'))
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  let files = 0
  const env = (extra: Record<string, string> = {}): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    ...homeVariables(folder),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    ASSENT_DATA_DIR: '',
    ASSENT_NO_KEYRING: '1',
    ...(process.env['NODE_COMPILE_CACHE'] ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } : {}),
    ...extra,
  })
  const start = (args: readonly string[], extra?: Record<string, string>, stdin: 'ignore' | 'pipe' = 'ignore') =>
    spawn(process.execPath, [entry, ...line(args)], { env: env(extra), cwd: folder, stdio: [stdin, 'pipe', 'pipe'] })
  const runner = createRunner(() =>
    spawn(process.execPath, [runnerProgram], { env: env(), cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
  )
  let last: Promise<unknown> = Promise.resolve()
  return {
    folder,
    config(servers) {
      files += 1
      const path = join(folder, `servers-${files}.json`)
      writeFileSync(path, JSON.stringify({ mcpServers: servers }))
      return path
    },
    runShared(args, extra, more) {
      const next = last.then(() => runner.run({ ...more, args: line(args), env: env(extra) }))
      last = next.catch(() => undefined)
      return next
    },
    async run(args, extra) {
      const child = start(args, extra)
      let stdout = ''
      let stderr = ''
      child.stdout?.setEncoding('utf8').on('data', (text) => {
        stdout += text
      })
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        stderr += text
      })
      const [code] = await once(child, 'close')
      return { code, stdout, stderr }
    },
    start,
    leftovers: () => readdirSync(temporary).filter((name) => name.startsWith('assent-')),
    async remove() {
      await runner.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Started at its first run, and again when it has ended. One run at a time. */
function createRunner(start: () => ChildProcess) {
  let child: ChildProcess | undefined
  return {
    run(request: RunnerRequest): Promise<CliRun> {
      const runner = child ?? start()
      child = runner
      return new Promise((resolve, reject) => {
        const settle = (act: () => void): void => {
          runner.off('message', onMessage).off('exit', onExit)
          act()
        }
        const onMessage = (run: unknown): void => settle(() => resolve(run as CliRun))
        const onExit = (code: number | null): void => {
          child = undefined
          settle(() => reject(new Error(`the runner ended with ${code}`)))
        }
        runner.on('message', onMessage).on('exit', onExit)
        runner.send(request)
      })
    },
    async stop(): Promise<void> {
      if (!child) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** The one JSON value that stdout is; throws when there is anything else on it. */
export const onlyJson = (run: CliRun): unknown => JSON.parse(run.stdout)
export const jsonLines = (run: CliRun): Record<string, unknown>[] =>
  run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
