// How a server that ships with Assent is started: a seam, since Electron's run-as-node fuse is off and a utility
// process speaks through a port instead of stdin.
import type { Transport } from '@modelcontextprotocol/client'
import type { Exit } from '#app/server/state.ts'

export interface BuiltinProcess {
  /** Not yet started; the SDK's client starts it. */
  readonly transport: Transport
  readonly pid: number | undefined
  /** Lines of stderr. Returns its undo. */
  onStderr(listener: (line: string) => void): () => void
  readonly exited: Promise<Exit>
  /** Ends it and everything it started; resolves when it is gone. */
  stop(): Promise<Exit>
}

/** `env`: what the module is told about the profile (ASSENT_DEMO_DIR, …). */
export type BuiltinLauncher = (module: 'demo', env: Readonly<Record<string, string>>) => BuiltinProcess
