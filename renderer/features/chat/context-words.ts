// What the meter says. Pure; the pane draws it.
import type { ContextView } from '#app/chat/context-view.ts'
import { t } from '#app/words/translate.ts'

export type PartKind = 'system' | 'tools' | 'summary' | 'messages' | 'attachments' | 'results'

export interface PartLine {
  readonly kind: PartKind
  readonly name: string
  readonly tokens: number
  /** "14 messages", "3 servers". */
  readonly note: string
}

const wordsOfServers = (count: number): string =>
  count === 0 ? '' : count === 1 ? t`and words of 1 server` : t`and words of ${count} servers`

/** In the order in which they are sent; those that are empty are left out, but for the first two. */
export function partLines({ parts }: ContextView): PartLine[] {
  const { system, tools, summary, messages, attachments, results } = parts
  const count = tools.servers.reduce((sum, server) => sum + server.count, 0)
  const lines: PartLine[] = [
    {
      kind: 'system',
      name: t`System prompt`,
      tokens: system.tokens,
      note: wordsOfServers(system.servers.length),
    },
    { kind: 'tools', name: t`Tools`, tokens: tools.tokens, note: count === 1 ? t`1 tool` : t`${count} tools` },
    {
      kind: 'summary',
      name: t`Summary`,
      tokens: summary?.tokens ?? 0,
      note: summary ? (summary.messages === 1 ? t`of 1 message` : t`of ${summary.messages} messages`) : '',
    },
    { kind: 'messages', name: t`Messages`, tokens: messages.tokens, note: String(messages.count) },
    { kind: 'attachments', name: t`Attachments`, tokens: attachments.tokens, note: String(attachments.count) },
    { kind: 'results', name: t`Results`, tokens: results.tokens, note: String(results.count) },
  ]
  return lines.filter(({ kind, tokens }) => tokens > 0 || kind === 'system' || kind === 'tools')
}

export type Fullness = 'unknown' | 'roomy' | 'filling' | 'full'

/** `limit`: what the model takes. */
export function fullness(used: number, limit: number | undefined): Fullness {
  if (limit === undefined || limit === 0) return 'unknown'
  const share = used / limit
  return share >= 0.95 ? 'full' : share >= 0.8 ? 'filling' : 'roomy'
}

/** Of all that the model takes, from 0 to 100; what is used goes first where it is too much. */
export function widths(
  { limit, reserved, used }: Pick<ContextView, 'limit' | 'reserved' | 'used'>,
  lines: readonly PartLine[],
): { readonly parts: number[]; readonly reserved: number } {
  const whole = Math.max(limit ?? used, used, 1)
  const parts = lines.map(({ tokens }) => (tokens / whole) * 100)
  const free = Math.max(0, 100 - parts.reduce((sum, width) => sum + width, 0))
  return { parts, reserved: limit === undefined ? 0 : Math.min(free, (reserved / whole) * 100) }
}

export const percentWords = (used: number, limit: number): string => `${Math.round((used / limit) * 100)} %`
