// A running server process: our own stdio child, or for the built-in server what the shell offers, since Electron's run-as-node
// fuse is off and a utility process has a port in place of stdin. Each process carries a random tag in its environment, inherited
// by its children. The tag identifies processes that left their group, and those of an earlier run.
import { randomBytes } from 'node:crypto'
import type { Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Exit } from '#app/server/server-state.ts'
import type { ShutdownGrace } from './stdio-limits.ts'

export const tagVariable = 'ASSENT_PROCESS_TAG'

export const newTag = (): string => randomBytes(16).toString('hex')

export const isTag = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

export interface ProcessWatch {
  /** A process with this tag is about to be started. */
  expect(tag: string): WatchedProcess
}

export interface WatchedProcess {
  /** Called when it runs; it leads the group of the same number. */
  started(pid: number): void
  /** Called when the start failed, or nothing of it is left. */
  ended(): void
}

export interface ServerProcess {
  /** Transport for the SDK's client, which starts it. `onclose` fires once the process is gone. */
  readonly transport: Transport
  readonly pid: number | undefined
  /** Listens to stderr, and to stdout lines that are not JSON-RPC. `droppedBefore`: lines dropped before this one. Returns its undo. */
  onOutput(listener: (source: 'stderr' | 'stdout', line: string, droppedBefore?: number) => void): () => void
  /** Bytes of stdout so far that are no protocol; absent where no pipe is read. */
  readonly stray?: () => number
  /** Resolves when the process has ended and its last output was passed on, even while a grandchild holds its pipes. Never rejects. */
  readonly exited: Promise<Exit>
  /** Ends it and its descendants (MCP, "Shutdown") in steps (`ShutdownGrace`). Resolves when it is gone. A second call kills at once. */
  stop(): Promise<Exit>
}

/** Observers and grace periods of a child process. Electron's utility process ignores them. */
export interface ProcessCare {
  readonly watches: readonly ProcessWatch[]
  readonly grace?: ShutdownGrace | undefined
}

/** Starts a built-in server. `env`: variables about the profile (ASSENT_DEMO_DIR, …). */
export type BuiltinLauncher = (module: 'demo', env: Readonly<Record<string, string>>, care?: ProcessCare) => ServerProcess

export const noBuiltins: BuiltinLauncher = () => {
  throw new HostError('platform.unavailable', t`The demo server cannot be started here.`)
}
