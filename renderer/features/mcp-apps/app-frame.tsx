// The frame of a view, with a bar that says whose it is and where it reaches: nothing in the frame can draw over that. It takes
// no focus by itself (`use-inert.ts`). A view over the whole page. It becomes a popover in its place: a frame that is moved in
// the document would begin anew. What a view wants the model to know: one attachment of the message that is being written,
// which the person sees and can take away. Each new word of the view replaces its last one; none at all takes it back.
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { type CSSProperties, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Attachment, attachmentLimits } from '#app/chat/attachments/attachment.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { mcpAppPath, mcpAppSandbox } from '#app/contract/csp.ts'
import { t } from '#app/i18n/translate.ts'
import { reachesOut } from '#app/mcp-apps/csp-domains.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { useConsent, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { McpAppBar } from './app-bar.tsx'
import type { McpAppBridge, McpAppBridgeOptions } from './app-bridge.ts'
import { type McpAppDisplayMode, tallestMcpApp, useHostContext } from './use-host-context.ts'
import { useInert } from './use-inert.ts'
import type { Closed, ReadyMcpApp } from './use-tool-app.ts'

// The bridge of one frame: opened before the frame has an address, so that its first word is heard; told how the call ended
// and how the page looks; closed with the frame.

interface BridgedMcpApp {
  /** Where the frame goes; undefined: nobody would hear it yet. */
  readonly src: string | undefined
  /** To be told of each load of the frame: there is one. */
  readonly onLoad: () => void
  /** It may put away what it has, first. */
  readonly end: (why: Closed) => void
}

type Hooks = Pick<McpAppBridgeOptions, 'onHeight' | 'onMessage' | 'onContext' | 'onMode' | 'onCall'>

interface BridgeUse {
  readonly frame: RefObject<HTMLIFrameElement | null>
  readonly view: ReadyMcpApp
  readonly state: ToolCall['state']['kind']
  readonly context: McpUiHostContext
  readonly hooks: Hooks
  readonly onClose: (why: Closed) => void
}

function useMcpAppBridge({ frame, view, state, context, hooks, onClose }: BridgeUse): BridgedMcpApp {
  const { link, connection } = useStores()
  const [bridge, setBridge] = useState<McpAppBridge | undefined>(undefined)
  const loads = useRef<number>(0)
  const latest = useRef({ hooks, context, onClose })
  useEffect(() => {
    latest.current = { hooks, context, onClose }
  })

  useEffect(() => {
    const element = frame.current
    if (!element) return
    let closed = false
    let opened: McpAppBridge | undefined
    const now = <K extends keyof Hooks>(name: K): Hooks[K] =>
      ((...args: never[]) => (latest.current.hooks[name] as (...all: never[]) => unknown)(...args)) as Hooks[K]
    void import('./app-bridge.ts')
      .then(({ openMcpAppBridge }) =>
        openMcpAppBridge({
          frame: element,
          view,
          link,
          version: connection.getState().about?.version ?? '',
          context: latest.current.context,
          onReady: () => undefined,
          onHeight: now('onHeight'),
          onMessage: now('onMessage'),
          onContext: now('onContext'),
          onMode: now('onMode'),
          onCall: now('onCall'),
          onEnd: (why) => latest.current.onClose(why === 'flood' ? 'flood' : 'hidden'),
        }),
      )
      .then((made) => {
        opened = made
        if (closed) void made.close()
        else setBridge(made)
      })
    return () => {
      closed = true
      void opened?.close()
    }
  }, [frame, view, link, connection])

  useEffect(() => bridge?.changed(context), [bridge, context])
  useEffect(() => {
    if (!bridge || state === 'running') return
    let gone = false
    link.request('view.result', { id: view.id }).then(
      (result) => {
        if (!gone) bridge.result(result)
      },
      () => undefined, // It is closed, or the host is gone: the view goes without.
    )
    return () => {
      gone = true
    }
  }, [bridge, state, link, view])

  return {
    src: bridge ? mcpAppPath(view.id) : undefined,
    onLoad() {
      if (!bridge) return
      loads.current += 1
      if (loads.current > 1) onClose('left')
    },
    end(why) {
      void (bridge?.close() ?? Promise.resolve()).then(() => onClose(why))
    },
  }
}

function useCallUpdates(conversationId: string, viewId: string): readonly [told: boolean, tell: (words: string) => Promise<void>] {
  const { link, draftExtras } = useStores()
  const [told, setTold] = useState(false)
  const last = useRef<string | undefined>(undefined)
  const tell = useCallback(
    async (words: string): Promise<void> => {
      const added = words === '' ? undefined : (await link.request('view.tell', { id: viewId, words })).attachment
      const before = last.current
      const others = (attachments: readonly Attachment[]): Attachment[] => attachments.filter(({ id }) => id !== before)
      if (added && others(draftExtras.read(conversationId).attachments).length >= attachmentLimits.count)
        throw new Error('The message has as many attachments as it takes.')
      last.current = added?.id
      draftExtras.change(conversationId, (extras) => ({
        ...extras,
        attachments: [...others(extras.attachments), ...(added ? [added] : [])],
      }))
      setTold(added !== undefined)
    },
    [link, draftExtras, conversationId, viewId],
  )
  return [told, tell]
}

