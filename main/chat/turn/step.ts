// One step of a turn: an answer of the model, streamed into one message. What cuts it short is thrown, with the message marked accordingly.
import type { AssistantMessage, AssistantPart, ToolCall } from '#app/chat/message.ts'
import { FIND_TOOLS } from '#app/chat/tools/tool-names.ts'
import { HostError, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json } from '#app/json.ts'
import { toolInterface } from '#app/mcp-apps/tool-interface.ts'
import { defined, parseJson } from '#app/or-else.ts'
import { sniffMime } from '#app/sniff-mime.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { orAborted } from '#main/base/abort.ts'
import type { Clock } from '#main/base/clock.ts'
import { newId } from '#main/base/ids.ts'
import type { ModelEvent } from '#main/models/provider.ts'
import { builtinTool, byHost } from '../builtin-tools/builtin-tools.ts'
import { resourceTarget, resourceTool } from '../builtin-tools/resource-tools.ts'
import { sourcesOfAnswer } from '../content-sources.ts'
import { type GatheredContext, gatherContext, toRequest } from '../context/build-context.ts'
import { makeRoom } from '../context/compact.ts'
import { prepareImages, type Scaler } from '../context/image-scaler.ts'
import { inputTokens, measureContext } from '../context/measure-tokens.ts'
import type { SummariseContext } from '../context/summarise.ts'
import { createWriter, type MessageWriter } from '../message-writer.ts'
import { settleInterrupted } from '../recover-interrupted.ts'
import { markGiven } from '../steering.ts'
import { prepareTools, toolsOf } from '../tools/tool-choice.ts'
import type { FirstStarts } from './await-first-starts.ts'

type SearchEvent = Extract<ModelEvent, { type: 'search-start' | 'searched' }>
type CallTarget = Pick<ToolCall, 'server' | 'tool' | 'own' | 'view'>

/** Shows the provider's own searches as ended calls of the host's search: nobody is asked, nothing runs here (`sent-tools.ts`). */
function createProviderSearches(writer: MessageWriter, clock: Clock): (event: SearchEvent) => void {
  const open = new Map<number, { readonly part: number; readonly id: string; readonly at: number }>()
  function begin({ index, providerId }: SearchEvent) {
    const id = newId()
    const call = { id, providerId, modelName: FIND_TOOLS, own: true, state: { kind: 'writing' } } as const
    const begun = { part: writer.addPart({ kind: 'tool-call', call }), id, at: clock.now() }
    open.set(index, begun)
    return begun
  }
  return (event) => {
    const { part, id, at } = open.get(event.index) ?? begin(event)
    if (event.type === 'searched') writer.replacePart(part, { kind: 'tool-call', call: searchedCall(event, id, at, clock.now()) })
  }
}

function searchedCall(event: Extract<SearchEvent, { type: 'searched' }>, id: string, startedAt: number, now: number): ToolCall {
  const { providerId, by, query, found, failed, blocks } = event
  const said = failed === undefined ? JSON.stringify(found) : failed
  return {
    id,
    providerId,
    modelName: FIND_TOOLS,
    own: true,
    arguments: { query },
    ranAt: { name: by, blocks: [...blocks] },
    state: {
      kind: 'done',
      decision: byHost,
      startedAt,
      durationMs: now - startedAt,
      result: {
        ...(failed === undefined
          ? { content: [], structuredContent: { found: [...found] }, isError: false }
          : { content: [{ type: 'text', text: failed }], isError: true }),
        bytes: Buffer.byteLength(said),
      },
    },
  }
}

export interface StepContext extends SummariseContext {
  readonly conversationId: string
  readonly scaler: Scaler
  readonly firstStarts: FirstStarts
  readonly onWriter: (writer: MessageWriter) => void
}

const MOST_CITATIONS = 200

