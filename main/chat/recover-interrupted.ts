// Marks what a crash or a quit cut off. Nothing is run: a call that had been sent has an unknown outcome.
import type { ConversationActivity } from '#app/chat/conversation.ts'
import type { AssistantMessage, Message, SummaryMessage, ToolCall } from '#app/chat/message.ts'
import { isCallEnded, nextCallState, type ToolCallEvent } from '#app/chat/next-call-state.ts'
import type { ManualRun } from '#app/chat/tools/manual-run.ts'
import { toErrorValue } from '#app/errors.ts'
import { isLocal } from '#app/server/definition.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { PendingTask } from '#main/store/server-memory.ts'
import { type ChatContext, putMessages } from './chat-context.ts'
import { callsIn, mapCalls } from './message-calls.ts'
import { toToolResult } from './results/store-result.ts'
import { updateConversation } from './turn-activity.ts'

/** Returns the message with every call at an end; the same object when none was open. */
export function settleInterrupted(message: AssistantMessage): AssistantMessage {
  const cut = message.state === 'streaming'
  if (!cut && callsIn(message).every((call) => isCallEnded(call.state))) return message
  const parts = mapCalls(message.parts, (call) => ({ ...call, state: nextCallState(call.state, { kind: 'cut-off' }) }))
  return { ...message, parts, ...(cut ? { state: 'interrupted' as const } : {}) }
}

/** Whether the turn was only a summary that the person asked for: then there is nothing to resume. */
function wasSummarising({ store }: Context, id: string, turnId: string): boolean {
  const own = store.conversations.messages(id).filter((message) => message.turnId === turnId)
  return own.length > 0 && own.every((message) => message.role === 'summary' && message.by === 'person')
}

/** A summary that was cut off is not in force: the model reads everything, as before. */
export const settleSummary = (message: SummaryMessage): SummaryMessage =>
  message.state === 'writing' ? { ...message, state: 'interrupted' } : message

type Context = Pick<ChatContext, 'store' | 'emit'>

/** Stores and emits each message that was still open, at its end. */
export function settleMessages({ store, emit }: Context, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role === 'user') continue
    const settled = message.role === 'summary' ? settleSummary(message) : settleInterrupted(message)
    if (settled === message) continue
    store.conversations.putMessage(settled)
    emit('message.changed', { message: settled })
  }
}

/** Asks for the tasks of calls that a crash or a quit cut off, each of the server that has it. Never throws. */
export function resumeTasks(chat: ChatContext, running: RunningCalls, signal: AbortSignal): void {
  for (const [server, tasks] of chat.store.servers.tasks()) for (const task of tasks) void resumeTask(chat, running, server, task, signal)
}

/** Call whose outcome is unknown, in a message or run by hand. */
interface HeldCall {
  readonly isThere: () => boolean
  readonly step: (event: ToolCallEvent) => void
}

function callInMessage(chat: ChatContext, server: string, { callId, conversationId, messageId = '' }: PendingTask): HeldCall {
  const found = (): AssistantMessage | undefined => {
    const message = chat.store.conversations.message(messageId)
    const isIts = ({ id, server: of, state }: ToolCall): boolean => id === callId && of === server && state.kind === 'unknown'
    return message?.role === 'assistant' && message.conversationId === conversationId && callsIn(message).some(isIts) ? message : undefined
  }
  return {
    isThere: () => found() !== undefined,
    step(event) {
      const message = found()
      if (!message) return
      const parts = mapCalls(message.parts, (one) => (one.id === callId ? { ...one, state: nextCallState(one.state, event) } : one))
      putMessages(chat, [{ ...message, parts }])
    },
  }
}

function callByHand({ store, emit }: ChatContext, server: string, { callId }: PendingTask): HeldCall {
  const found = (): ManualRun | undefined => {
    const run = store.manualRuns.get(callId)
    return run?.server === server && run.state.kind === 'unknown' ? run : undefined
  }
  return {
    isThere: () => found() !== undefined,
    step(event) {
      const before = found()
      if (!before) return
      const run = { ...before, state: nextCallState(before.state, event) }
      store.manualRuns.put(run)
      emit('manualRun.changed', { run })
    },
  }
}

async function resumeTask(chat: ChatContext, running: RunningCalls, server: string, task: PendingTask, signal: AbortSignal): Promise<void> {
  const { store, servers, clock, log } = chat
  const { callId, conversationId, tool } = task
  const held = (task.messageId === undefined ? callByHand : callInMessage)(chat, server, task)
  const gone = (): void => store.servers.dropTask(server, callId)
  const definition = servers.view(server)?.definition
  if (!held.isThere() || definition?.enabled !== true) {
    gone()
    // Nobody waits for it any more: its app or its chat is gone. A local server ended with its host, and its tasks with it.
    if (definition?.enabled && !isLocal(definition)) await servers.callOff(server, task.taskId, { signal }).catch(() => undefined)
    return
  }
  const call = { callId, conversationId, server, tool, signal, leavesTask: () => signal.aborted }
  const undo = running.add(call)
  try {
    const end = await servers.resumeTask(call, task).then(
      ({ result, bytes }) => ({ result: toToolResult(result, bytes, store.blobs) }),
      (error: unknown) => ({ error: toErrorValue(error) }),
    )
    if (signal.aborted) return
    // Nobody knows more than before: it stays unknown.
    if (!('error' in end && end.error.code === 'tool.outcome-unknown')) held.step({ kind: 'task-ended', end, at: clock.now() })
    gone()
  } catch (error) {
    log.error('the end of a task could not be kept', error)
  } finally {
    undo()
  }
}

export function recoverAll(chat: Context): void {
  const { conversations, messages } = chat.store.conversations.unfinished()
  settleMessages(chat, messages)
  for (const conversation of conversations) {
    const { id, activity, beside } = conversation
    settleMessages(chat, [...chat.store.conversations.messages(id), ...chat.store.conversations.besideMessages(conversation)])
    const cutOff = (was: ConversationActivity): ConversationActivity => {
      if (was.kind !== 'working' && was.kind !== 'waiting') return was
      return wasSummarising(chat, id, was.turnId) ? { kind: 'idle' } : { kind: 'interrupted', turnId: was.turnId }
    }
    updateConversation(chat, id, {
      activity: cutOff(activity),
      ...(beside && { beside: { ...beside, activity: cutOff(beside.activity) } }),
    })
  }
}
