// What the parts of the chat share: the host's seams, and the record of what runs.

import type { Message } from '#app/chat/message.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { Settings } from '#app/settings.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import type { Log } from '#main/base/host-log.ts'
import type { ApprovedUrl } from '#main/consent/approved.ts'
import type { ConsentBroker } from '#main/consent/broker-api.ts'
import type { Models } from '#main/models/models-api.ts'
import type { Servers } from '#main/servers/lifecycle/servers-api.ts'
import type { Store } from '#main/store/store-api.ts'

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
  /** Whether somebody may be there to say “wait” for a call that is overdue; default: yes. Else it ends at its timeout. */
  readonly attended?: boolean
  /** Told of each call that gives no word for its time. */
  readonly onOverdue?: (call: OverdueCall) => void
  /** Told of every error that a turn meets, so that the host learns of a disk that is full. */
  readonly onError?: (error: unknown) => void
}

/** Commits them as one, and tells each. */
export function putMessages({ store, emit }: Pick<ChatContext, 'store' | 'emit'>, messages: readonly Message[]): void {
  store.transaction(() => {
    for (const message of messages) store.conversations.putMessage(message)
  })
  for (const message of messages) emit('message.changed', { message })
}