export async function runStep(context: StepContext): Promise<MessageWriter> {
  const { chat, conversationId, signal, activity } = context
  const conversation = chat.store.conversations.get(conversationId)
  if (!conversation) throw new HostError('chat.unknown-conversation', t`This chat was deleted.`)
  await context.firstStarts.wait(conversation, context)
  await orAborted(prepareTools(chat, conversation), signal)
  const first = gatherContext(chat, conversation)
  const waited = await orAborted(prepareImages(chat, context.scaler, first, context.turnId), signal)
  const gathered = await makeRoom(context, waited ? gatherContext(chat, conversation) : first, 'length')
  markGiven(chat, gathered.messages)
  const writer = createWriter(chat, beginMessage(context, gathered))
  context.onWriter(writer)
  try {
    const { reason, detail } = await answerInto(writer, context, gathered)
    if (reason === 'refusal') {
      const data = { model: conversation.model, ...defined({ detail }) }
      throw new HostError('model.refused', t`The model refused to answer.`, { data })
    }
    writer.finish({
      state: 'done',
      ...writtenFor(writer.message(), chat.clock),
      ...(reason === 'max-tokens' || reason === 'paused' ? { cut: reason } : {}),
    })
    const { usage, estimate } = writer.message()
    const filled = usage ? inputTokens(usage) + usage.outputTokens : estimate
    if (filled !== undefined) activity.contextTokens(filled)
    return writer
  } catch (error) {
    writer.finish({ ...cutShort(writer.message(), error, context), ...writtenFor(writer.message(), chat.clock) })
    throw error
  }
}

/** Time that the model took, once there is any; calls and the person's answers come after it. */
function writtenFor({ createdAt }: AssistantMessage, clock: Clock): Pick<AssistantMessage, 'durationMs'> {
  const durationMs = clock.now() - createdAt
  return durationMs > 0 ? { durationMs } : {}
}

/** Asks the model; repeats once with a shorter context a request that was refused for its length before the answer began. */
async function answerInto(writer: MessageWriter, context: StepContext, gathered: GatheredContext): Promise<DoneEvent> {
  const ask = (sent: GatheredContext): Promise<DoneEvent> => {
    writer.note({ estimate: measureContext(sent).total })
    const request = { ...toRequest(sent), use: { purpose: 'answer', conversationId: sent.conversation.id } } as const
    return readAnswer(context.chat.models.stream(sent.conversation.model, request, context.signal), writer, context)
  }
  try {
    return await ask(gathered)
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== 'model.too-long' || writer.message().parts.length > 0) throw error
    const shorter = await makeRoom(context, gathered, 'refused')
    if (shorter === gathered) throw error
    return ask(shorter)
  }
}

/** Begins the message of the answer. An empty failed answer of the turn is replaced: a retry adds no second one. */
function beginMessage({ chat, conversationId, turnId }: StepContext, gathered: GatheredContext): AssistantMessage {
  const last = chat.store.conversations.messages(conversationId).findLast(({ role }) => role !== 'summary')
  const again = last?.role === 'assistant' && last.turnId === turnId && last.parts.length === 0 && last.state !== 'done' ? last : undefined
  const sources = sourcesOfAnswer(chat, gathered)
  return {
    role: 'assistant',
    id: again?.id ?? newId(),
    conversationId,
    turnId,
    createdAt: chat.clock.now(),
    model: gathered.conversation.model,
    parts: [],
    ...(sources.length > 0 ? { sources } : {}),
    state: 'streaming',
  }
}

function cutShort(message: AssistantMessage, error: unknown, { signal, quitting }: StepContext): Partial<AssistantMessage> {
  const { parts } = settleInterrupted(message)
  if (signal.aborted) return { parts, state: quitting() ? 'interrupted' : 'stopped' }
  return { parts, state: 'failed', error: toErrorValue(error) }
}

type DoneEvent = ModelEvent & { type: 'done' }

async function readAnswer(events: AsyncIterable<ModelEvent>, writer: MessageWriter, context: StepContext): Promise<DoneEvent> {
  const iterator = events[Symbol.asyncIterator]()
  const partOf = new Map<number, number>()
  const search = createProviderSearches(writer, context.chat.clock)
  try {
    for (;;) {
      const next = await orAborted(iterator.next(), context.signal)
      if (next.done) throw new HostError('model.bad-answer', t`The answer broke off.`)
      const event = next.value
      if (event.type === 'done') return event
      if (event.type === 'retrying') context.activity.retrying(event.afterMs, event.reason)
      else {
        context.activity.answering()
        if (event.type === 'search-start' || event.type === 'searched') search(event)
        else if (event.type === 'image') addImage(event.data, writer, context.chat)
        else takeEvent(event, writer, partOf, (modelName, input) => findTool(context, modelName, input))
      }
    }
  } finally {
    iterator.return?.()?.catch(() => {}) // The stream was told to end; its outcome does not matter any more.
  }
}

