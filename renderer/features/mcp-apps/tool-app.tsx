// The MCP App of a call, below the call: its frame, or why there is none. It opens by itself only while its server runs: an old
// chat starts nothing. A view that reaches the network asks before it is drawn for the first time.

import { useEffect, useEffectEvent, useId, useRef } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import { t } from '#app/i18n/translate.ts'
import { AllowButton, AnswerButtons, DenyButton } from '#renderer/features/consent/request/answer-buttons.tsx'
import { useArming } from '#renderer/features/consent/request/use-arming.ts'
import { useSeen } from '#renderer/features/consent/request/use-seen.ts'
import { useServers } from '#renderer/stores/store-hooks.tsx'
import { SmallButton } from '#renderer/ui/button.tsx'
import { ServerMark, Spinner } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { useNearViewport } from '#renderer/ui/lib/use-near-viewport.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import { McpAppReach } from './app-bar.tsx'
import { McpAppFrame } from './app-frame.tsx'
import { frameEndLabels } from './sandboxed-frame.tsx'
import { type AskingMcpApp, type Closed, useToolMcpApp } from './use-tool-app.ts'

interface ViewAsksProps {
  readonly view: AskingMcpApp
  readonly tool: string
  readonly onShow: () => void
  readonly onHide: () => void
}

function McpAppRequests({ view, tool, onShow, onHide }: ViewAsksProps) {
  const card = useRef<HTMLElement>(null)
  const head = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const seen = useSeen(head, body)
  const headingId = useId()
  const arming = useArming(card, view.fingerprint)
  return (
    <section className="ask" ref={card} aria-labelledby={headingId}>
      <header ref={head}>
        <ServerMark name={view.server} />
        <h2 id={headingId}>{tx`${<ServerName name={view.server} />} has a view for ${<VisibleText text={tool} />}`}</h2>
      </header>
      <div className="body" ref={body}>
        <McpAppReach {...view} />
      </div>
      <AnswerButtons seen={seen}>
        <footer>
          <div className="answers">
            <AllowButton arming={arming} onPress={onShow}>
              {t`Show it`}
            </AllowButton>
            <DenyButton onPress={onHide}>{t`Don’t show it`}</DenyButton>
          </div>
        </footer>
      </AnswerButtons>
    </section>
  )
}

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
          <SmallButton onClick={() => open()}>{shown.why === undefined ? t`Start “${call.server}” and show it` : t`Show it`}</SmallButton>
        </p>
      )}
      {shown.kind === 'asks' && (
        <McpAppRequests view={shown.view} tool={tool} onShow={() => open(shown.view.fingerprint)} onHide={() => close('hidden')} />
      )}
      {shown.kind === 'failed' && <ErrorNotice error={shown.error} onRetry={() => open()} />}
      {shown.kind === 'open' && (
        <McpAppFrame key={shown.view.id} conversationId={conversationId} call={call} view={shown.view} onClose={close} />
      )}
    </div>
  )
}
