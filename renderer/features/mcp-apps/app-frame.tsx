// The frame of an MCP App, under a bar that names its server and what it can reach: nothing in the frame can draw over the bar.

import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { type Attachment, attachmentLimits } from '#app/chat/attachments/attachment.ts'
import { withWordsOf } from '#app/chat/drafts.ts'
import type { ToolCall } from '#app/chat/message.ts'
import { mcpAppPath } from '#app/contract/csp.ts'
import { t } from '#app/i18n/translate.ts'
import { reachesOut } from '#app/mcp-apps/csp-domains.ts'
import { stripHidden } from '#app/text/hidden-characters.ts'
import { McpAppReach } from '#renderer/features/consent/consent-card.tsx'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { useActions, useConnection, useConsent, useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { listen } from '#renderer/ui/lib/listen.ts'
import { saveFile } from '#renderer/ui/lib/save-file.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'
import type { McpAppBridge, McpAppBridgeOptions, ViewFile } from './app-bridge.ts'
import { useSandboxedFrame } from './sandboxed-frame.tsx'
import { type McpAppDisplayMode, tallestMcpApp, useHostContext } from './use-host-context.ts'
import type { Closed, ReadyMcpApp } from './use-tool-app.ts'

// The bar over a view: its server, the places that it reaches, what it requested and what was refused.

interface ViewBarProps {
  readonly view: ReadyMcpApp
  readonly tool: string
  readonly mode: McpAppDisplayMode
  readonly calls: readonly string[]
  /** Whether a context of the view goes with the next message. */
  readonly hasContext: boolean
  readonly onMode: (mode: McpAppDisplayMode) => void
  readonly onEnter: () => void
  readonly onHide: () => void
}

function McpAppBar({ view, tool, mode, calls, hasContext, onMode, onEnter, onHide }: ViewBarProps) {
  const actions = useActions()
  const [open, setOpen] = useState(false)
  const moreId = useId()
  const { domains, refused, refusedPermissions } = view
  const places = new Set([...domains.connect, ...domains.resource]).size
  const reach = places === 0 ? t`no network` : t`${places} {host|hosts}`
  const last = calls.at(-1)
  const full = mode !== 'inline'
  return (
    <>
      <div className="app-bar">
        <ServerMark name={view.server} />
        <span className="cut">{tx`${<ServerName name={view.server} />} shows ${<VisibleText as="b" text={tool} />}`}</span>
        <SmallGhostButton aria-expanded={open} aria-controls={moreId} onClick={() => setOpen(!open)}>
          {reach}
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
        </SmallGhostButton>
        {hasContext && <Badge tone="ink">{t`with your next message`}</Badge>}
        {last !== undefined && (
          <span className="faint cut wide-only">
            {calls.length > 1
              ? tx`called ${<VisibleText text={last} />}, ${calls.length} calls`
              : tx`called ${<VisibleText text={last} />}`}
          </span>
        )}
        <span className="grow" />
        <SmallGhostButton className="app-enter" onClick={onEnter}>
          {t`Continue with focus inside`}
        </SmallGhostButton>
        <SmallGhostButton onClick={() => onMode(full ? 'inline' : 'fullscreen')}>
          {full ? t`Back to the chat` : t`Full page`}
        </SmallGhostButton>
        <IconButton label={t`Hide the view of “${tool}”`} icon="close" small onClick={onHide} />
      </div>
      <div id={moreId} hidden={!open} className="app-more">
        {open && (
          <>
            <p className="dim">{places === 0 ? t`Cannot load or send anything.` : t`Can reach only these hosts.`}</p>
            {(places > 0 || refused.length > 0 || refusedPermissions.length > 0) && <McpAppReach {...view} />}
            {reachesOut(domains) && (
              <SmallButton
                onClick={() => {
                  actions.go('mcpApp.forget', { id: view.id })
                  onHide()
                }}
              >
                {t`Hide, and ask next time`}
              </SmallButton>
            )}
          </>
        )}
      </div>
    </>
  )
}

interface BridgeUse extends Omit<McpAppBridgeOptions, 'frame' | 'hostConnection' | 'version' | 'onEnd'> {
  readonly frame: RefObject<HTMLIFrameElement | null>
  /** State of the call; its result is sent to the view once it has ended. */
  readonly state: ToolCall['state']['kind']
  readonly onClose: (why: Closed) => void
}

/**
 * Opens the bridge of a frame before the frame has an address, so that its first message is received, and closes it with the
 * frame. `src`: address of the frame once the bridge is open. `end`: lets the view tear itself down first.
 */
function useMcpAppBridge(use: BridgeUse) {
  const { frame, view, state, context, onClose } = use
  const { hostConnection, connection } = useStores()
  const [bridge, setBridge] = useState<McpAppBridge | undefined>(undefined)
  const latest = useEffectEvent(() => use)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    let closed = false
    let opened: McpAppBridge | undefined
    void import('./app-bridge.ts')
      .then(({ openMcpAppBridge }) =>
        openMcpAppBridge({
          frame: element,
          view,
          hostConnection,
          version: connection.getState().about?.version ?? '',
          context: latest().context,
          onHeight: (height) => latest().onHeight(height),
          onMessage: (text) => latest().onMessage(text),
          onFiles: (files) => latest().onFiles(files),
          onContext: (text) => latest().onContext(text),
          onMode: (wanted) => latest().onMode(wanted),
          onCall: (tool, end) => latest().onCall(tool, end),
          onEnd: (why) => latest().onClose(why === 'flood' ? 'flood' : 'hidden'),
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
  }, [frame, view, hostConnection, connection])

  useEffect(() => bridge?.changed(context), [bridge, context])
  useEffect(() => {
    if (!bridge || state === 'running') return
    let cancelled = false
    hostConnection.request('mcpApp.result', { id: view.id }).then(
      (result) => {
        if (!cancelled) bridge.result(result)
      },
      () => undefined, // The view is closed or the host is gone.
    )
    return () => {
      cancelled = true
    }
  }, [bridge, state, hostConnection, view])

  return {
    src: bridge ? mcpAppPath(view.id) : undefined,
    end(why: Closed): void {
      void (bridge?.close() ?? Promise.resolve()).then(() => onClose(why))
    },
  }
}

/**
 * Keeps the view's context for the model as one attachment of the draft, which the person sees and can remove. A new text replaces
 * the last one, an empty text removes it. `isAttached`: whether the draft has one.
 */
function useModelContext(conversationId: string, viewId: string): readonly [isAttached: boolean, attach: (text: string) => Promise<void>] {
  const { hostConnection, draftExtras } = useStores()
  const [isAttached, setAttached] = useState(false)
  const last = useRef<string | undefined>(undefined)
  const attach = async (text: string): Promise<void> => {
    const added = text === '' ? undefined : (await hostConnection.request('mcpApp.tell', { id: viewId, words: text })).attachment
    const before = last.current
    const others = (attachments: readonly Attachment[]): Attachment[] => attachments.filter(({ id }) => id !== before)
    if (added && others(draftExtras.read(conversationId).attachments).length >= attachmentLimits.count)
      throw new Error('The message has as many attachments as it takes.')
    last.current = added?.id
    draftExtras.change(conversationId, (extras) => ({ ...extras, attachments: [...others(extras.attachments), ...(added ? [added] : [])] }))
    setAttached(added !== undefined)
  }
  return [isAttached, attach]
}

/** Shows the view over the page, whole or in its corner, as a popover in its place: a frame that moves in the document would load again. */
function useFullScreen(box: RefObject<HTMLElement | null>, mode: McpAppDisplayMode, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const element = box.current
    if (!element || mode === 'inline') return
    element.setAttribute('popover', 'manual')
    element.showPopover()
    const ignore = listen(window, { keydown: ({ key }) => key === 'Escape' && mode === 'fullscreen' && leave() })
    return () => {
      ignore()
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

/** Heights of frames by call in pixels, so that a view that comes back takes its place at once. */
const heights = new Map<string, number>()
const mostHeights = 200
const minHeight = 60
const firstHeight = 200

interface Proposal {
  readonly what: string | readonly ViewFile[]
  readonly answer: (yes: boolean) => void
}

export function McpAppFrame({ conversationId, call, view, onClose }: ViewFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, keepHeight] = useFrameHeight(call.id)
  const [mode, setMode] = useState<McpAppDisplayMode>('inline')
  const [calls, setCalls] = useState<readonly string[]>([])
  const [hasContext, attachContext] = useModelContext(conversationId, view.id)
  const context = useHostContext(frame, view, mode)
  const { wanted, propose, answer } = useProposal(conversationId, view.server, () => setMode('inline'))
  const files = wanted && typeof wanted.what !== 'string' ? wanted.what : undefined

  // A request is answered in the chat: a view leaves the full page for its own, and the corner, where it may cover one, for any.
  const asks = useConsent((state) => state.requests.some((request) => request.view?.callId === call.id))
  const anyAsks = useConsent((state) => state.requests.length > 0)
  const covers = (which: McpAppDisplayMode): boolean => (which === 'pip' ? anyAsks : which === 'fullscreen' && asks)
  const mustLeave = covers(mode)
  useEffect(() => {
    if (mustLeave) setMode('inline')
  }, [mustLeave])

  const bridged = useMcpAppBridge({
    frame,
    view,
    state: call.state.kind,
    context,
    onClose,
    onHeight: keepHeight,
    onMessage: propose,
    onFiles: propose,
    onContext: attachContext,
    onMode(wanted) {
      const next = covers(wanted) ? 'inline' : wanted
      setMode(next)
      return next
    },
    onCall: (tool, end) => setCalls((before) => (end === 'asked' ? [...before.slice(-19), tool] : before)),
  })
  useFullScreen(box, mode, () => setMode('inline'))
  const tool = call.tool ?? call.modelName
  const { enter, stage } = useSandboxedFrame({
    frame,
    src: bridged.src,
    title: t`View of “${tool}” by “${view.server}”`,
    awake: mode !== 'inline',
    style: mode === 'inline' ? { height } : {},
    onEnd: onClose,
  })
  return (
    <section
      ref={box}
      className={cx(
        'app-box',
        mode !== 'inline' && 'full',
        mode === 'pip' && 'pip',
        view.border || reachesOut(view.domains) ? 'framed' : undefined,
      )}
      aria-label={t`View of “${tool}” by “${view.server}”`}
    >
      <McpAppBar
        view={view}
        tool={tool}
        mode={mode}
        calls={calls}
        hasContext={hasContext}
        onMode={setMode}
        onEnter={enter}
        onHide={() => bridged.end('hidden')}
      />
      {stage}
      {wanted && (
        <Notice
          tone="you"
          icon="edit"
          title={files ? t`“${view.server}” wants to save a file.` : t`“${view.server}” suggests a message.`}
          action={
            <span className="row">
              <SmallButton onClick={() => void answer(true)}>{files ? t`Save` : t`Insert`}</SmallButton>
              <SmallGhostButton onClick={() => void answer(false)}>{t`No`}</SmallGhostButton>
            </span>
          }
        >
          {files ? files.map(({ name }) => name).join(', ') : <VisibleText text={`“${String(wanted.what)}”`} />}
        </Notice>
      )}
    </section>
  )
}

function useFrameHeight(callId: string): readonly [height: number, keep: (pixels: number) => void] {
  const [height, setHeight] = useState(heights.get(callId) ?? firstHeight)
  const keep = (pixels: number): void => {
    const next = Math.min(tallestMcpApp, Math.max(minHeight, Math.ceil(pixels)))
    if (heights.size >= mostHeights) heights.clear()
    heights.set(callId, next)
    setHeight(next)
  }
  return [height, keep]
}

/** Saves files of a view. A window of Electron downloads nothing: there the host writes them. Resolves to whether all are saved. */
function useSavedFiles(): (files: readonly ViewFile[]) => Promise<boolean> {
  const { ask } = useActions()
  const inWindow = useConnection((state) => state.about?.shell.kind === 'electron')
  return async (files) => {
    for (const { name, text, base64 } of files)
      if (!inWindow) saveFile(name, base64 ? Uint8Array.from(atob(text), (each) => each.charCodeAt(0)) : text)
      else if (!(await ask('blob.saveText', { name, text, ...(base64 ? { base64 } : {}) }))?.path) return false
    return true
  }
}

/** Asks the person about a text or files of the view, one at a time; a text goes into the draft and calls `onTaken`, files are saved. */
function useProposal(conversationId: string, server: string, onTaken: () => void) {
  const { drafts, draftExtras } = useStores()
  const save = useSavedFiles()
  const [wanted, setWanted] = useState<Proposal | undefined>(undefined)
  const pending = useRef<Proposal | undefined>(undefined)
  const put = (next: Proposal | undefined): void => {
    pending.current = next
    setWanted(next)
  }
  useEffect(() => () => pending.current?.answer(false), [])

  return {
    wanted,
    // A second proposal is refused while the person reads the first.
    propose: (what: Proposal['what']): Promise<boolean> =>
      pending.current ? Promise.resolve(false) : new Promise((answer) => put({ what, answer })),
    async answer(yes: boolean): Promise<void> {
      if (!wanted) return
      const { what, answer } = wanted
      put(undefined)
      // What is no Base64 is no file either.
      if (typeof what !== 'string') return answer(yes && (await save(what).catch(() => false)))
      answer(yes)
      if (!yes) return
      const text = stripHidden(what)
      const before = drafts.read(conversationId)
      drafts.set(conversationId, before.trim() === '' ? text : `${before}\n\n${text}`)
      // The host has to know whose words these are.
      draftExtras.change(conversationId, (extras) => withWordsOf(extras, [server]))
      onTaken()
      focusComposer()
    },
  }
}
