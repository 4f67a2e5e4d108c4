// What a request handler gets, and the map that the contract demands: a request without a handler does not compile.
import type { RequestInput, RequestName, RequestResult } from '#app/contract/requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/log.ts'
import type { Chat } from '#main/chat/types.ts'
import type { ConsentBroker } from '#main/consent/types.ts'
import type { HandRuns } from '#main/host/by-hand/runs.ts'
import type { History } from '#main/host/history.ts'
import type { Outside } from '#main/host/outside.ts'
import type { RecordSeal } from '#main/host/record-seal.ts'
import type { Models } from '#main/models/types.ts'
import type { Platform } from '#main/platform.ts'
import type { Bundles } from '#main/servers/bundles/bundles.ts'
import type { Inputs } from '#main/servers/inputs/inputs.ts'
import type { Registry } from '#main/servers/registry/registry.ts'
import type { ServerConfig, Servers } from '#main/servers/types.ts'
import type { BlobStore, Store } from '#main/store/types.ts'

/** The host's parts, composed. Request handlers and the command line use them; nothing else does. */
export interface HostParts {
  readonly store: Store
  /** Bytes of resources that pages show; not in the profile. */
  readonly lookedAt: BlobStore
  readonly history: History
  readonly broker: ConsentBroker
  readonly config: ServerConfig
  readonly inputs: Inputs
  readonly bundles: Bundles
  readonly outside: Outside
  readonly servers: Servers
  readonly registry: Registry
  readonly models: Models
  readonly chat: Chat
  readonly handRuns: HandRuns
  readonly platform: Platform
  /** The environment that the host was started with. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined: this shell keeps nothing of the record elsewhere. */
  readonly seal: Pick<RecordSeal, 'kept' | 'seal'> | undefined
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  readonly revision: () => number
  readonly snapshot: (open?: readonly string[]) => Snapshot
  /** A page says that the person sees it. */
  readonly shown: () => void
}

export type Handlers = {
  readonly [N in RequestName]: (params: RequestInput<N>) => RequestResult<N> | Promise<RequestResult<N>>
}
/** The handlers of the requests named `<area>.<verb>`. */
export type HandlersOf<Area extends string> = Pick<Handlers, Extract<RequestName, `${Area}.${string}`>>
