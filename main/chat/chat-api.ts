import type { Attachment, UsedPrompt } from '#app/chat/attachments/attachment.ts'
import type { ContextItem, ContextSummary } from '#app/chat/context-summary.ts'
import type { OverdueCall } from '#app/chat/overdue-call.ts'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import type { CallContext } from '#main/servers/client/requests/running-calls.ts'
import type { ServerRequestHandlers } from '#main/servers/client/requests/server-request-handlers.ts'
import type { McpApps } from './mcp-apps/mcp-apps-api.ts'

interface InConversation {
  readonly conversationId: string
  readonly messageId: string
}

/**
 * What is done to messages that are there. All but `fork` throw `chat.busy` while a turn runs; all throw
 * `chat.unknown-message` for one that is not on the path that is shown (`show`: not in the conversation).
 */
export interface Branches {
  /** The person's message in other words, beside what it was, and a turn that answers it. */
  edit(of: InConversation & { readonly text: string }): void
  /** Another answer beside that one, or the first one to a message that has none. `model`: is the conversation's from now on. */
  regenerate(of: InConversation & { readonly model?: string | undefined }): void
  /** The branch through that message, as it was left. */
  show(of: InConversation): void
  /** A question with its answer, or an answer. Returns what went. */
  delete(of: InConversation): { readonly ids: string[] }
  /** Deleted ones; they are shown then. */
  restore(of: { readonly conversationId: string; readonly ids: readonly string[] }): void
  /** A new conversation with a copy of all up to that message. */
  fork(of: InConversation): Promise<{ readonly conversationId: string }>
}

/** All throw `chat.unknown-conversation`; those that change something `chat.busy` while a turn runs. */
export interface ConversationContext {
  view(conversationId: string): ContextSummary
  /** Begins a summary of the older part. Throws `chat.nothing-to-compact`. */
  compact(conversationId: string, keep: string | undefined): void
  changeSummary(
    conversationId: string,
    messageId: string,
    change: { readonly undone?: boolean | undefined; readonly text?: string | undefined },
  ): void
  /** A call's result, or an attachment of a message that is shown. */
  leaveOut(conversationId: string, item: Pick<ContextItem, 'kind' | 'id'>, leftOut: boolean): void
}

export interface Chat {
  /**
   * Writes the person's message and begins a turn; without a conversation it begins one. The turn goes on by itself;
   * how it fares is told by events. While a turn runs the message joins it: the model reads it with the next step, and
   * if there is none it begins the next turn. Throws `chat.unknown-conversation`.
   */
  send(message: {
    readonly conversationId?: string | undefined
    readonly text: string
    readonly attachments?: readonly Attachment[] | undefined
    readonly prompt?: UsedPrompt | undefined
    readonly model?: string | undefined
    /** The folder of chats that it begins in. Throws `chat.unknown-folder`. */
    readonly folderId?: string | undefined
    /** Of a new one: how it asks. It is put on record where it is not what it would be by itself. */
    readonly consentMode?: ConsentMode | undefined
    /** Of a new one: what is switched off in it. */
    readonly tools?: ToolSwitches | undefined
  }): { readonly conversationId: string }
  /** Takes back a message that the model has not read, and returns its text; undefined: it has. */
  withdraw(conversationId: string, messageId: string): string | undefined
  /** The turn no longer waits for servers to start for the first time, nor does a later one of that chat. Nothing when none waits. */
  answerWithout(conversationId: string): void
  /** Cancels the model, the tools and the open questions of the running turn at once. Nothing when none runs. */
  stop(conversationId: string): void
  /** Goes on with a paused, interrupted or failed turn; nothing that ran is run again. Throws `chat.nothing-to-resume`. */
  resume(conversationId: string): void
  readonly branches: Branches
  /** Ends one call that waits or runs; the model reads that it was cancelled, and the turn goes on. */
  cancelCall(conversationId: string, callId: string): void
  /** Gives a call that is overdue another period; may be said again when that is over too. Nothing when it is not overdue. */
  waitForCall(conversationId: string, callId: string): void
  /** Those that the person may wait for or cancel, in the order in which they fell silent. */
  overdue(): readonly OverdueCall[]
  /** At start: what a crash cut off is marked so. Nothing is run. */
  recover(): void
  /** Writes and tells what is still being batched, so that the store is level with the events. For snapshots. */
  flush(conversationId: string): void
  /** What fills the model's context, and what can be done about it. */
  readonly context: ConversationContext
  readonly handlers: ServerRequestHandlers
  /**
   * A call that the person makes themselves, in no conversation, is about to be sent: what its server asks from now on may
   * be asked in its course. Returns its undo.
   */
  joinCall(call: CallContext): () => void
  /** What tools show in frames of their own. */
  readonly mcpApps: McpApps
  /** A page made an image smaller that was asked for (`image.wanted`); undefined: it cannot. */
  scaledImage(sha256: string, bytes: Uint8Array | undefined): void
  /** Asks its model for a title and keeps it. Rejects with `model.*` when it gives none. */
  titleAgain(conversationId: string): Promise<string>
  /** Resolves when no turn of the conversation runs. */
  idle(conversationId: string): Promise<void>
  /** Cuts off what runs; it can be resumed after the next start. */
  dispose(): Promise<void>
}
