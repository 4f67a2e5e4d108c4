// Scenarios as data, for the program: "when the last thing the person wrote contains X, answer first with this, then
// with that". The step is the number of answers since then, so a scenario needs no memory of its own.
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { GO_ON_TEXT } from '#main/chat/context/model-history.ts'
import { TITLE_SYSTEM } from '#main/chat/titles.ts'
import { type Reply, type ScriptBlock, say } from './reply.ts'
import type { RecordedRequest, Script } from './server.ts'
import { newToolUseId } from './stream.ts'

interface RuleStep {
  readonly think?: string
  /** A search of the API's own among the tools that are held back. */
  readonly search?: { readonly query: string; readonly found: readonly string[] }
  readonly say?: string
  /** Milliseconds between words of `say`. */
  readonly wordMs?: number
  /** Said after it, each in a block of its own, with its sources as the API writes them. */
  readonly passages?: readonly { readonly text: string; readonly cites?: readonly object[] }[]
  /** Waits after `say` until `POST /__control/release {"name": …}`. */
  readonly hold?: string
  /** Said after the hold. */
  readonly rest?: string
  readonly call?: readonly { readonly tool: string; readonly input?: object; readonly inputText?: string }[]
  readonly error?: { readonly status: number; readonly type: string; readonly retryAfter?: number }
  /** The stream breaks after what the step says. */
  readonly cut?: boolean
}
export interface Rule {
  readonly when: string
  readonly steps: readonly RuleStep[]
}

export const defaultRules: readonly Rule[] = [
  { when: 'say slowly', steps: [{ say: 'One word after the other, so that there is time to look at it while it comes.', wordMs: 80 }] },
  {
    when: 'list the invoices',
    steps: [{ say: 'I will look.', call: [{ tool: 'demo__list_invoices', input: {} }] }, { say: 'That is the list.' }],
  },
  { when: 'be overloaded', steps: [{ error: { status: 529, type: 'overloaded_error' } }] },
  { when: 'break off', steps: [{ say: 'This sentence will not', cut: true }] },
]

const blocksOf = (message: unknown): readonly JsonObject[] => {
  if (!isJsonObject(message)) return []
  const content = message['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isJsonObject) : []
}
/** The host's own "go on" is not the person's word. */
const isText = (block: JsonObject): boolean => block['type'] === 'text' && block['text'] !== GO_ON_TEXT

/** What the person wrote last, and how many answers there have been since. */
function lastWords(request: RecordedRequest): { readonly text: string; readonly answers: number } {
  const messages = (Array.isArray(request.body['messages']) ? request.body['messages'] : []) as readonly unknown[]
  let answers = 0
  for (const message of [...messages].reverse()) {
    if (isJsonObject(message) && message['role'] === 'assistant') answers += 1
    else if (isJsonObject(message) && message['role'] === 'user') {
      const texts = blocksOf(message).filter(isText)
      if (texts.length > 0) return { text: texts.map((block) => String(block['text'])).join('\n'), answers }
    }
  }
  return { text: '', answers }
}

function replyOf(step: RuleStep, held: (name: string) => Promise<void>): Reply {
  if (step.error) {
    const { status, type, retryAfter } = step.error
    return { kind: 'error', status, type, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }) }
  }
  const text = (words: string): ScriptBlock => ({
    type: 'text',
    text: words,
    ...(step.wordMs === undefined ? {} : { wordMs: step.wordMs }),
  })
  const blocks: ScriptBlock[] = []
  if (step.think !== undefined) blocks.push({ type: 'thinking', thinking: step.think, signature: 'scripted-signature' })
  if (step.search !== undefined) blocks.push({ type: 'tool_search', id: `srv${newToolUseId()}`, ...step.search })
  if (step.say !== undefined) blocks.push(text(step.say))
  for (const passage of step.passages ?? []) blocks.push({ type: 'text', ...passage })
  if (step.hold !== undefined) blocks.push({ type: 'gate', until: held(step.hold) })
  if (step.rest !== undefined) blocks.push(text(step.rest))
  for (const { tool, ...rest } of step.call ?? []) blocks.push({ type: 'tool_use', name: tool, ...rest })
  return step.cut ? { kind: 'cut', blocks, how: 'reset' } : { kind: 'message', blocks }
}

/** The host's own request for a chat's title, beside the turns of the chat. */
export const asksForTitle = ({ body }: { readonly body: unknown }): boolean => JSON.stringify(body).includes(TITLE_SYSTEM)

/** A script that follows rules; the first that matches counts. `held` resolves when a hold is released. */
export function scriptOf(rules: () => readonly Rule[], held: (name: string) => Promise<void>): Script {
  return (request) => {
    if (asksForTitle(request)) return say('') // No title: the chat keeps the one it has.
    const { text, answers } = lastWords(request)
    const rule = rules().find((candidate) => text.toLowerCase().includes(candidate.when.toLowerCase()))
    const step = rule?.steps[answers]
    if (step) return replyOf(step, held)
    return say(rule ? 'The scenario has no further step.' : 'No scenario matches these words.')
  }
}
