// A running server process behind one shape, whoever starts it: our own stdio child, or (for the server that ships with
// Assent) whatever the shell offers, since Electron's run-as-node fuse is off and a utility process speaks through a
// port instead of stdin.
import type { Transport } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import type { Exit } from '#app/server/state.ts'
import { t } from '#app/words/translate.ts'
import type { ProcessWatch } from './processes/tag.ts'
import type { ShutdownGrace } from './stdio/limits.ts'

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
