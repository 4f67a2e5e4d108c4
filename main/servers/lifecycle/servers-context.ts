// Services and settings that the set of servers is given.
import type { Settings } from '#app/settings.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { AuditStore, ServerStore } from '#main/store/store-api.ts'
import type { OwnDocument } from '../auth/client-registration.ts'
import type { Secrets } from '../auth/token-store.ts'
import type { OpenerOptions } from '../client/connection/open-connection.ts'
import type { Inputs } from '../config/inputs/input-values.ts'
import type { Environment } from '../process/environment/environment.ts'
import type { NetworkMonitor } from './network-monitor.ts'

export interface ServersContext
  extends Pick<
    OpenerOptions,
    'clock' | 'trace' | 'version' | 'dataDir' | 'handlers' | 'launchBuiltin' | 'launchCommand' | 'onSecrets' | 'grace'
  > {
  readonly store: ServerStore
  readonly broker: Pick<
    ConsentBroker,
    | 'launch'
    | 'packageInstalled'
    | 'approvedSandbox'
    | 'setSandbox'
    | 'signIn'
    | 'signedInAs'
    | 'accountLoading'
    | 'stillAllowed'
    | 'toolsListed'
    | 'place'
  >
  readonly secrets: Secrets
  /** Sets the tokens of one file's servers apart from those of another's; '' (default): the profile's own file. */
  readonly scope?: string
  readonly openUrl: (url: ApprovedUrl) => Promise<'host' | 'page'>
  /** Client metadata document of this build; default: none. */
  readonly ownDocument?: OwnDocument
  readonly audit: AuditStore
  readonly emit: Emit
  readonly log: Log
  readonly settings: () => Settings
  /** Hides every value of `onSecrets`, and what looks like one. */
  readonly mask?: ((text: string) => string) | undefined
  /** Hides them in the name of a host. */
  readonly maskHost?: ((host: string) => string) | undefined
  /** Environment that servers inherit, and folders where their commands are looked for; default: the login shell's. */
  readonly environment?: Environment
  /** Values of `${env:NAME}` in a definition; default: the person's own, as their terminal has them. */
  readonly variables?: Readonly<Record<string, string | undefined>>
  readonly networkMonitor?: NetworkMonitor
  /** Values of `${input:ID}` in a definition; default: values of this run alone. */
  readonly inputs?: Inputs
  /** Sandbox of all local servers of this run, whatever their entries say; default: as each says. */
  readonly sandbox?: 'on' | 'off' | undefined
  /** Whether the file claims trust for a server, which the person did not answer. */
  readonly claimsTrust?: (name: string) => boolean
  /** Returns `${workspaceFolder}`; default: nothing, which is an error where it is named. */
  readonly folder?: () => string | undefined
}
