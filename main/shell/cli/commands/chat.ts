import type { AssistantMessage, Message, ToolCall, ToolCallState } from '#app/chat/message.ts'
import type { HostEvent } from '#app/contract/events.ts'
import { type ErrorValue, fromErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { defined } from '#app/or-else.ts'
import { formatBytes } from '#app/text/format-text.ts'
import type { ReachedHost } from '#main/shell/socket/join-host.ts'
import { type ExitCode, errorLine, exitCodes } from '../exit-codes.ts'
import { requireAssistant, requireChat, requireModelNamed } from '../find-by-name.ts'
import { type CliOutput, visible, visibleJson, visibleLine } from '../output.ts'
import { missingServers, noteFailures, serversOf, startAll } from '../servers-ready.ts'
import type { CliContext } from '../with-host.ts'

export type ChatLine =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly callId: string
      readonly server: string | null
      readonly tool: string | null
      readonly modelName: string
      readonly arguments: Json
    }
  | {
      readonly type: 'consent'
      readonly callId: string
      readonly decision: 'allowed' | 'denied'
      readonly by: string
      readonly scope: string
      readonly word?: string
    }
  | {
      readonly type: 'tool-result'
      readonly callId: string
      readonly outcome: 'done' | 'denied' | 'failed' | 'cancelled' | 'unknown'
      readonly isError: boolean
      readonly result?: unknown
      readonly error?: ErrorValue
      readonly durationMs?: number
    }
  /** An image that the model made; `export` writes it. */
  | { readonly type: 'image'; readonly sha256: string; readonly mimeType: string; readonly bytes: number }
  | { readonly type: 'usage'; readonly [key: string]: Json | undefined }
  | { readonly type: 'error'; readonly error: ErrorValue }
  /** `cut`: the answer reached its token limit and is not whole. */
  | { readonly type: 'done'; readonly conversationId: string; readonly state: string; readonly cut?: 'max-tokens' }

/** Turns events of a conversation into the lines that `assent chat` prints. Each text, call, decision and result is printed once. */
export function createChatLines(conversationId: string, print: (line: ChatLine) => void) {
  const messages = new Map<string, AssistantMessage>()
  const told = new Set<string>()
  const lengths = new Map<string, number>()

  const once = (key: string, line: () => ChatLine): void => {
    if (told.has(key)) return
    told.add(key)
    print(line())
  }

  function tellText(key: string, type: 'text' | 'thinking', text: string): void {
    const from = lengths.get(key) ?? 0
    if (text.length <= from) return
    lengths.set(key, text.length)
    print({ type, text: text.slice(from) })
  }

  function tellCall(call: ToolCall): void {
    const { id, state } = call
    if (state.kind === 'writing') return
    once(`${id} call`, () => ({
      type: 'tool-call',
      callId: id,
      server: call.server ?? null,
      tool: call.tool ?? null,
      modelName: call.modelName,
      arguments: call.arguments ?? null,
    }))
    const decision = 'decision' in state ? state.decision : undefined
    if (decision)
      once(`${id} consent`, () => ({
        type: 'consent',
        callId: id,
        decision: decision.allowed ? 'allowed' : 'denied',
        by: decision.by,
        scope: decision.scope,
        ...(decision.word === undefined ? {} : { word: decision.word }),
      }))
    const result = resultLine(id, state)
    if (result) once(`${id} result`, () => result)
  }

  function onMessage(message: Message): void {
    if (message.conversationId !== conversationId || message.role !== 'assistant') return
    messages.set(message.id, message)
    for (const [index, part] of message.parts.entries()) {
      if (part.kind === 'tool-call') tellCall(part.call)
      else if (part.kind === 'image') {
        const { blob } = part
        once(`${message.id} ${index}`, () => ({ type: 'image', ...blob }))
      } else tellText(`${message.id} ${index} ${part.kind}`, part.kind, part.text)
    }
    const { usage, error } = message
    if (usage && message.state !== 'streaming') once(`${message.id} usage`, () => ({ type: 'usage', ...usage }))
    if (error) once(`${message.id} error`, () => ({ type: 'error', error }))
  }

  return {
    onMessage,
    onEvent(event: HostEvent): void {
      if (event.name === 'message.changed') onMessage(event.payload.message)
      if (event.name !== 'message.delta' && event.name !== 'toolCall.changed') return
      const message = messages.get(event.payload.messageId)
      if (!message || event.payload.conversationId !== conversationId) return
      if (event.name === 'message.delta') {
        const { part, offset, text } = event.payload
        const kind = message.parts[part]?.kind ?? 'text'
        // A part that turns out to be text is printed whole, as text.
        const key = `${message.id} ${part} ${kind}`
        if (kind === 'tool-call' || kind === 'image' || offset !== (lengths.get(key) ?? 0)) return
        lengths.set(key, offset + text.length)
        print({ type: kind, text })
        return
      }
      const { callId, state, arguments: edited } = event.payload
      const found = message.parts.find((part) => part.kind === 'tool-call' && part.call.id === callId)
      if (found?.kind === 'tool-call') tellCall({ ...found.call, state, ...(edited === undefined ? {} : { arguments: edited }) })
    },
  }
}

function resultLine(callId: string, state: ToolCallState): ChatLine | undefined {
  switch (state.kind) {
    case 'done':
      return {
        type: 'tool-result',
        callId,
        outcome: 'done',
        isError: state.result.isError,
        result: state.result,
        durationMs: state.durationMs,
      }
    case 'failed':
      return { type: 'tool-result', callId, outcome: 'failed', isError: true, error: state.error }
    case 'denied':
    case 'cancelled':
    case 'unknown':
      return { type: 'tool-result', callId, outcome: state.kind, isError: true }
    default:
      return undefined
  }
}

