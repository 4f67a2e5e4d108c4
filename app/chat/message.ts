// Conversations: a user message starts a turn; each answer of the model in it is one assistant message, whose tool calls carry
// their own state and result. Where in a document an answer says it has something from, as the provider told it. Only
// Anthropic's models do so far.
import { z } from 'zod'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { errorValue } from '../errors.ts'
import { json, jsonObject } from '../json.ts'
import { usage } from '../models/usage.ts'
import { attachment, sentPrompt } from './attachments/attachment.ts'
import { toolResult } from './content.ts'

const citation = z.object({
  /** What of the part's text rests on it, in UTF-16 units. */
  start: z.number().int(),
  end: z.number().int(),
  title: z.string().optional(),
  quote: z.string(),
  /** First and last, from 1. */
  pages: z.tuple([z.number().int(), z.number().int()]).optional(),
  /** The provider's own form of it, for the way back. */
  source: jsonObject,
})
export type Citation = z.infer<typeof citation>

/** What let a call run, or stopped it. */
const decision = z.object({
  allowed: z.boolean(),
  /** `host`: a tool of the host's own, which needs no word of anybody. */
  by: z.enum(['person', 'rule', 'mode', 'policy', 'command-line', 'host']),
  scope: z.enum(['once', 'conversation', 'always']),
  ruleId: z.string().optional(),
  /** What that rule said then, in words. */
  rule: z.string().optional(),
  /** `by: 'mode'`: the conversation's. */
  mode: consentMode.optional(),
  /** The person's word on a denial; the model reads it. */
  word: z.string().optional(),
  /** The person changed the arguments before allowing. */
  edited: z.boolean().optional(),
  /** The person made the call: their press allowed it. */
  byHand: z.literal(true).optional(),
})
export type Decision = z.infer<typeof decision>

export const progress = z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() })
export type Progress = z.infer<typeof progress>

export const toolCallState = z.discriminatedUnion('kind', [
  /** The model is still writing the arguments. */
  z.object({ kind: z.literal('writing') }),
  z.object({ kind: z.literal('queued') }),
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  z.object({
    kind: z.literal('running'),
    decision,
    startedAt: z.number(),
    progress: progress.optional(),
    /** There was no word since `since`; it ends at `endsAt` unless the person waits (`chat.waitForCall`). Times of the host. */
    overdue: z.object({ since: z.number(), endsAt: z.number() }).optional(),
  }),
  z.object({ kind: z.literal('done'), decision, startedAt: z.number(), durationMs: z.number(), result: toolResult }),
  z.object({ kind: z.literal('denied'), decision }),
  /** Did not reach the tool, or came back as a protocol error. The model reads the message. */
  z.object({
    kind: z.literal('failed'),
    decision: decision.optional(),
    durationMs: z.number().optional(),
    error: errorValue,
    /** It had timed out, and its result came at `at` all the same. The model reads of it in the next turn. */
    late: z.object({ at: z.number(), result: toolResult }).optional(),
  }),
  z.object({ kind: z.literal('cancelled'), decision: decision.optional(), startedAt: z.number().optional() }),
  /** It was sent, and nobody knows how it ended (crash, lost connection). Never run again by itself. */
  z.object({ kind: z.literal('unknown'), decision, startedAt: z.number() }),
])
export type ToolCallState = z.infer<typeof toolCallState>

