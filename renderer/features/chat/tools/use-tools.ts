// The tools of all servers, and those that are sent with a request of the chat: fetched when the list opens, and again when servers
// or switches change.
import type { ListedServer, ListedTool } from '#app/chat/tools/tool-overview.ts'
import { isServerOff, isToolOff, type ToolSwitches, withSwitch } from '#app/chat/tools/tool-switches.ts'
import type { RequestResult } from '#app/contract/requests.ts'
import { useActions, useServers, useSettings } from '#renderer/stores/store-hooks.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import type { PickerProps } from '../settings/new-chat-choices.ts'

export type Scope = 'chat' | 'everywhere'

interface SwitchState {
  readonly on: boolean
  /** Why the tool is off, where this switch cannot change it. */
  readonly fixed: 'off-everywhere' | 'server-off' | undefined
}

export type ToolPickerRow =
  | {
      readonly kind: 'server'
      readonly key: string
      readonly server: ListedServer
      readonly state: SwitchState
      readonly open: boolean
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

/** Rows of the list: servers, and below an open one its tools. A search shows matching tools and opens their servers. */
export function toolPickerRows({ servers, off, scope, search, opened }: RowFacts): ToolPickerRow[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean)
  return servers.flatMap((server): ToolPickerRow[] => {
    const found = terms.length === 0 ? server.tools : server.tools.filter((tool) => matches(server.name, tool, terms))
    if (terms.length > 0 && found.length === 0) return []
    const state = serverState(server, off, scope)
    const on = server.tools.filter((tool) => toolState(server, tool, off, scope).on)
    const open = terms.length > 0 || opened.has(server.name)
    const head: ToolPickerRow = {
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

function matches(server: string, { name, title, description }: ListedTool, terms: readonly string[]): boolean {
  const text = `${server} ${name} ${title ?? ''} ${description ?? ''}`.toLowerCase()
  return terms.every((term) => text.includes(term))
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

interface ChatToolsOptions extends Pick<PickerProps, 'conversationId' | 'begins'> {
  readonly model?: string
  readonly off: ToolSwitches | undefined
  readonly scope: Scope
}

export function useChatTools({ conversationId, model, begins, off, scope }: ChatToolsOptions) {
  const { ask, go } = useActions()
  const share = useSettings((state) => state.settings.toolShare)
  const views = useServers((state) => state.list)
  /** Changes when tools or switches of a server do. */
  const known = views
    .map(({ name, definition, counts, tokens }) => `${name} ${definition.enabled} ${counts.tools} ${counts.enabledTools} ${tokens}`)
    .join('\n')

  const list = useHostAnswer('tool.list', {}, known)
  const { folderId } = begins ?? {}
  const beginning =
    model === undefined ? {} : { begins: { model, ...(folderId !== undefined && { folderId }), ...(off && { tools: off }) } }
  const changes = `${known} ${JSON.stringify(off)} ${share}`
  const sent = useHostAnswer('tool.sent', conversationId === undefined ? beginning : { conversationId }, changes)
  const reload = (): void => {
    list.reload()
    sent.reload()
  }

  const switchInChat = (which: { readonly server: string; readonly tool?: string }, on: boolean): void => {
    if (conversationId !== undefined) go('conversation.switchTool', { id: conversationId, ...which, on })
    else begins?.change({ tools: withSwitch(off, which, on) })
  }

  const switchServer = (server: string, on: boolean): void => {
    const definition = views.find(({ name }) => name === server)?.definition
    if (scope === 'chat') switchInChat({ server }, on)
    else if (definition) go('server.save', { name: server, definition: { ...definition, enabled: on } })
  }

  const switchTool = (server: string, tool: string, on: boolean): void => {
    if (scope === 'chat') {
      switchInChat({ server, tool }, on)
      return
    }
    // Shown at once, before the host's list has it.
    const show = (enabled: boolean): void =>
      list.setAnswer((before) => ({ ...before, value: withEnabled(before.value, server, tool, enabled) }))
    show(on)
    void ask('server.setToolEnabled', { name: server, tool, enabled: on }).then((done) => {
      if (!done) show(!on)
    })
  }

  return { servers: list.value?.servers, sent: sent.value, error: list.error, reload, switchServer, switchTool }
}

type ToolList = RequestResult<'tool.list'>

const withEnabled = (list: ToolList | undefined, server: string, tool: string, enabled: boolean): ToolList | undefined =>
  list && {
    servers: list.servers.map((one) =>
      one.name === server ? { ...one, tools: one.tools.map((each) => (each.name === tool ? { ...each, enabled } : each)) } : one,
    ),
  }
