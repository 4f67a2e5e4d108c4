// What a tool shows, below its call: a frame of its own, or in its place why there is none. It is drawn by itself only while
// its server runs: to look at an old chat starts nothing.
import { useEffect, useRef } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import { t } from '#app/words/translate.ts'
import { useNear } from '#renderer/features/chat/diagram/use-near.ts'
import { useServers } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Spinner } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { type Closed, useToolView } from './use-tool-view.ts'
import { ViewAsks } from './view-asks.tsx'
import { ViewFrame } from './view-frame.tsx'

/** Before it runs, and where it never did, there is nothing to show. */
export const hasView = ({ view, state }: ToolCall): boolean => view !== undefined && (state.kind === 'running' || state.kind === 'done')

const closedWords: Readonly<Record<Closed, string>> = {
  hidden: t`Its view is hidden.`,
  'gave-way': t`Its view was put away: only a few live at a time.`,
  flood: t`Its view was ended: it sent messages without a stop.`,
  thief: t`Its view was ended: it took the focus again and again.`,
  left: t`Its view was ended: it tried to go to another page.`,
}

export function ToolView({ conversationId, call }: { readonly conversationId: string; readonly call: ToolCall }) {
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  const { shown, open, close } = useToolView(conversationId, call.id)
  const runs = useServers((state) => state.list.some(({ name, state: { kind } }) => name === call.server && kind === 'ready'))
  const untouched = shown.kind === 'closed' && shown.why === undefined
  useEffect(() => {
    if (near && runs && untouched) open()
  }, [near, runs, untouched, open])
  const tool = call.tool ?? call.modelName
  return (
    <div ref={box} className="tool-view" data-view={call.id}>
      {shown.kind === 'opening' && (
        <p className="row faint slowly">
          <Spinner /> {tx`Reading the view of ${<Revealed text={tool} />}.`}
        </p>
      )}
      {shown.kind === 'closed' && (shown.why !== undefined || !runs) && (
        <p className="row help">
          <span>
            <Revealed text={tool} />:{' '}
            {shown.why === undefined ? t`its view is not drawn, because “${call.server}” is not running.` : closedWords[shown.why]}
          </span>
          <Button size="sm" onClick={() => open()}>
            {shown.why === undefined ? t`Start “${call.server}” and show it` : t`Show it again`}
          </Button>
        </p>
      )}
      {shown.kind === 'asks' && (
        <ViewAsks view={shown.view} tool={tool} onShow={() => open(shown.view.fingerprint)} onHide={() => close('hidden')} />
      )}
      {shown.kind === 'failed' && <ErrorNotice error={shown.error} onRetry={() => open()} />}
      {shown.kind === 'open' && (
        <ViewFrame key={shown.view.id} conversationId={conversationId} call={call} view={shown.view} onClose={close} />
      )}
    </div>
  )
}
