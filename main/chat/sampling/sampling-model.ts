// One model request for an approved sampling prompt. Calls in the answer go back to the server; the host never runs them.
import {
  promptTokens,
  type SamplingCall,
  type SamplingContent,
  type SamplingMessage,
  type SamplingPart,
  type SamplingTool,
} from '#app/consent/sampling.ts'
import { HostError, type HostErrorCode } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { Usage } from '#app/models/usage.ts'
import { defined } from '#app/or-else.ts'
import { protocolError, protocolErrorCodes } from '#main/base/protocol-error.ts'
import { type ApprovedSampling, spend } from '#main/consent/approved.ts'
import type { Spent } from '#main/consent/sampling-usage.ts'
import type { Models } from '#main/models/models-api.ts'
import {
  type ModelAssistantBlock,
  type ModelContent,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type ModelUserBlock,
  textAfter,
} from '#main/models/provider.ts'
import { parseInput } from '../turn/step.ts'

interface SamplingAnswer {
  readonly text: string
  readonly calls: readonly SamplingCall[]
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence' | 'toolUse'
  /** Tokens of prompt and answer, counted by the provider or else estimated. */
  readonly tokens: number
}

/** `spent` gets the tokens, also when no answer came. @throws {ProtocolError} when the model gives no whole answer */
export async function runApproved(
  models: Models,
  approval: ApprovedSampling,
  { signal, spent }: { readonly signal: AbortSignal; readonly spent: Spent },
): Promise<SamplingAnswer> {
  const approved = spend(approval)
  const info = models.find(approved.model)
  const limit = info?.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const names = modelNames(approved)
  const { temperature, stopSequences } = approved
  const request = {
    system: approved.systemPrompt ?? '',
    messages: approved.messages.map((message) => toModelMessage(message, names, info?.images !== false)),
    ...offered(approved, names),
    maxTokens: Math.max(1, Math.min(approved.maxTokens, limit)),
    use: { purpose: 'sampling' as const },
    ...defined({ temperature, stopSequences }),
  }
  const meter = createMeter(promptTokens(approved, approved.tools))
  let text = ''
  const calls: SamplingCall[] = []
  try {
    for await (const event of models.stream(approved.model, request, signal)) {
      meter.read(event)
      text = textAfter(text, event)
      if (event.type === 'tool-call') calls.push(readCall(event.providerId, event.name, event.inputText, names, approved.tools))
      if (event.type !== 'done') continue
      if (event.reason === 'refusal') throw new HostError('model.refused', t`The model refused to answer.`)
      if (calls.length > 0 && event.reason !== 'max-tokens') return { text, calls, stopReason: 'toolUse', tokens: meter.tokens() }
      return { text, calls: [], stopReason: stopReasons[event.reason], tokens: meter.tokens() }
    }
  } catch (error) {
    // The server gets the error's code, not the provider's message.
    throw noAnswer(error instanceof HostError ? error.code : 'internal')
  } finally {
    spent(meter.tokens())
  }
  throw noAnswer('model.bad-answer')
}

const noAnswer = (code: HostErrorCode) => protocolError(protocolErrorCodes.internalError, `The model did not answer (${code})`)

/** Counts tokens as the provider does; estimates those of an answer that was cut off, or where the provider does not count. */
function createMeter(prompt: number) {
  let begun = false
  let written = 0
  let usage: Usage = { inputTokens: 0, outputTokens: 0 }
  return {
    read(event: ModelEvent): void {
      begun ||= event.type !== 'retrying'
      if (event.type === 'usage') usage = event.usage
      if (event.type === 'text' || event.type === 'thinking') written += event.text.length
      if (event.type === 'tool-call') written += event.inputText.length
    },
    /** Returns 0 when the provider never began to answer. */
    tokens(): number {
      if (!begun) return 0
      const read = usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)
      return (read || prompt) + (usage.outputTokens || Math.ceil(written / 4))
    },
  }
}

const stopReasons = {
  end: 'endTurn',
  'tool-calls': 'endTurn',
  'max-tokens': 'maxTokens',
  paused: 'endTurn',
  'stop-sequence': 'stopSequence',
} as const

type Approved = Pick<ApprovedSampling, 'messages' | 'tools' | 'toolChoice'>

/** Model names by the server's names: letters, digits, `_` and `-`, each name once. */
function modelNames({ messages, tools }: Approved): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const used = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-use' ? [part.name] : [])))
  for (const name of [...tools.map((tool) => tool.name), ...used]) {
    if (names.has(name)) continue
    const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 60) || '_'
    let unique = plain
    for (let count = 2; taken.has(unique); count += 1) unique = `${plain}_${count}`
    taken.add(unique)
    names.set(name, unique)
  }
  return names
}

/** Defines also the tools that only the messages name: providers require it, even where the model may use none any more. */
function offered({ tools, toolChoice }: Approved, names: ReadonlyMap<string, string>): Pick<ModelRequest, 'tools' | 'toolChoice'> {
  const given = new Set(tools.map(({ name }) => name))
  const used = [...names.keys()].filter((name) => !given.has(name)).map((name): SamplingTool => ({ name, inputSchema: { type: 'object' } }))
  const definitions = [...tools, ...used].map(({ name, title, description, inputSchema }) => ({
    name: names.get(name) ?? name,
    description: description ?? '',
    inputSchema,
    ...defined({ title }),
  }))
  if (definitions.length === 0) return { tools: [] }
  return { tools: definitions, toolChoice: tools.length === 0 ? 'none' : toolChoice }
}

function toModelMessage({ role, parts }: SamplingMessage, names: ReadonlyMap<string, string>, images: boolean): ModelMessage {
  if (role === 'user') return { role, content: parts.flatMap((part) => toUserBlock(part, images)) }
  const content = parts.flatMap((part): ModelAssistantBlock[] => {
    if (part.type === 'text') return [part]
    if (part.type !== 'tool-use') return []
    return [{ type: 'tool-call', providerId: part.id, name: names.get(part.name) ?? part.name, input: part.input }]
  })
  return { role, model: '', content }
}

function toUserBlock(part: SamplingPart, images: boolean): ModelUserBlock[] {
  if (part.type === 'tool-use') return []
  if (part.type !== 'tool-result') return [toContent(part, images)]
  const { id, isError, structured } = part
  const isEmpty = part.content.length === 0 && structured !== undefined
  const content = isEmpty
    ? [{ type: 'text' as const, text: JSON.stringify(structured) }]
    : part.content.map((one) => toContent(one, images))
  return [{ type: 'tool-result', providerId: id, content, isError, ...defined({ structured }) }]
}

const toContent = (part: SamplingContent, images: boolean): ModelContent =>
  part.type === 'text' || images ? part : { type: 'text', text: `[An image (${part.mimeType}) that this model cannot see.]` }

/** @throws {HostError} `model.bad-answer` for a tool that was not offered, or arguments that are not the JSON of an object */
function readCall(
  id: string,
  modelName: string,
  inputText: string,
  names: ReadonlyMap<string, string>,
  tools: readonly SamplingTool[],
): SamplingCall {
  const name = tools.find((tool) => names.get(tool.name) === modelName)?.name
  const input = parseInput(inputText)
  if (name === undefined || !('arguments' in input))
    throw new HostError('model.bad-answer', t`The model’s tool call could not be passed on.`)
  return { id, name, input: input.arguments as SamplingCall['input'] }
}
