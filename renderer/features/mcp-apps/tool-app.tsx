// The MCP App of a call, below the call: its frame, or why there is none. It opens by itself only while its server runs: an old
// chat starts nothing. A view that reaches the network asks in the dock of its chat before it is drawn for the first time.

import { useEffect, useEffectEvent, useRef } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import { t } from '#app/i18n/translate.ts'
import { useActions, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import type { McpAppRequest } from '#renderer/stores/view-state.ts'
import { SmallButton } from '#renderer/ui/button.tsx'
import { Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNearViewport } from '#renderer/ui/lib/use-near-viewport.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { McpAppFrame } from './app-frame.tsx'
import { frameEndLabels } from './sandboxed-frame.tsx'
import { type AskingMcpApp, type Closed, useToolMcpApp } from './use-tool-app.ts'

export const hasMcpApp = ({ view, state }: ToolCall): boolean => view !== undefined && (state.kind === 'running' || state.kind === 'done')

const closedLabels: Readonly<Record<Closed, string>> = {
  hidden: t`The app is hidden.`,
  'gave-way': t`This app is closed.`,
  ...frameEndLabels,
}

export function ToolMcpApp({ conversationId, call }: { readonly conversationId: string; readonly call: ToolCall }) {
  const box = useRef<HTMLDivElement>(null)
  const near = useNearViewport(box)
  const { shown, open, close } = useToolMcpApp(conversationId, call.id)
  const runs = useServers((state) => state.list.some(({ name, state: { kind } }) => name === call.server && kind === 'ready'))
  const untouched = shown.kind === 'closed' && shown.why === undefined
  const openByItself = useEffectEvent(() => open())
  useEffect(() => {
    if (near && runs && untouched) openByItself()
  }, [near, runs, untouched])
  const tool = call.tool ?? call.modelName
  const asked = shown.kind === 'asks' ? shown.view : undefined
  const { view } = useStores()
  const { announce } = useActions()
  const askInDock = useEffectEvent((app: AskingMcpApp) => {
    const answer = (show: boolean): void => (show ? open(app.fingerprint) : close('hidden'))
    const request: McpAppRequest = { kind: 'mcp-app', id: `view-${call.id}`, conversationId, server: app.server, tool, app, answer }
    view.setState(({ mcpAppRequests }) => ({ mcpAppRequests: [...mcpAppRequests, request] }))
    announce(t`“${app.server}” waits for your answer`)
    return () => view.setState(({ mcpAppRequests }) => ({ mcpAppRequests: mcpAppRequests.filter((one) => one !== request) }))
  })
  useEffect(() => asked && askInDock(asked), [asked])
  return (
    <div ref={box} className="tool-app" data-app={call.id}>
      {shown.kind === 'opening' && (
        <p className="row faint slowly">
          <Spinner /> {tx`Reading the view of ${<VisibleText text={tool} />}.`}
        </p>
      )}
      {shown.kind === 'closed' && (shown.why !== undefined || !runs) && (
        <p className="row help">
          <span>
            <VisibleText text={tool} />:{' '}
            {shown.why === undefined ? t`its view is not shown: “${call.server}” is not running.` : closedLabels[shown.why]}
          </span>
          <SmallButton onClick={() => open()}>{shown.why === undefined ? t`Start` : t`Show it`}</SmallButton>
        </p>
      )}
      {asked && (
        <p className="row help">
          <VisibleText text={tool} />: {t`waits for you`}
        </p>
      )}
      {shown.kind === 'failed' && <ErrorNotice error={shown.error} onRetry={() => open()} />}
      {shown.kind === 'open' && (
        <McpAppFrame key={shown.view.id} conversationId={conversationId} call={call} view={shown.view} onClose={close} />
      )}
    </div>
  )
}
