// For the tests of this folder: starts the small programs of e2e/servers/stdio, and checks after each test that nothing
// of what they started is left.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect } from 'vitest'
import { orElse } from '#app/or-else.ts'
import { systemClock } from '#main/base/clock.ts'
import { eventually } from '#main/base/eventually.testing.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import type { ServerProcess } from '#main/servers/process/server-process.ts'
import { defaultLimits, type StdioLimits } from '#main/servers/process/stdio-limits.ts'
import { processGroup } from '#main/servers/process/termination.ts'
import { type LaunchOptions, launchStdio } from './stdio-process.ts'
import type { StdioTransport } from './stdio-transport.ts'

export const program = (name: string): string => fileURLToPath(new URL(`../../../../e2e/servers/stdio/${name}`, import.meta.url))

export interface Launched extends ServerProcess {
  readonly transport: StdioTransport
  readonly messages: JSONRPCMessage[]
  readonly errors: Error[]
  readonly output: { readonly source: string; readonly line: string; readonly droppedBefore: number | undefined }[]
  readonly closed: Promise<void>
}

interface LaunchProgram extends Partial<Omit<LaunchOptions, 'limits'>> {
  readonly limits?: Partial<StdioLimits>
}

/** Grace periods short enough for a test, long enough for a program to end in. */
export const quickGrace = { stdin: 300, terminate: 300, kill: 1000 }

const launched: ServerProcess[] = []

export function launchProgram(name: string, args: readonly string[] = [], options: LaunchProgram = {}): Launched {
  return launch({ command: process.execPath, args: [program(name), ...args], ...options })
}

export function launch(options: LaunchProgram & { readonly command: string; readonly args: readonly string[] }): Launched {
  const server = launchStdio({
    env: {},
    cwd: '/',
    clock: systemClock,
    ...options,
    limits: { ...defaultLimits, grace: quickGrace, ...options.limits },
  })
  launched.push(server)
  const messages: JSONRPCMessage[] = []
  const errors: Error[] = []
  const output: Launched['output'] = []
  const closed = Promise.withResolvers<void>()
  const transport = server.transport as StdioTransport
  transport.onmessage = (message) => void messages.push(message)
  transport.onerror = (error) => void errors.push(error)
  transport.onclose = () => closed.resolve()
  server.onOutput((source, line, droppedBefore) => void output.push({ source, line, droppedBefore }))
  return { ...server, transport, messages, errors, output, closed: closed.promise }
}

/** Whether there is such a process; one that only waits to be reaped is not running. */
export const isProcessRunning = (pid: number): boolean =>
  onWindows
    ? orElse(() => process.kill(pid, 0), false)
    : spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
        .stdout.trim()
        .replace(/^Z.*/, '') !== ''

/** The process ids that programs have written to their stderr as `pid N`. */
export const pidsIn = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => (/^pid \d+$/.test(line) ? [Number(line.slice(4))] : []))

const handles = (): string[] => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap' || kind === 'PipeWrap')
let handlesBefore: string[] = []

beforeEach(() => {
  handlesBefore = handles()
})

afterEach(async () => {
  const servers = launched.splice(0)
  await Promise.all(servers.flatMap((server) => [server.stop(), server.stop()]))
  const pids = servers.flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  expect(pids.filter((pid) => processGroup(pid, process.platform).alive())).toEqual([])
  await eventually(() => expect(handles()).toEqual(handlesBefore))
})
