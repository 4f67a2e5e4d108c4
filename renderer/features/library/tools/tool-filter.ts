// Which tools of all servers are listed. The searched texts are made once for a list.
import type { ListedServer, ListedTool } from '#app/chat/tools/tool-overview.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { mostAccepted, mostTaken } from '#app/server/list-limits.ts'
import { fits, queryWords } from '../resources/resource-rows.ts'

export type ToolKindFilter = keyof typeof isOfKind

export interface ToolFilter {
  readonly search: string
  /** Name of a server; empty: all servers. */
  readonly server: string
  readonly kind: ToolKindFilter
}

export type FoundTool = { readonly server: ListedServer; readonly tool: ListedTool; readonly text: string }

export const allTools = (servers: readonly ListedServer[]): FoundTool[] =>
  servers.flatMap((server) =>
    server.tools.map((tool) => ({
      server,
      tool,
      text: `${server.name} ${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase(),
    })),
  )

export function filterTools(tools: readonly FoundTool[], { search, server, kind }: ToolFilter): readonly FoundTool[] {
  const words = queryWords(search)
  if (words.length === 0 && server === '' && kind === 'all') return tools
  return tools.filter((one) => (server === '' || one.server.name === server) && isOfKind[kind](one) && fits(words, one.text))
}

const isOn = ({ server, tool }: FoundTool): boolean => server.enabled && tool.enabled

/** Claims of a server count here whether or not it is trusted: the filter says that they are claims. */
const isOfKind = {
  all: () => true,
  on: isOn,
  off: (one: FoundTool) => !isOn(one),
  changed: ({ tool }: FoundTool) => tool.known === 'changed',
  new: ({ tool }: FoundTool) => tool.known === 'new',
  'read-only': ({ tool }: FoundTool) => tool.claims === 'read-only',
  destructive: ({ tool }: FoundTool) => tool.claims === 'destructive',
}

/** Sentences about limits on tools that are reached. */
export function limitNotes(servers: readonly ListedServer[]): string[] {
  const full = servers.filter(({ tools }) => tools.length >= mostTaken.tools).map(({ name }) => name)
  const accepted = servers.reduce((sum, { tools }) => sum + tools.filter(({ known }) => known !== 'new').length, 0)
  return [
    full.length > 0 && t`The first ${formatNumber(mostTaken.tools)} of ${full.join(', ')} tools are listed.`,
    accepted >= mostAccepted && t`Only the last ${formatNumber(mostAccepted)} accepted tools are kept.`,
  ].filter((note) => note !== false)
}
