// Thinking parameters of Anthropic's API: newer models think adaptively and take a level of effort, older ones take a budget of tokens,
// and for some it can be disabled. Where the model list says nothing, no parameter is sent.
import type Anthropic from '@anthropic-ai/sdk'
import { type Effort, type ModelInfo, nearestEffort } from '#app/models/models.ts'
import type { ModelRequest } from '../provider.ts'

type Thinking = Pick<Anthropic.MessageCreateParamsStreaming, 'thinking' | 'output_config'>
type Message = { readonly content: readonly Pick<Anthropic.ContentBlockParam, 'type'>[] }

const AS_IT_LIKES = { type: 'adaptive', display: 'summarized' } as const
const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = { low: 2048, medium: 8192, high: 16_384, xhigh: 24_576, max: 24_576 }
/** Smallest budget that the API takes, and smallest rest for the answer, in tokens. */
const LEAST = 1024

export function thinkingOf(
  { effort, toolChoice }: Pick<ModelRequest, 'effort' | 'toolChoice'>,
  info: ModelInfo | undefined,
  maxTokens: number,
  messages: readonly Message[],
): Thinking {
  const off: Thinking = info?.thinkingOff ? { thinking: { type: 'disabled' } } : {}
  if (effort === undefined || toolChoice === 'required') return off
  const adaptive: Thinking = info?.thinks === 'adaptive' ? { thinking: AS_IT_LIKES } : {}
  if (effort === 'auto') return adaptive.thinking ? adaptive : off
  const level = info?.efforts ? nearestEffort(effort, info.efforts) : effort
  if (level === undefined || level === 'none') return off
  if (info?.thinks !== 'budget') return { ...adaptive, output_config: { effort: level } }
  const budget = Math.min(budgets[level], maxTokens - LEAST)
  return budget < LEAST || isMidway(messages) ? off : { thinking: { type: 'enabled', budget_tokens: budget } }
}

/** Whether the last message answers calls that were made without thinking: with a budget the API then refuses to think. */
function isMidway(messages: readonly Message[]): boolean {
  if (!messages.at(-1)?.content.some(({ type }) => type === 'tool_result')) return false
  const first = messages.at(-2)?.content[0]?.type
  return first !== 'thinking' && first !== 'redacted_thinking'
}

/** Efforts that a person can choose, the least first. */
export function effortsIn(model: Partial<Anthropic.ModelCapabilities>): Pick<ModelInfo, 'thinkingOff' | 'thinks' | 'efforts'> {
  const { thinking, effort } = model
  const types = thinking?.supported ? thinking.types : undefined
  const thinkingOff = types?.disabled.supported === true
  const thinks = types?.adaptive?.supported ? 'adaptive' : types?.enabled?.supported ? 'budget' : undefined
  const told = (['low', 'medium', 'high', 'xhigh', 'max'] as const).filter((level) => effort?.[level]?.supported)
  const levels: readonly Effort[] = thinks === 'budget' ? ['low', 'medium', 'high'] : effort?.supported ? told : []
  return {
    ...(thinkingOff ? { thinkingOff } : {}),
    ...(thinks ? { thinks } : {}),
    ...(effort || thinks === 'budget' ? { efforts: [...(thinkingOff ? (['none'] as const) : []), ...levels] } : {}),
  }
}
