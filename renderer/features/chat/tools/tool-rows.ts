// What the list of tools shows, one row after the other: servers, and under an open one its tools. Pure.
import type { ListedServer, ListedTool } from '#app/chat/tool-overview.ts'
import { isServerOff, isToolOff, type ToolSwitches } from '#app/chat/tool-switches.ts'

/** Whether a switch is about this chat, or about all of them. */
export type Scope = 'chat' | 'everywhere'

export interface SwitchState {
  readonly on: boolean
  /** It is off for a reason that this switch does not change. */
  readonly fixed: 'off-everywhere' | 'server-off' | undefined
}

export type ToolRow =
  | {
      readonly kind: 'server'
      readonly key: string
      readonly server: ListedServer
      readonly state: SwitchState
      readonly open: boolean
      /** Tools of it that are on, and their tokens. */
      readonly on: number
      readonly tokens: number
    }
  | { readonly kind: 'tool'; readonly key: string; readonly server: string; readonly tool: ListedTool; readonly state: SwitchState }

export interface RowFacts {
  readonly servers: readonly ListedServer[]
  readonly off: ToolSwitches | undefined
  readonly scope: Scope
  readonly search: string
  readonly opened: ReadonlySet<string>
}

/** With a search: the servers that have something of it, open. */
export function toolRows({ servers, off, scope, search, opened }: RowFacts): ToolRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return servers.flatMap((server): ToolRow[] => {
    const found = words.length === 0 ? server.tools : server.tools.filter((tool) => matches(server.name, tool, words))
    if (words.length > 0 && found.length === 0) return []
    const state = serverState(server, off, scope)
    const on = server.tools.filter((tool) => toolState(server, tool, off, scope).on)
    const open = words.length > 0 || opened.has(server.name)
    const head: ToolRow = {
      kind: 'server',
      key: `server ${server.name}`,
      server,
      state,
      open,
      on: on.length,
      tokens: on.reduce((sum, tool) => sum + tool.tokens, 0),
    }
    if (!open) return [head]
    return [
      head,
      ...found.map((tool) => ({
        kind: 'tool' as const,
        key: `tool ${server.name} ${tool.name}`,
        server: server.name,
        tool,
        state: toolState(server, tool, off, scope),
      })),
    ]
  })
}

function matches(server: string, { name, title, description }: ListedTool, words: readonly string[]): boolean {
  const text = `${server} ${name} ${title ?? ''} ${description ?? ''}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

function serverState(server: ListedServer, off: ToolSwitches | undefined, scope: Scope): SwitchState {
  if (scope === 'everywhere') return { on: server.enabled, fixed: undefined }
  if (!server.enabled) return { on: false, fixed: 'off-everywhere' }
  return { on: !isServerOff(off, server.name), fixed: undefined }
}

function toolState(server: ListedServer, tool: ListedTool, off: ToolSwitches | undefined, scope: Scope): SwitchState {
  const above = serverState(server, off, scope)
  if (above.fixed) return above
  if (scope === 'chat' && !tool.enabled) return { on: false, fixed: 'off-everywhere' }
  if (!above.on) return { on: false, fixed: 'server-off' }
  return { on: scope === 'everywhere' ? tool.enabled : !isToolOff(off, server.name, tool.name), fixed: undefined }
}