const toolCall = z.object({
  /** Ours, unique for ever. */
  id: z.string(),
  /** The provider's, needed to answer it. */
  providerId: z.string(),
  modelName: z.string(),
  /** Absent when the model named a tool that is not there. */
  server: z.string().optional(),
  tool: z.string().optional(),
  /** A tool of the host's own: no server is asked, and nobody for consent. */
  own: z.literal(true).optional(),
  /** It ran at the provider, in the midst of the answer (its own search for tools): who that is, and its blocks, which go back as they came. */
  ranAt: z.object({ name: z.string(), blocks: z.array(jsonObject) }).optional(),
  /** The resource that draws it, as its tool named it when it was called (MCP Apps). */
  view: z.string().optional(),
  /** Its result is kept from the model to save room: by the person, or by the host where nothing else made enough. */
  leftOut: z.enum(['person', 'host']).optional(),
  /** The arguments that ran (or would run). Absent while being written or when the model's JSON was broken. */
  arguments: json.optional(),
  /** What the model wrote, to the letter, when it was not the JSON of an object. */
  rawArguments: z.string().optional(),
  /** What the provider gave along with it and wants back, e.g. a signature of its thoughts. */
  providerData: jsonObject.optional(),
  state: toolCallState,
})
export type ToolCall = z.infer<typeof toolCall>

const textPart = z.object({ kind: z.literal('text'), text: z.string(), citations: z.array(citation).optional() })
const thinkingPart = z.object({
  kind: z.literal('thinking'),
  text: z.string(),
  signature: z.string().optional(),
  redacted: z.string().optional(),
  /** OpenRouter's `reasoning_details`, as they came. */
  details: z.array(jsonObject).optional(),
})
const toolCallPart = z.object({ kind: z.literal('tool-call'), call: toolCall })
const assistantPart = z.discriminatedUnion('kind', [textPart, thinkingPart, toolCallPart])
export type AssistantPart = z.infer<typeof assistantPart>

const userMessage = z.object({
  role: z.literal('user'),
  id: z.string(),
  conversationId: z.string(),
  turnId: z.string(),
  createdAt: z.number(),
  text: z.string(),
  attachments: z.array(attachment).optional(),
  /** It came of a prompt of a server. */
  prompt: sentPrompt.optional(),
  /** Sent while its turn was at work: the model reads it with its next step (`waiting`), or has (`given`). */
  steered: z.enum(['waiting', 'given']).optional(),
})
export type UserMessage = z.infer<typeof userMessage>

const assistantMessage = z.object({
  role: z.literal('assistant'),
  id: z.string(),
  conversationId: z.string(),
  turnId: z.string(),
  createdAt: z.number(),
  model: z.string(),
  parts: z.array(assistantPart),
  state: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']),
  /** The answer ends because it reached the model's limit, or because the provider took a break: then the turn goes on. */
  cut: z.enum(['max-tokens', 'paused']).optional(),
  error: errorValue.optional(),
  usage: usage.optional(),
  /** About how many tokens the request had, by the host's own count: against `usage` it says how far that is off. */
  estimate: z.number().int().optional(),
})
export type AssistantMessage = z.infer<typeof assistantMessage>

/**
 * A compaction: in place of the messages up to `covers.until` the model reads `text`, which it wrote itself. The messages
 * stay. It is in force once it is `done`, as long as it is not undone and a path holds both (`cutOf`).
 */
const summaryMessage = z.object({
  role: z.literal('summary'),
  id: z.string(),
  conversationId: z.string(),
  turnId: z.string(),
  createdAt: z.number(),
  model: z.string(),
  /** The person asked for it, the next request would have been too long, or one was refused for its length. */
  by: z.enum(['person', 'length', 'refused']),
  /** The person's word on what to keep. */
  keep: z.string().optional(),
  covers: z.object({ until: z.string(), messages: z.number().int() }),
  text: z.string(),
  state: z.enum(['writing', 'done', 'stopped', 'failed', 'interrupted']),
  undone: z.literal(true).optional(),
  /** The person changed the text. */
  edited: z.literal(true).optional(),
  /** No summary came of it, or it was not enough: the results of these calls were left out instead. */
  leftOut: z.array(z.string()).optional(),
  /** About what a request took before it, and takes after it. */
  tokens: z.object({ before: z.number().int(), after: z.number().int() }).optional(),
  error: errorValue.optional(),
  usage: usage.optional(),
})
export type SummaryMessage = z.infer<typeof summaryMessage>

export const message = z.discriminatedUnion('role', [userMessage, assistantMessage, summaryMessage])
export type Message = z.infer<typeof message>
