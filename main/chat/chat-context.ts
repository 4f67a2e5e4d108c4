import type { Message } from '#app/chat/message.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { Models } from '#main/models/models-api.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Store } from '#main/store/store-api.ts'

/** The parts of the host that the chat works with. */
export interface ChatContext {
  readonly store: Store
  readonly servers: Servers
  readonly broker: ConsentBroker
  readonly models: Models
  readonly emit: Emit
  readonly clock: Clock
  readonly log: Log
  readonly settings: () => Settings
  /** Opens a page that a server asked for and the person allowed (`Platform.openUrl`). Absent: such requests are cancelled. */
  readonly openUrl?: (url: ApprovedUrl) => Promise<unknown>
  /** Folders, by absolute path, that a server is told of once the person agrees. Absent or none: servers are told “none”, unasked. */
  readonly roots?: (server: string, conversationId: string | undefined) => readonly string[]
  /** Whether a person may be there to wait for an overdue call; default: yes. Without one it ends at its timeout. */
  readonly attended?: boolean
  readonly onOverdue?: (call: OverdueCall) => void
  /** Called with each error that a turn meets, so that the host learns of a full disk. */
  readonly onError?: (error: unknown) => void
}

/** Commits the messages in one transaction, then emits each. */
export function putMessages({ store, emit }: Pick<ChatContext, 'store' | 'emit'>, messages: readonly Message[]): void {
  store.transaction(() => {
    for (const message of messages) store.conversations.putMessage(message)
  })
  for (const message of messages) emit('message.changed', { message })
}