const MOST_IMAGES = 50

/** Keeps an image of the answer; what is none that is known is told of in its place. */
function addImage(data: string, writer: MessageWriter, { store }: StepContext['chat']): void {
  if (writer.message().parts.filter(({ kind }) => kind === 'image').length >= MOST_IMAGES) return
  const bytes = Buffer.from(data, 'base64')
  const mimeType = sniffMime(bytes)
  if (mimeType.startsWith('image/')) writer.addPart({ kind: 'image', blob: store.blobs.put(bytes, mimeType) })
  else writer.addPart({ kind: 'text', text: t`(The model sent an image of an unknown kind, ${formatBytes(bytes.byteLength)}.)` })
}

type FindTool = (modelName: string, input?: Json) => CallTarget
type PartEvent = Exclude<ModelEvent, { type: 'done' | 'retrying' | 'search-start' | 'searched' | 'usage' | 'image' }>

function takeEvent(
  event: PartEvent | Extract<ModelEvent, { type: 'usage' }>,
  writer: MessageWriter,
  partOf: Map<number, number>,
  find: FindTool,
): void {
  if (event.type === 'usage') {
    writer.note({ usage: event.usage })
    return
  }
  const index = partOf.get(event.index)
  if (index !== undefined && (event.type === 'text' || event.type === 'thinking')) {
    writer.append(index, event.text)
    return
  }
  const part = partFor(event, index === undefined ? undefined : writer.message().parts[index], find)
  if (!part) return
  if (index === undefined || event.type === 'tool-call-start') partOf.set(event.index, writer.addPart(part))
  else writer.replacePart(index, part)
}

/** Returns the part after the event; `undefined` when it changes none. `before`: the part that has the event's index. */
function partFor(event: PartEvent, before: AssistantPart | undefined, find: FindTool): AssistantPart | undefined {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return { kind: event.type, text: event.text }
    case 'recast':
      return { kind: event.as, text: event.text }
    case 'citation': {
      if (before?.kind !== 'text') return undefined
      const { citations = [] } = before
      return citations.length < MOST_CITATIONS ? { ...before, citations: [...citations, event.citation] } : undefined
    }
    case 'thinking-end': {
      const { signature, redacted, details } = event
      const text = before?.kind === 'thinking' ? before.text : ''
      return { kind: 'thinking', text, ...defined({ signature, redacted, details: details && [...details] }) }
    }
    case 'tool-call-start': {
      const { providerId, name } = event
      return { kind: 'tool-call', call: { id: newId(), providerId, modelName: name, ...find(name), state: { kind: 'writing' } } }
    }
    case 'tool-call': {
      const { providerId, name, inputText, providerData } = event
      const id = before?.kind === 'tool-call' ? before.call.id : newId()
      const parsed = parseInput(inputText)
      const target = find(name, 'arguments' in parsed ? parsed.arguments : undefined)
      const input = { ...target, ...parsed, ...defined({ providerData }) }
      return { kind: 'tool-call', call: { id, providerId, modelName: name, ...input, state: { kind: 'queued' } } }
    }
  }
}

function findTool({ chat, conversationId }: StepContext, modelName: string, input: Json | undefined): CallTarget {
  if (builtinTool(modelName)) return { own: true }
  if (resourceTool(modelName)) return input === undefined ? { own: true } : resourceTarget(modelName, input)
  const offered = toolsOf(chat, chat.store.conversations.get(conversationId)).find(({ tool }) => tool.modelName === modelName)
  if (!offered) return {}
  const { resourceUri } = toolInterface(offered.tool)
  return { server: offered.server, tool: offered.tool.name, ...(resourceUri === undefined ? {} : { view: resourceUri }) }
}

/** Parses a call's arguments. Models write "no arguments" as an empty text. */
export function parseInput(inputText: string): { readonly arguments: Json } | { readonly rawArguments: string } {
  const value = inputText.trim() === '' ? {} : parseJson(inputText)
  // Broken JSON is kept to the letter and answered as a failed call.
  return isJsonObject(value) ? { arguments: value } : { rawArguments: inputText }
}
