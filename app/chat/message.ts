// Messages of a conversation. A user message starts a turn; each answer in it is one assistant message with its tool calls.
import { z } from 'zod'
import { blobRef } from '../blob.ts'
import { consentScope } from '../consent/request.ts'
import { consentMode } from '../consent/rules/consent-mode.ts'
import { callMarks, contentRead } from '../consent/taint/private-flow.ts'
import { errorValue } from '../errors.ts'
import { json, jsonObject } from '../json-schemas.ts'
import { usage } from '../models/usage.ts'
import { blockedTarget } from '../server/sandbox/sandbox-report.ts'
import { attachment, sentPrompt } from './attachments/attachment.ts'
import { modelImage, toolResult } from './content.ts'

/** Source of an answer, as the provider names it: a passage of a document, or a page of the web. */
const citation = z.object({
  /** Range of the part's text that the source supports, in UTF-16 units; 0 to 0: the whole answer. */
  start: z.number().int(),
  end: z.number().int(),
  title: z.string().optional(),
  /** Address of a page of the web, http or https. */
  url: z.string().optional(),
  /** Cited words of the source; '' where the provider does not quote. */
  quote: z.string(),
  /** First and last page, from 1. */
  pages: z.tuple([z.number().int(), z.number().int()]).optional(),
  /** Provider's form, returned to it. */
  source: jsonObject,
})
export type Citation = z.infer<typeof citation>

const decision = z.object({
  allowed: z.boolean(),
  /** `host`: a built-in tool, which needs no consent. */
  by: z.enum(['person', 'rule', 'mode', 'policy', 'command-line', 'host']),
  scope: consentScope,
  ruleId: z.string().optional(),
  /** Text of that rule at the time. */
  rule: z.string().optional(),
  /** Consent mode that decided (`by: 'mode'`). */
  mode: consentMode.optional(),
  /** Person's reason for a denial; the model reads it. */
  word: z.string().optional(),
  edited: z.boolean().optional(),
  /** Number of alike requests that the same press answered. */
  together: z.number().int().optional(),
  /** A manual call: pressing Run allowed it. */
  byHand: z.literal(true).optional(),
  /** Agent that called (`assent mcp`): id and name of its entry. */
  agent: z.object({ client: z.string(), name: z.string() }).optional(),
})
export type Decision = z.infer<typeof decision>

export const progress = z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() })
export type Progress = z.infer<typeof progress>

/** Targets that the server's sandbox refused in its course, where no other call ran. Paths are for the person alone: no model reads them. */
const blocked = { blocked: z.array(blockedTarget).readonly().optional() }

export const toolCallState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('writing') }),
  z.object({ kind: z.literal('queued') }),
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  z.object({
    kind: z.literal('running'),
    decision,
    startedAt: z.number(),
    progress: progress.optional(),
    /** Overdue: no progress since `since`; it is cancelled at `endsAt` unless the person waits (`chat.waitForCall`). */
    overdue: z.object({ since: z.number(), endsAt: z.number() }).optional(),
    ...blocked,
  }),
  z.object({ kind: z.literal('done'), decision, startedAt: z.number(), durationMs: z.number(), result: toolResult, ...blocked }),
  z.object({ kind: z.literal('denied'), decision }),
  /** The call did not reach the tool, or failed with a protocol error. The model reads the message. */
  z.object({
    kind: z.literal('failed'),
    decision: decision.optional(),
    durationMs: z.number().optional(),
    error: errorValue,
    ...blocked,
    /** Late result of a call that had timed out. The model reads it in the next turn. */
    late: z.object({ at: z.number(), result: toolResult }).optional(),
  }),
  z.object({ kind: z.literal('cancelled'), decision: decision.optional(), startedAt: z.number().optional() }),
  /** The call was sent and its outcome is unknown (crash, lost connection). Never repeated automatically. */
  z.object({ kind: z.literal('unknown'), decision, startedAt: z.number() }),
])
export type ToolCallState = z.infer<typeof toolCallState>

