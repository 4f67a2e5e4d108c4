// What an engine of the sandbox makes of a prepared launch.
import type { SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import type { PreparedLaunch } from '../environment/environment.ts'
import type { StartView } from './attempts/check-path.ts'
import type { Resolve } from './proxy/decide-host.ts'
import type { FindParent, HostAttempt, HostProxy } from './proxy/host-proxy.ts'
import type { SandboxPlace } from './resolve-grants.ts'

/** A launch in its sandbox: what is started in place of the server. */
export interface ConfinedLaunch {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Whether what is started goes on around the server, as bubblewrap does. Seatbelt becomes the server. */
  readonly wraps: boolean
  /** Environment of what is started, and what is written to its descriptors from 3 on. The tag gets to the server by one of them. */
  readonly tagged: (tag: string) => { readonly env: Readonly<Record<string, string>>; readonly input: readonly Buffer[] }
  /** Changes what the running server may reach. */
  readonly proxy: Pick<HostProxy, 'allow' | 'deny' | 'watchOpen'>
  /** File system as the server sees it, and the paths that are denied whatever is granted. */
  readonly view: StartView & Pick<SandboxGrants, 'denyRead' | 'denyWrite'>
  /** Closes the proxy and removes what was made for this start. May be called twice. */
  readonly dispose: () => void
}

export interface ConfineRequest {
  readonly server: string
  /** Approved grants, with links resolved. */
  readonly grants: SandboxGrants
  readonly launch: PreparedLaunch
  readonly onAttempt: (attempt: HostAttempt) => void
}

export interface ConfineSurroundings {
  readonly place: SandboxPlace
  /** Folder of the server's own, in the data folder. */
  readonly folder: string
  /** Resolves names for the proxy; default: the system. */
  readonly resolve: Resolve | undefined
  /** Finds the person's own proxy of an address. */
  readonly findParent: FindParent | undefined
}
