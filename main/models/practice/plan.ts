// What the practice model does next: a pure decision over the conversation, made anew at each step.
import { FIND_TOOLS } from '#app/chat/tool-names.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import type { ModelRequest, ModelTool } from '../provider.ts'
import { answerFrom, explain, sayMissing } from './answer.ts'
import { type Filled, fillArguments } from './fill.ts'
import { type Match, matchTools, splitName } from './match.ts'
import { recordsIn, rowNamed } from './records.ts'
import { tokensOf } from './tokens.ts'
import { type Called, type Turn, turnOf } from './turn.ts'
import { wordsOf } from './words.ts'

export type Plan =
  | { readonly kind: 'call'; readonly text: string; readonly calls: readonly { readonly name: string; readonly input: JsonObject }[] }
  | { readonly kind: 'say'; readonly text: string }

export function planNext(request: Pick<ModelRequest, 'messages' | 'tools' | 'toolChoice'>, now: number): Plan {
  const { goal, steps } = turnOf(request.messages)
  if (request.toolChoice === 'none') return planFor(goal, steps, [], now)
  const plan = planFor(goal, steps, request.tools, now)
  const [first] = request.tools
  // Who must use a tool uses the first, as empty as that is.
  return request.toolChoice === 'required' && plan.kind === 'say' && first
    ? { kind: 'call', text: '', calls: [{ name: first.name, input: {} }] }
    : plan
}

function planFor(goal: string, all: Turn['steps'], offered: readonly ModelTool[], now: number): Plan {
  const tools = offered.filter(({ name }) => name !== FIND_TOOLS)
  const matches = matchTools(goal, tools)
  const searched = all.flat().some(({ name }) => name === FIND_TOOLS)
  if (matches.length === 0 && tools.length < offered.length && !searched)
    return { kind: 'call', text: '', calls: [{ name: FIND_TOOLS, input: { query: goal } }] }
  const steps = all.filter((calls) => !calls.some(({ name }) => name === FIND_TOOLS))
  const last = steps.at(-1)
  if (!last) return firstStep(goal, matches, tools, now)
  const target = matches[0]
  const looked = target && !steps.flat().some(({ name }) => name === target.tool.name) ? last[0] : undefined
  if (!target || !looked || looked.isError) return { kind: 'say', text: answerFrom(last) }
  const filled = fill(goal, target, now, recordFrom(looked, goal))
  if (filled.kind === 'missing') return { kind: 'say', text: sayMissing(target.tool, filled.names) }
  return { kind: 'call', text: '', calls: [{ name: target.tool.name, input: filled.input }] }
}

function firstStep(goal: string, matches: readonly Match[], tools: readonly ModelTool[], now: number): Plan {
  const first = matches[0]
  if (!first) return { kind: 'say', text: explain(goal, tools) }
  const filled = matches.map((match) => ({ match, filled: fill(goal, match, now) }))
  const ready = filled.flatMap(({ match, filled }) => (filled.kind === 'filled' ? [{ name: match.tool.name, input: filled.input }] : []))
  if (ready.length > 0) return { kind: 'call', text: '', calls: ready }
  const lookup = lookupFor(first.tool, tools)
  if (lookup)
    return { kind: 'call', text: t`I look it up with \`${splitName(lookup.name).tool}\` first.`, calls: [{ name: lookup.name, input: {} }] }
  const missing = filled[0]?.filled
  return { kind: 'say', text: sayMissing(first.tool, missing?.kind === 'missing' ? missing.names : []) }
}

function fill(goal: string, match: Match, now: number, record?: JsonObject): Filled {
  return fillArguments(match.tool.inputSchema, { text: goal, toolWords: match.hits, now, record })
}

/** A tool of the same server that lists the same kind of thing and needs nothing to do so. */
export function lookupFor(target: ModelTool, tools: readonly ModelTool[]): ModelTool | undefined {
  const { server, tool } = splitName(target.name)
  const things = new Set(wordsOf(tool))
  return tools.find((candidate) => {
    const own = splitName(candidate.name)
    const [verb, ...nouns] = wordsOf(own.tool)
    const required = candidate.inputSchema['required']
    const needsNothing = !Array.isArray(required) || required.length === 0
    const lists = verb === 'list' || verb === 'query'
    return candidate !== target && own.server === server && lists && needsNothing && nouns.some((noun) => things.has(noun))
  })
}

function recordFrom(called: Called, goal: string): JsonObject | undefined {
  const { references, files, quoted } = tokensOf(goal)
  const rows = recordsIn(called.structured)?.rows ?? []
  return rowNamed(rows.filter(isJsonObject), [...references, ...files, ...quoted])
}
