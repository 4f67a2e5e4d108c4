// The context of request handlers, what several of them look up, and the map that the contract demands.
import type { Conversation } from '#app/chat/conversation.ts'
import type { RequestInput, RequestName, RequestResult } from '#app/contract/requests.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { History } from '#main/chat/bulk-changes.ts'
import type { Chat } from '#main/chat/chat.ts'
import type { ChatContext } from '#main/chat/chat-context.ts'
import type { Gate } from '#main/chat/gate/gate.ts'
import type { ManualRuns } from '#main/chat/manual-runs.ts'
import type { Bundles } from '#main/install/bundles/bundles.ts'
import type { DeepLinks } from '#main/install/deep-link-queue.ts'
import type { DiscoverServers } from '#main/install/discover-servers.ts'
import type { Registry } from '#main/install/registry/registry.ts'
import type { Platform } from '#main/platform.ts'
import type { Inputs } from '#main/servers/config/inputs/input-values.ts'
import type { AuditAnchor } from '#main/store/audit/audit-anchor.ts'
import type { BlobStore } from '#main/store/store-api.ts'
import type { ServerConfig } from '../servers/config/config-file.ts'

/**
 * Waits for a request to a server. The text of a JSON-RPC error reaches the page as a quotation.
 * @throws {HostError} `server.said-no` when the server answered with an error.
 */
export async function quoteServerError<T>(server: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isProtocolError(error)) throw error
    throw new HostError('server.said-no', t`“${server}” answered with an error.`, {
      data: { server, detail: error.message, protocolCode: error.code },
      cause: error,
    })
  }
}

/** @throws {HostError} `server.unknown` when no server has the name. */
export function knownServer({ servers }: Pick<HostContext, 'servers'>, name: string): string {
  if (!servers.view(name)) throw new HostError('server.unknown', t`There is no server named “${name}”.`, { data: { server: name } })
  return name
}

/** @throws {HostError} `chat.unknown-conversation` when the conversation was deleted. */
export function knownConversation({ store }: Pick<HostContext, 'store'>, id: string): Conversation {
  const conversation = store.conversations.get(id)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This chat was deleted.`, { data: { conversationId: id } })
  return conversation
}

/** The host's parts, composed. Request handlers and the command line use them; nothing else does. */
export interface HostContext extends Pick<ChatContext, 'store' | 'servers' | 'broker' | 'models' | 'emit' | 'clock' | 'log'> {
  /** Bytes of resources that pages show, kept in memory only. */
  readonly viewedContents: BlobStore
  readonly history: History
  readonly config: ServerConfig
  readonly inputs: Inputs
  readonly bundles: Bundles
  readonly deepLinks: DeepLinks
  readonly registry: Registry
  readonly discoverServers: DiscoverServers
  readonly chat: Chat
  readonly manualRuns: ManualRuns
  readonly gate: Gate
  readonly platform: Platform
  /** The environment that the host was started with. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Undefined: this shell keeps no anchor of the audit log. */
  readonly auditAnchor: Pick<AuditAnchor, 'kept' | 'anchor'> | undefined
  readonly revision: () => number
  readonly snapshot: (open?: readonly string[]) => Snapshot
  readonly shown: () => void
  readonly maskKnown: (text: string) => string
  /** Reads the secrets that the profile names, so that they are masked although this run has not met them. */
  readonly readSecrets: () => Promise<void>
  /** Masks that secret too, from now on. */
  readonly noteSecret: (value: string) => void
}

/** The one who sends a request, where it is no window. */
export interface Caller {
  /** Aborts when it does not wait any more: what it began ends. */
  readonly signal: AbortSignal
  /** Id of a joined command. Absent: the command that made this host. */
  readonly joined?: string
}

/** Waits for a request to a server, whose JSON-RPC error is an answer like another. */
export async function answerOrError<T>(work: Promise<T>) {
  try {
    return await work
  } catch (error) {
    if (!isProtocolError(error)) throw error
    const { code, message, data } = error
    return { error: { code, message, ...(data === undefined ? {} : { data: data as Json }) } }
  }
}

/** Result of a handler. Where the contract has an empty one, what the handler returns is dropped (`createDispatch`). */
type HandlerResult<Result> = [Result] extends [Record<string, never>] ? unknown : Result | Promise<Result>

export type Handlers = { readonly [N in RequestName]: (params: RequestInput<N>, caller?: Caller) => HandlerResult<RequestResult<N>> }
/** The handlers of the requests named `<area>.<verb>`. */
export type HandlersOf<Area extends string> = Pick<Handlers, Extract<RequestName, `${Area}.${string}`>>
