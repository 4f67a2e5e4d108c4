// Services and settings that the set of servers is given.
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { AuditStore, ServerStore } from '#main/store/store-api.ts'
import type { Secrets } from '../auth/token-store.ts'
import type { Trace } from '../client/connection/trace-context.ts'
import type { ServerRequestHandlers } from '../client/requests/server-request-handlers.ts'
import type { Inputs } from '../config/inputs/input-values.ts'
import type { Environment } from '../process/environment/environment.ts'
import type { BuiltinLauncher, ServerProcess } from '../process/server-process.ts'
import type { ShutdownGrace } from '../process/stdio-limits.ts'
import type { LaunchOptions } from '../transport/stdio/stdio-process.ts'
import type { NetworkMonitor } from './network-monitor.ts'

export interface ServersContext {
  readonly store: ServerStore
  readonly broker: Pick<ConsentBroker, 'launch' | 'packageInstalled' | 'signIn' | 'stillAllowed' | 'toolsListed' | 'place'>
  readonly secrets: Secrets
  /** Sets the tokens of one file's servers apart from those of another's; '' (default): the profile's own file. */
  readonly scope?: string
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  readonly audit: AuditStore
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  readonly handlers: ServerRequestHandlers
  readonly settings: () => Settings
  readonly dataDir: string
  readonly version: string
  readonly launchBuiltin: BuiltinLauncher
  /** Starts a command; default: a process of its own (`launchStdio`). */
  readonly launchCommand?: ((options: LaunchOptions) => ServerProcess) | undefined
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined
  /** Hides every such value, and what looks like one. */
  readonly mask?: ((text: string) => string) | undefined
  /** Environment that servers inherit, and folders where their commands are looked for; default: the login shell's. */
  readonly environment?: Environment
  readonly trace?: Trace | undefined
  /** How long servers may take to end; default: SAFETY's. */
  readonly grace?: ShutdownGrace
  /** Values of `${env:NAME}` in a definition; default: the person's own, as their terminal has them. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  readonly networkMonitor?: NetworkMonitor
  /** Values of `${input:ID}` in a definition; default: values of this run alone. */
  readonly inputs?: Inputs
  /** Whether the file claims trust for a server, which the person did not answer. */
  readonly claimsTrust?: (name: string) => boolean
  /** Returns `${workspaceFolder}`; default: nothing, which is an error where it is named. */
  readonly folder?: () => string | undefined
}
