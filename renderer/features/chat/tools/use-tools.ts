// The tools of all servers, and which go with a request of this chat: fetched when the list opens, and again when servers or
// switches change; what was there stays until then.
import { useCallback, useEffect, useState } from 'react'
import type { ListedServer, SentToolsView } from '#app/chat/tool-overview.ts'
import { type ToolSwitches, withSwitch } from '#app/chat/tool-switches.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useServers, useSettings } from '#renderer/stores/react.tsx'
import type { BeginningChat } from '../new-choice.ts'
import type { Scope } from './tool-rows.ts'

export interface ToolsPage {
  readonly servers: readonly ListedServer[] | undefined
  readonly sent: SentToolsView | undefined
  readonly error: ErrorValue | undefined
  readonly reload: () => void
  readonly switchServer: (server: string, on: boolean) => void
  readonly switchTool: (server: string, tool: string, on: boolean) => void
}

export interface ToolsOf {
  readonly conversationId: string | undefined
  /** Of a chat that has not begun: what it will begin with. */
  readonly model?: string
  readonly begins?: BeginningChat | undefined
  readonly off: ToolSwitches | undefined
  readonly scope: Scope
}

export function useTools({ conversationId, model, begins, off, scope }: ToolsOf): ToolsPage {
  const { attempt, ask, go } = useActions()
  const [servers, setServers] = useState<readonly ListedServer[]>()
  const [sent, setSent] = useState<SentToolsView>()
  const [error, setError] = useState<ErrorValue>()
  const [again, setAgain] = useState(0)
  const share = useSettings((state) => state.settings.toolShare)
  const views = useServers((state) => state.list)
  /** Other tools than before, or others of them on. */
  const known = views
    .map(({ name, definition, counts, tokens }) => `${name} ${definition.enabled} ${counts.tools} ${counts.enabledTools} ${tokens}`)
    .join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: other tools, and a press on "Try again", are reasons to fetch.
  useEffect(() => {
    let gone = false
    void attempt('tool.list', {}).then((outcome) => {
      if (gone) return
      if (outcome.ok) setServers(outcome.value.servers)
      setError(outcome.ok ? undefined : outcome.error)
    })
    return () => {
      gone = true
    }
  }, [attempt, known, again])

  // biome-ignore lint/correctness/useExhaustiveDependencies: other tools, switches and limits are reasons to fetch.
  useEffect(() => {
    let gone = false
    const { folderId } = begins ?? {}
    const beginning =
      model === undefined ? {} : { begins: { model, ...(folderId !== undefined && { folderId }), ...(off && { tools: off }) } }
    void attempt('tool.sent', conversationId === undefined ? beginning : { conversationId }).then((outcome) => {
      if (!gone && outcome.ok) setSent(outcome.value)
    })
    return () => {
      gone = true
    }
  }, [attempt, conversationId, model, begins?.folderId, known, off, share, again])

  const reload = useCallback(() => setAgain((count) => count + 1), [])

  const switchServer = (server: string, on: boolean): void => {
    if (scope === 'chat') {
      if (conversationId !== undefined) go('conversation.switchTool', { id: conversationId, server, on })
      else begins?.change({ tools: withSwitch(off, { server }, on) })
      return
    }
    const definition = views.find(({ name }) => name === server)?.definition
    if (definition) go('server.save', { name: server, definition: { ...definition, enabled: on } })
  }

  const switchTool = (server: string, tool: string, on: boolean): void => {
    if (scope === 'chat') {
      if (conversationId !== undefined) go('conversation.switchTool', { id: conversationId, server, tool, on })
      else begins?.change({ tools: withSwitch(off, { server, tool }, on) })
      return
    }
    // Shown as it was set, until the host's list says so too.
    const show = (enabled: boolean): void =>
      setServers((before) =>
        before?.map((one) =>
          one.name === server ? { ...one, tools: one.tools.map((each) => (each.name === tool ? { ...each, enabled } : each)) } : one,
        ),
      )
    show(on)
    void ask('server.setToolEnabled', { name: server, tool, enabled: on }).then((done) => {
      if (!done) show(!on)
    })
  }

  return { servers, sent, error, reload, switchServer, switchTool }
}
