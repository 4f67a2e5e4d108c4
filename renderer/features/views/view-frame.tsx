// The frame of a view, with a bar that says whose it is and where it reaches: nothing in the frame can draw over that. It
// takes no focus by itself (`use-inert.ts`).
import { type CSSProperties, useCallback, useEffect, useRef, useState } from 'react'
import { reachesOut } from '#app/apps/domains.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { stripHidden } from '#app/consent/reveal.ts'
import { viewSandbox } from '#app/contract/csp.ts'
import { t } from '#app/words/translate.ts'
import { focusComposer } from '#renderer/shell/focus.ts'
import { useConsent, useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/class-names.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { useBridge } from './use-bridge.ts'
import { useFull } from './use-full.ts'
import { highestView, useHostContext, type ViewMode } from './use-host-context.ts'
import { useInert } from './use-inert.ts'
import { useTold } from './use-told.ts'
import type { Closed, ReadyView } from './use-tool-view.ts'
import { ViewBar } from './view-bar.tsx'

interface ViewFrameProps {
  readonly conversationId: string
  readonly call: ToolCall
  readonly view: ReadyView
  readonly onClose: (why: Closed) => void
}

/** By call, so that a view that comes back takes its place at once. */
const heights = new Map<string, number>()
const mostHeights = 200
const lowest = 60
const first = 200

interface Wanted {
  readonly words: string
  readonly answer: (yes: boolean) => void
}

export function ViewFrame({ conversationId, call, view, onClose }: ViewFrameProps) {
  const { drafts } = useStores()
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(heights.get(call.id) ?? first)
  const [mode, setMode] = useState<ViewMode>('inline')
  const [wanted, setWanted] = useState<Wanted | undefined>(undefined)
  const [calls, setCalls] = useState<readonly string[]>([])
  const [told, tell] = useTold(conversationId, view.id)
  const context = useHostContext(frame, view, mode)
  const pending = useRef<Wanted | undefined>(undefined)

  const put = useCallback((next: Wanted | undefined): void => {
    pending.current = next
    setWanted(next)
  }, [])
  useEffect(() => () => pending.current?.answer(false), [])

  const bridged = useBridge({
    frame,
    view,
    state: call.state.kind,
    context,
    onClose,
    hooks: {
      onHeight(pixels) {
        const next = Math.min(highestView, Math.max(lowest, Math.ceil(pixels)))
        if (heights.size >= mostHeights) heights.clear()
        heights.set(call.id, next)
        setHeight(next)
      },
      // One at a time: what is not answered yet is what the person reads.
      onMessage: (words) => (pending.current ? Promise.resolve(false) : new Promise((answer) => put({ words, answer }))),
      onContext: tell,
      onMode(wish) {
        const next = wish === 'pip' ? mode : wish
        setMode(next)
        return next
      },
      onCall: (tool, end) => setCalls((before) => (end === 'asked' ? [...before.slice(-19), tool] : before)),
    },
  })
  const { inert, enter, ...around } = useInert(frame, () => onClose('thief'))
  useFull(box, mode, () => setMode('inline'))
  // What it asks for stands in the chat: it gives way to the question.
  const asks = useConsent((state) => state.requests.some((request) => request.view?.callId === call.id))
  useEffect(() => {
    if (asks) setMode('inline')
  }, [asks])

  const answer = (yes: boolean): void => {
    const words = stripHidden(wanted?.words ?? '')
    wanted?.answer(yes)
    put(undefined)
    if (!yes) return
    const before = drafts.read(conversationId)
    drafts.set(conversationId, before.trim() === '' ? words : `${before}\n\n${words}`)
    setMode('inline')
    focusComposer()
  }
  const tool = call.tool ?? call.modelName
  const style: CSSProperties = mode === 'inline' ? { height } : {}
  return (
    <section
      ref={box}
      className={cx('view-box', mode === 'fullscreen' && 'full', view.border || reachesOut(view.domains) ? 'framed' : undefined)}
      aria-label={t`View of “${tool}” by “${view.server}”`}
    >
      <ViewBar
        view={view}
        tool={tool}
        mode={mode}
        calls={calls}
        told={told}
        onMode={setMode}
        onEnter={enter}
        onHide={() => bridged.end('hidden')}
      />
      <div className="view-stage" {...around}>
        <iframe
          ref={frame}
          inert={inert && mode === 'inline'}
          src={bridged.src}
          sandbox={viewSandbox}
          allow=""
          referrerPolicy="no-referrer"
          title={t`What “${tool}” of “${view.server}” shows`}
          style={style}
          onLoad={bridged.onLoad}
        />
      </div>
      {wanted && (
        <Notice
          tone="you"
          icon="edit"
          title={t`“${view.server}” has words for you to send.`}
          action={
            <span className="row">
              <Button size="sm" onClick={() => answer(true)}>
                {t`Put them into the message`}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => answer(false)}>
                {t`No`}
              </Button>
            </span>
          }
        >
          “<Revealed text={wanted.words} />”
        </Notice>
      )}
    </section>
  )
}