const toolCall = z.object({
  /** Id of the host, globally unique. */
  id: z.string(),
  providerId: z.string(),
  modelName: z.string(),
  /** Server; absent when the model named an unknown tool. */
  server: z.string().optional(),
  tool: z.string().optional(),
  /** A built-in tool: no server and no consent. */
  own: z.literal(true).optional(),
  /** The tool ran at the provider (its tool search); its blocks are sent back as received. */
  ranAt: z.object({ name: z.string(), blocks: z.array(jsonObject) }).optional(),
  /** UI resource that its tool named at the time (MCP Apps). */
  view: z.string().optional(),
  /** Author of the choice to keep its result from the model, to save context. */
  leftOut: z.enum(['person', 'host']).optional(),
  /** Arguments sent, or to be sent. Absent while being written, or when the JSON is invalid. */
  arguments: json.optional(),
  /** Model output that was not a JSON object. */
  rawArguments: z.string().optional(),
  /** Provider data to send back, such as a signature of its thinking. */
  providerData: jsonObject.optional(),
  /** Marks of its result. Absent: not sent, or before they were kept. */
  marks: callMarks.optional(),
  state: toolCallState,
})
export type ToolCall = z.infer<typeof toolCall>

const textPart = z.object({ kind: z.literal('text'), text: z.string(), citations: z.array(citation).optional() })
const thinkingPart = z.object({
  kind: z.literal('thinking'),
  text: z.string(),
  signature: z.string().optional(),
  redacted: z.string().optional(),
  /** OpenRouter's `reasoning_details`, or items of the Responses API, as received. */
  details: z.array(jsonObject).optional(),
})
const imagePart = z.object({ kind: z.literal('image'), blob: blobRef, forModel: modelImage.optional() })
const toolCallPart = z.object({ kind: z.literal('tool-call'), call: toolCall })
const assistantPart = z.discriminatedUnion('kind', [textPart, thinkingPart, imagePart, toolCallPart])
export type AssistantPart = z.infer<typeof assistantPart>

const common = { id: z.string(), conversationId: z.string(), turnId: z.string(), createdAt: z.number() }

const userMessage = z.object({
  role: z.literal('user'),
  ...common,
  text: z.string(),
  attachments: z.array(attachment).optional(),
  prompt: sentPrompt.optional(),
  /** Servers whose resources and prompts it holds. */
  sources: z.array(contentRead).optional(),
  /** Sent while its turn was running: the model reads it at the next step (`waiting`) or has read it (`given`). */
  steered: z.enum(['waiting', 'given']).optional(),
})
export type UserMessage = z.infer<typeof userMessage>

const assistantMessage = z.object({
  role: z.literal('assistant'),
  ...common,
  model: z.string(),
  parts: z.array(assistantPart),
  /** Sources that its model had read, those of this answer's calls aside. */
  sources: z.array(contentRead).optional(),
  state: z.enum(['streaming', 'done', 'stopped', 'failed', 'interrupted']),
  /** Cut at the model's limit, or paused by the provider; the turn then continues. */
  cut: z.enum(['max-tokens', 'paused']).optional(),
  error: errorValue.optional(),
  usage: usage.optional(),
  /** Milliseconds that the model wrote. */
  durationMs: z.number().optional(),
  /** Host's estimate of the request's tokens, to calibrate against `usage`. */
  estimate: z.number().int().optional(),
})
export type AssistantMessage = z.infer<typeof assistantMessage>

/**
 * A compaction: the model reads `text`, its own summary, in place of the messages up to `covers.until`. Those stay. It is in force
 * while it is `done`, not undone, and on the path (`cutOf`).
 */
const summaryMessage = z.object({
  role: z.literal('summary'),
  ...common,
  model: z.string(),
  /** Cause: the person, the length of the next request, or a request refused for its length. */
  by: z.enum(['person', 'length', 'refused']),
  /** Person's hint on what to keep. */
  keep: z.string().optional(),
  /** Sources of the messages that it covers. Absent: of before they were kept. */
  sources: z.array(contentRead).optional(),
  covers: z.object({ until: z.string(), messages: z.number().int() }),
  text: z.string(),
  state: z.enum(['writing', 'done', 'stopped', 'failed', 'interrupted']),
  undone: z.literal(true).optional(),
  edited: z.literal(true).optional(),
  /** Calls whose results were left out because no sufficient summary came of it. */
  leftOut: z.array(z.string()).optional(),
  /** Estimated tokens of a request before and after. */
  tokens: z.object({ before: z.number().int(), after: z.number().int() }).optional(),
  error: errorValue.optional(),
  usage: usage.optional(),
})
export type SummaryMessage = z.infer<typeof summaryMessage>

export const message = z.discriminatedUnion('role', [userMessage, assistantMessage, summaryMessage])
export type Message = z.infer<typeof message>
