// A running server process behind one shape, whoever starts it: our own stdio child, or (for the server that ships with Assent)
// whatever the shell offers, since Electron's run-as-node fuse is off and a utility process speaks through a port instead of
// stdin. Each process that we start carries a random tag in its environment, and so does whatever it starts in turn. By it we
// know our own again: those that have left their process group, and those that an earlier run of Assent left behind.
import { randomBytes } from 'node:crypto'
import type { Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Exit } from '#app/server/server-state.ts'
import type { ShutdownGrace } from './stdio-limits.ts'

export const tagVariable = 'ASSENT_PROCESS_TAG'

/** 128 bits in hex: nobody has the same by chance. */
export const newTag = (): string => randomBytes(16).toString('hex')

export const isTag = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Told of each process that we start: before it is there, once it is, and when nothing of it is left. */
export interface ProcessWatch {
  /** A process with this tag is about to be started. */
  expect(tag: string): WatchedProcess
}

interface WatchedProcess {
  /** It runs, and leads the group of the same number. */
  started(pid: number): void
  /** It was not started after all, or nothing of it is left. */
  ended(): void
}

export interface ServerProcess {
  /** Not yet started; the SDK's client starts it. Its `onclose` fires once the process is gone. */
  readonly transport: Transport
  readonly pid: number | undefined
  /**
   * Lines that are not protocol: of stderr, and of stdout when they are not JSON-RPC. `droppedBefore`: so many lines just
   * before this one were too many to pass on. Returns its undo.
   */
  onOutput(listener: (source: 'stderr' | 'stdout', line: string, droppedBefore?: number) => void): () => void
  /** Resolves when the process itself has ended and its last output was passed on, also while a grandchild still holds its pipes. Never rejects. */
  readonly exited: Promise<Exit>
  /** Ends it and everything it started (SAFETY: stdin end → 2 s → SIGTERM → 2 s → SIGKILL to the group); resolves when it is gone. Twice means at once. */
  stop(): Promise<Exit>
}

/** How a child of ours ends. A shell whose processes are not ours to signal (Electron's utility process) passes it over. */
export interface ProcessCare {
  /** Told of it before it is there: what ends it should the host be killed, and what knows it again at the next start. */
  readonly watches: readonly ProcessWatch[]
  /** Default: SAFETY's. */
  readonly grace?: ShutdownGrace | undefined
}

/** `env`: what the module is told about the profile (ASSENT_DEMO_DIR, …). */
export type BuiltinLauncher = (module: 'demo', env: Readonly<Record<string, string>>, care?: ProcessCare) => ServerProcess

export const noBuiltins: BuiltinLauncher = () => {
  throw new HostError('platform.unavailable', t`The server that comes with Assent cannot be started in this shell.`)
}