function useFullScreen(box: RefObject<HTMLElement | null>, mode: McpAppDisplayMode, onLeave: () => void): void {
  const leave = useRef(onLeave)
  useEffect(() => {
    leave.current = onLeave
  })
  useEffect(() => {
    const element = box.current
    if (!element || mode !== 'fullscreen') return
    element.setAttribute('popover', 'manual')
    element.showPopover()
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave.current()
    }
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('keydown', onKey)
      element.hidePopover()
      element.removeAttribute('popover')
    }
  }, [box, mode])
}

interface ViewFrameProps {
  readonly conversationId: string
  readonly call: ToolCall
  readonly view: ReadyMcpApp
  readonly onClose: (why: Closed) => void
}

/** By call, so that a view that comes back takes its place at once. */
const heights = new Map<string, number>()
const mostHeights = 200
const lowest = 60
const first = 200

/** Words that the view proposes for the person's message. */
interface Wanted {
  readonly words: string
  readonly answer: (yes: boolean) => void
}

export function McpAppFrame({ conversationId, call, view, onClose }: ViewFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, keepHeight] = useFrameHeight(call.id)
  const [mode, setMode] = useState<McpAppDisplayMode>('inline')
  const [calls, setCalls] = useState<readonly string[]>([])
  const [told, tell] = useCallUpdates(conversationId, view.id)
  const context = useHostContext(frame, view, mode)
  const { wanted, propose, answer } = useProposedMessage(conversationId, () => setMode('inline'))

  const bridged = useMcpAppBridge({
    frame,
    view,
    state: call.state.kind,
    context,
    onClose,
    hooks: {
      onHeight: keepHeight,
      onMessage: propose,
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
  useFullScreen(box, mode, () => setMode('inline'))
  // What it asks for stands in the chat: it gives way to the question.
  const asks = useConsent((state) => state.requests.some((request) => request.view?.callId === call.id))
  useEffect(() => {
    if (asks) setMode('inline')
  }, [asks])

  const tool = call.tool ?? call.modelName
  const style: CSSProperties = mode === 'inline' ? { height } : {}
  return (
    <section
      ref={box}
      className={cx('view-box', mode === 'fullscreen' && 'full', view.border || reachesOut(view.domains) ? 'framed' : undefined)}
      aria-label={t`View of “${tool}” by “${view.server}”`}
    >
      <McpAppBar
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
          sandbox={mcpAppSandbox}
          allow=""
          referrerPolicy="no-referrer"
          title={t`What “${tool}” of “${view.server}” shows`}
          style={style}
          onLoad={bridged.onLoad}
        />
      </div>
      {wanted && <ProposedMessage server={view.server} words={wanted.words} onAnswer={answer} />}
    </section>
  )
}

/** Height of the frame of a call in pixels, kept for when its view comes back. */
function useFrameHeight(callId: string): readonly [height: number, keep: (pixels: number) => void] {
  const [height, setHeight] = useState(heights.get(callId) ?? first)
  const keep = (pixels: number): void => {
    const next = Math.min(tallestMcpApp, Math.max(lowest, Math.ceil(pixels)))
    if (heights.size >= mostHeights) heights.clear()
    heights.set(callId, next)
    setHeight(next)
  }
  return [height, keep]
}

/** Asks the person about words of the view, one at a time; those that they take go into the draft. `onTaken`: they did. */
function useProposedMessage(conversationId: string, onTaken: () => void) {
  const { drafts } = useStores()
  const [wanted, setWanted] = useState<Wanted | undefined>(undefined)
  const pending = useRef<Wanted | undefined>(undefined)
  const put = useCallback((next: Wanted | undefined): void => {
    pending.current = next
    setWanted(next)
  }, [])
  useEffect(() => () => pending.current?.answer(false), [])

  return {
    wanted,
    // One at a time: what is not answered yet is what the person reads.
    propose: (words: string): Promise<boolean> =>
      pending.current ? Promise.resolve(false) : new Promise((answer) => put({ words, answer })),
    answer(yes: boolean): void {
      const words = stripHidden(wanted?.words ?? '')
      wanted?.answer(yes)
      put(undefined)
      if (!yes) return
      const before = drafts.read(conversationId)
      drafts.set(conversationId, before.trim() === '' ? words : `${before}\n\n${words}`)
      onTaken()
      focusComposer()
    },
  }
}

interface ProposedMessageProps {
  readonly server: string
  readonly words: string
  readonly onAnswer: (yes: boolean) => void
}

function ProposedMessage({ server, words, onAnswer }: ProposedMessageProps) {
  return (
    <Notice
      tone="you"
      icon="edit"
      title={t`“${server}” has words for you to send.`}
      action={
        <span className="row">
          <Button size="sm" onClick={() => onAnswer(true)}>
            {t`Put them into the message`}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => onAnswer(false)}>
            {t`No`}
          </Button>
        </span>
      }
    >
      “<VisibleText text={words} />”
    </Notice>
  )
}
