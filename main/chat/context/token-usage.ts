// Figures of the token meter: estimates, calibrated by the provider's own count.
import { type ContextItem, type ContextSummary, cutOf } from '#app/chat/context-summary.ts'
import { defined } from '#app/or-else.ts'
import { estimateTokens } from '#app/text/format-text.ts'
import type { OfferedTool } from '#main/servers/client/requests/running-calls.ts'
import type { GatheredContext } from './build-context.ts'
import { type CompactionPlan, reservedTokens } from './compaction-plan.ts'
import { calibrationOf, countedNow, type Measured, resultTokens, sum, toolTokens } from './measure-tokens.ts'

const MOST_LISTED = 8
/** Tokens below which leaving out is not worth it. */
const LEAST_LISTED = 150

type MeasuredMessage = Measured['messages'][number]

export function summariseContext(
  gathered: GatheredContext,
  measured: Measured,
  plan: CompactionPlan,
  tools: readonly OfferedTool[],
): ContextSummary {
  const { conversation, info, messages } = gathered
  // The same number as in the chat's bar, where there is one for the current context.
  const counted = countedNow(messages, conversation.model, measured.total, measured.messages.at(-1)?.tokens ?? 0)
  const factor = counted === undefined ? calibrationOf(messages, conversation.model) : counted / Math.max(1, measured.total)
  const scaled = (tokens: number): number => Math.round(tokens * (factor ?? 1))
  const results = measured.messages.flatMap((message) => message.results)
  const cut = cutOf(messages)
  const attached = measured.messages.flatMap(({ attachments }) => attachments)
  return {
    model: conversation.model,
    ...defined({ limit: info?.contextTokens }),
    reserved: reservedTokens(info, conversation.parameters?.maxTokens),
    used: counted ?? scaled(measured.total),
    parts: {
      system: {
        tokens: scaled(measured.system),
        servers: gathered.instructions.map(({ server, text, marked }) => ({ server, text, tokens: scaled(estimateTokens(marked)) })),
      },
      tools: { tokens: scaled(measured.tools), servers: toolsByServer(gathered, tools, scaled) },
      ...(cut ? { summary: { tokens: scaled(measured.summary), messages: cut.summary.covers.messages } } : {}),
      messages: { tokens: scaled(sum(measured.messages.map(({ words }) => words))), count: measured.messages.length },
      attachments: { tokens: scaled(sum(attached.map(({ tokens }) => tokens))), count: attached.length },
      results: { tokens: scaled(sum(results.map(({ tokens }) => tokens))), count: results.length },
    },
    largest: largestOf(results, attached, gathered, scaled),
    compaction:
      info?.ai === false
        ? { kind: 'impossible', reason: 'practice' }
        : plan.kind === 'nothing'
          ? { kind: 'impossible', reason: 'short' }
          : { kind: 'possible', messages: plan.count },
  }
}

function toolsByServer(
  { tools }: GatheredContext,
  offered: readonly OfferedTool[],
  scaled: (tokens: number) => number,
): ContextSummary['parts']['tools']['servers'] {
  const serverOf = new Map(offered.map(({ server, tool }) => [tool.modelName, server]))
  const servers = new Map<string, { tokens: number; count: number }>()
  for (const tool of tools) {
    const server = serverOf.get(tool.name) ?? 'Assent'
    const before = servers.get(server) ?? { tokens: 0, count: 0 }
    servers.set(server, { tokens: before.tokens + toolTokens(tool), count: before.count + 1 })
  }
  return [...servers].map(([server, { tokens, count }]) => ({ server, tokens: scaled(tokens), count })).sort((a, b) => b.tokens - a.tokens)
}

/** Lists what is left out too, by the tokens of the whole, so that the person can take it back. */
function largestOf(
  results: MeasuredMessage['results'],
  attached: MeasuredMessage['attachments'],
  { reader }: GatheredContext,
  scaled: (tokens: number) => number,
): ContextItem[] {
  return results
    .filter(({ call }) => call.state.kind === 'done')
    .map(({ call, tokens }): ContextItem => {
      const { leftOut, ...whole } = call
      return {
        kind: 'result',
        id: call.id,
        ...defined({ server: call.server }),
        name: call.tool ?? call.modelName,
        tokens: leftOut ? resultTokens(whole, reader) : tokens,
        leftOut: leftOut !== undefined,
      }
    })
    .concat(
      attached.map(({ id, name, server, tokens, leftOut }) => ({
        kind: 'attachment',
        id,
        ...defined({ server }),
        name,
        tokens: leftOut ?? tokens,
        leftOut: leftOut !== undefined,
      })),
    )
    .filter(({ tokens }) => tokens >= LEAST_LISTED)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, MOST_LISTED)
    .map((item) => ({ ...item, tokens: scaled(item.tokens) }))
}