/** Runs one turn. Servers whose tools are remembered start when they are called; the others start first. */
export async function chat({ host, options, output, signal, refused, setModel }: CliContext): Promise<ExitCode> {
  const before = options.conversation === undefined ? undefined : await requireChat(host, options.conversation)
  const assistantId = options.assistant === undefined ? undefined : await requireAssistant(host, options.assistant)
  const model = options.model === undefined ? undefined : await requireModelNamed(host, options.model)
  if (model === undefined) await fetchMissingLists(host, output)
  else setModel(model)
  const failures = await startUnknown(host, signal)
  noteFailures(output, failures)

  // What an earlier turn said is not printed again.
  const told = new Set(before === undefined ? [] : (await host.request('conversation.get', { id: before })).messages.map(({ id }) => id))
  const print = output.json ? (line: ChatLine) => output.value(line) : createPrinter(output)
  const heard: HostEvent[] = []
  const stopHearing = host.onEvent((event) => void heard.push(event))
  const { conversationId } = await host.request('chat.send', {
    text: options.prompt ?? '',
    ...defined({ conversationId: before, assistantId, model }),
  })
  const now = async () => {
    const { conversation, messages } = await host.request('conversation.get', { id: conversationId })
    return { activity: conversation.activity, messages: messages.filter(({ id }) => !told.has(id)) }
  }
  const lines = createChatLines(conversationId, print)
  const stop = (): void => void host.request('chat.stop', { conversationId }).catch(() => undefined) // The turn's end is waited for.
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  stopHearing()
  // What happened before the chat had its id.
  for (const event of heard) lines.onEvent(event)
  const stopEvents = host.onEvent(lines.onEvent)
  try {
    await host.request('chat.wait', { conversationId })
  } finally {
    stopEvents()
    signal.removeEventListener('abort', stop)
  }
  const { activity, messages } = await now()
  for (const message of messages) lines.onMessage(message)
  const state = activity.kind
  const { cut, answered } = answerOf(messages)
  print({ type: 'done', conversationId, state, ...(cut ? { cut } : {}) })
  if (cut) output.note(`assent: ${answered ? t`The answer was cut off at its token limit.` : t`No answer: the token limit was used up.`}`)
  if (activity.kind === 'paused') {
    const { stepLimit, tokenLimit, costLimit } = (await host.request('app.snapshot', {})).settings
    const limit = { 'step-limit': stepLimit, 'token-limit': tokenLimit, 'cost-limit': costLimit, unread: '' }[activity.reason]
    output.note(`assent: ${t`Paused before the end of the turn: ${activity.reason} ${limit ?? ''}`}`)
  }
  const missing = missingServers(await serversOf(host), failures)
  if (missing !== '') output.note(`assent: ${t`It answered without ${missing}.`}`)
  if (signal.aborted || state === 'failed' || state === 'paused' || (cut && !answered)) return exitCodes.failed
  return refused() ? exitCodes.refused : exitCodes.done
}

/** Fetches lists of models where a provider with a key has none yet: the chat may need one of them. */
async function fetchMissingLists(host: ReachedHost, output: CliOutput): Promise<void> {
  const { providers } = await host.request('models.list', {})
  if (!providers.some(({ key, modelCount }) => key.kind === 'set' && modelCount === 0)) return
  await host.request('models.refresh', {})
  const fetched = await host.request('models.list', {})
  for (const { key, error } of fetched.providers) if (key.kind === 'set' && error) output.note(errorLine(fromErrorValue(error)))
}

/** Starts servers whose tools nobody knows yet. Resolves with the errors of those that failed, by name. */
async function startUnknown(host: ReachedHost, signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
  const names = (await serversOf(host)).map(({ name }) => name)
  const catalogues = await Promise.all(names.map((name) => host.request('server.catalogue', { name })))
  const unknown = names.filter((_, index) => catalogues[index]?.fetchedAt === undefined)
  return startAll(host, signal, { filter: ({ name }) => unknown.includes(name) })
}

/** Sums up the answers. `cut`: the last one reached its token limit. `answered`: one of them has text or an image. */
function answerOf(messages: readonly Message[]): { readonly cut: 'max-tokens' | undefined; readonly answered: boolean } {
  const answers = messages.filter((message) => message.role === 'assistant')
  const answered = answers.some(({ parts }) =>
    parts.some((part) => part.kind === 'image' || (part.kind === 'text' && part.text.trim() !== '')),
  )
  return { cut: answers.at(-1)?.cut === 'max-tokens' ? 'max-tokens' : undefined, answered }
}

/** Prints for people: the answer on stdout, the rest on stderr. */
function createPrinter(output: CliOutput): (line: ChatLine) => void {
  let text = ''
  // Whole lines are written, so that a hidden character that comes in two chunks is still named.
  const flush = (rest: boolean): void => {
    const end = rest ? text.length : text.lastIndexOf('\n') + 1
    if (end > 0) output.text(visible(text.slice(0, end).replace(/\n$/, '')))
    text = text.slice(end)
  }
  return (line) => {
    if (line.type === 'text') {
      text += line.text
      flush(false)
      return
    }
    flush(true)
    if (line.type === 'tool-call') output.note(`→ ${visibleLine(line.modelName)} ${visibleJson(line.arguments)}`)
    else if (line.type === 'tool-result' && line.outcome !== 'done')
      output.note(`← ${line.outcome}${line.error ? `: ${visibleLine(line.error.message)}` : ''}`)
    else if (line.type === 'image')
      output.note(`assent: ${t`The model made an image (${line.mimeType}, ${formatBytes(line.bytes)}). It is kept in the chat.`}`)
    else if (line.type === 'error') output.note(errorLine(fromErrorValue(line.error)))
  }
}
