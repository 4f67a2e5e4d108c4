// The pane beside the chat: one artifact at a time, as it is drawn, as code, or both. It shows the version that was opened; a later
// one waits until the person turns to it, since nothing runs before it is opened.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { mcpAppPath } from '#app/contract/csp.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { createFrameGuard } from '#renderer/features/mcp-apps/frame-guard.ts'
import { type FrameEnd, frameEndLabels, useSandboxedFrame } from '#renderer/features/mcp-apps/sandboxed-frame.tsx'
import { focusComposer, focusSoon, takeFocus } from '#renderer/navigation/focus.ts'
import { useActions, useConnection, useConsent, useStores, useTranscript, useView } from '#renderer/stores/store-hooks.tsx'
import type { ArtifactPlace } from '#renderer/stores/view-state.ts'
import { CopyButton, IconButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/field.tsx'
import { Badge, Dot, Icon } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { listen } from '#renderer/ui/lib/listen.ts'
import { saveTextFile } from '#renderer/ui/lib/save-file.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { Diagram } from '../diagram/diagram.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { DataTable } from '../results/data-table.tsx'
import { readTable } from '../results/read-table.ts'
import { kindLabel } from './artifact-card.tsx'
import { type Artifact, type ArtifactVersion, artifactAt, artifactDocument, artifactFileName, artifactsOf } from './find-artifacts.ts'

// A page or drawing of an answer, run in the isolation of MCP Apps (`sandboxed-frame.tsx`) and with no bridge: it reaches no network, no
// storage, nothing of Assent. Its script reports errors and what was blocked; the document can forge such reports, so each is a
// small text that is shown and nothing else.

type FrameReport =
  | { readonly kind: 'error'; readonly message: string; readonly line: number }
  | { readonly kind: 'blocked'; readonly host: string }

type Fields = Readonly<Record<string, unknown>>

/** Reads a report. `offset`: lines of ours before the document's first. `line` 0: not known. */
export function readReport(message: object, offset: number): FrameReport | undefined {
  const { method, params } = message as Fields
  const { message: text, line, address } = (typeof params === 'object' && params !== null ? params : {}) as Fields
  if (method === 'artifact/error' && typeof text === 'string') {
    const own = typeof line === 'number' && Number.isInteger(line) && line > offset ? line - offset : 0
    return { kind: 'error', message: text.slice(0, 300), line: own }
  }
  if (method === 'artifact/blocked' && typeof address === 'string')
    return { kind: 'blocked', host: (URL.canParse(address) && new URL(address).host) || address.slice(0, 60) }
  return undefined
}

interface Opened {
  readonly id: string
  readonly offset: number
}

const mostBlocked = 3

interface ArtifactFrameProps {
  readonly html: string
  readonly title: string
  /** Source, to quote the line of an error. */
  readonly code: string
}

/** Draws `html` once; another document needs another `key`. */
function ArtifactFrame({ html, title, code }: ArtifactFrameProps) {
  const { hostConnection } = useStores()
  const frame = useRef<HTMLIFrameElement>(null)
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  const [failed, setFailed] = useState<ErrorValue | undefined>(undefined)
  const [ended, setEnded] = useState<FrameEnd | undefined>(undefined)
  const [error, setError] = useState<Extract<FrameReport, { kind: 'error' }> | undefined>(undefined)
  const [blocked, setBlocked] = useState<readonly string[]>([])
  const [run, setRun] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another run opens it anew
  useEffect(() => {
    let gone = false
    let id: string | undefined
    let offset = 0
    const close = (): void => {
      if (id !== undefined) hostConnection.request('mcpApp.close', { id }).catch(() => undefined) // Gone with the host.
    }
    const guard = createFrameGuard(() => performance.now())
    const ignore = listen(window, {
      message({ source, data }) {
        if (source === null || source !== frame.current?.contentWindow) return
        const heard = guard.hear(data)
        if (heard.kind === 'flood') setEnded('flood')
        const report = heard.kind === 'message' ? readReport(heard.message, offset) : undefined
        if (report?.kind === 'error') setError((first) => first ?? report)
        if (report?.kind === 'blocked')
          setBlocked((before) => (before.includes(report.host) || before.length >= mostBlocked ? before : [...before, report.host]))
      },
    })
    setOpened(undefined)
    setFailed(undefined)
    setEnded(undefined)
    setError(undefined)
    setBlocked([])
    hostConnection.request('mcpApp.openArtifact', { html }).then(
      (answer) => {
        ;({ id, offset } = answer)
        if (gone) close()
        else setOpened(answer)
      },
      (reason: unknown) => !gone && setFailed(toErrorValue(reason)),
    )
    return () => {
      gone = true
      ignore()
      close()
    }
  }, [hostConnection, html, run])

  const again = (): void => setRun(run + 1)
  if (failed) return <ErrorNotice error={failed} onRetry={again} />
  if (ended) return <Notice title={frameEndLabels[ended]} action={<SmallButton onClick={again}>{t`Run again`}</SmallButton>} />
  return (
    <>
      <LiveFrame key={run} frame={frame} src={opened && mcpAppPath(opened.id)} title={title} onEnd={setEnded} />
      {error && (
        <WarnNotice title={error.line > 0 ? tx`Error in line ${error.line}` : t`Error`}>
          <VisibleText text={error.message} />
          {error.line > 0 && (
            <VisibleText as="code" className="mono artifact-line" text={(code.split('\n')[error.line - 1] ?? '').trim().slice(0, 200)} />
          )}
        </WarnNotice>
      )}
      {blocked.length > 0 && (
        <Notice icon="shield-off" title={t`Blocked: it has no network.`}>
          <VisibleText text={blocked.join(', ')} />
        </Notice>
      )}
    </>
  )
}

interface LiveFrameProps {
  readonly frame: { current: HTMLIFrameElement | null }
  readonly src: string | undefined
  readonly title: string
  readonly onEnd: (why: 'left' | 'thief') => void
}

/** The frame itself, which counts its loads anew with each run. */
function LiveFrame(props: LiveFrameProps) {
  const { enter, stage } = useSandboxedFrame(props)
  return (
    <>
      <SmallGhostButton className="app-enter" onClick={enter}>{t`Continue with focus inside`}</SmallGhostButton>
      {stage}
    </>
  )
}

type Mode = 'preview' | 'code' | 'both'
const modes: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: 'preview', label: t`Preview` },
  { value: 'code', label: t`Code` },
  { value: 'both', label: t`Both` },
]

const none: readonly Artifact[] = []
const tabOf = ({ versions: [first] }: Artifact) => first && <TabLabel version={first} />

function TabLabel({ version }: { readonly version: ArtifactVersion }) {
  return (
    <>
      <VisibleText className="cut" text={version.title ?? t`Untitled`} /> <Badge>{kindLabel(version)}</Badge>
    </>
  )
}

/** Whether the version has a preview beside its code. */
const isDrawn = ({ kind, code }: ArtifactVersion): boolean => kind !== 'code' && (kind !== 'csv' || tableOf(code) !== undefined)
const tableOf = (code: string) => readTable(code, code.slice(0, 2000).includes('\t') ? '\t' : ',')?.table

function Preview({ version, name }: { readonly version: ArtifactVersion; readonly name: string }) {
  const { kind, code } = version
  if (kind === 'mermaid') return <Diagram source={code} />
  if (kind === 'markdown') return <Markdown text={code} />
  const table = kind === 'csv' ? tableOf(code) : undefined
  if (table) return <DataTable table={table} />
  // Another text is another program, with a frame of its own.
  return (
    <ArtifactFrame
      key={`${version.messageId} ${version.part} ${version.start} ${code.length}`}
      html={artifactDocument(version)}
      title={name}
      code={code}
    />
  )
}

interface ArtifactPaneProps {
  readonly conversationId: string
  readonly place: ArtifactPlace
  readonly onClose: () => void
}

export function ArtifactPane({ conversationId, place, onClose }: ArtifactPaneProps) {
  const { view } = useStores()
  const artifacts = useTranscript(conversationId, artifactsOf) ?? none
  const found = artifactAt(artifacts, place)
  const version = found?.artifact.versions[found.index]
  const [wanted, setWanted] = useState<Mode>('preview')
  const heading = useRef<HTMLHeadingElement>(null)
  const isGone = artifacts !== none && !version
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  // Once for each opening: a pane that shows another artifact stays where the keys are.
  useEffect(() => heading.current?.focus(), [])
  if (!found || !version) return null
  const show = ({ messageId, part, start }: ArtifactPlace): void => view.setState({ artifact: { conversationId, messageId, part, start } })
  const { versions } = found.artifact
  const name = version.title ?? kindLabel(version)
  const drawn = version.closed && isDrawn(version)
  const mode = drawn ? wanted : 'code'
  const content = (
    <>
      {mode !== 'code' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <div className={`artifact-stage ${version.kind}`} tabIndex={0}>
          <Preview version={version} name={name} />
        </div>
      )}
      {mode !== 'preview' && (
        <div className="artifact-code">
          <CodeBlock code={version.code} language={version.language} growing={!version.closed} />
        </div>
      )}
    </>
  )
  return (
    <section
      className="artifact b"
      aria-label={t`Artifact “${name}”`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <header>
        <h2 ref={heading} tabIndex={-1} className="cut">
          <VisibleText text={name} />
        </h2>
        {drawn && <Segmented label={t`View`} value={mode} onChange={setWanted} choices={modes} />}
        <CopyButton text={version.code} label={t`Copy`} />
        <SaveButton version={version} />
        <IconButton label={t`Close`} icon="close" onClick={onClose} />
      </header>
      <WaitsInChat conversationId={conversationId} onClose={onClose} />
      <div className={cx('artifact-body', mode, artifacts.length === 1 && 'single')}>
        {/* Also around a single one: its frame must not move, and so load again, when another comes. */}
        <Tabs
          label={t`Artifacts of this chat`}
          value={found.artifact.key}
          tabs={artifacts.map((one) => ({ value: one.key, label: tabOf(one) }))}
          onChange={(key) => {
            const last = artifacts.find((one) => one.key === key)?.versions.at(-1)
            if (last) show(last)
          }}
        >
          {content}
        </Tabs>
      </div>
      <footer>
        {(version.kind === 'html' || version.kind === 'svg') && (
          <span className="row faint">
            <Icon name="shield" small />
            {t`No network, no files, no access to Assent`}
          </span>
        )}
        <span className="grow" />
        <Pager index={found.index} versions={versions} onShow={show} />
      </footer>
    </section>
  )
}

interface PagerProps {
  readonly index: number
  readonly versions: readonly ArtifactVersion[]
  readonly onShow: (place: ArtifactPlace) => void
}

function Pager({ index, versions, onShow }: PagerProps) {
  const [before, after] = [versions[index - 1], versions[index + 1]]
  const label: ReactNode = tx`Version ${index + 1} of ${versions.length}`
  return (
    <span className="pager">
      {versions.length > 1 && (
        <IconButton small label={t`Previous version`} icon="chevron-left" disabled={!before} onClick={() => before && onShow(before)} />
      )}
      {label}
      {versions.length > 1 && (
        <IconButton small label={t`Next version`} icon="chevron-right" disabled={!after} onClick={() => after && onShow(after)} />
      )}
    </span>
  )
}

/** Notice of what waits in the chat, where the pane covers it. */
function WaitsInChat({ conversationId, onClose }: { readonly conversationId: string; readonly onClose: () => void }) {
  const waits = useConsent((state) => state.requests.some((request) => request.conversationId === conversationId))
  if (!waits) return null
  return (
    <p className="waitbar artifact-waits" role="status">
      <Dot tone="you" /> {t`A request waits for you`}
      <span className="grow" />
      <SmallButton onClick={onClose}>{t`Show it`}</SmallButton>
    </p>
  )
}

/** Saves as a download in a browser; in Electron, whose window downloads nothing, by the host. */
function SaveButton({ version }: { readonly version: ArtifactVersion }) {
  const { ask, toast } = useActions()
  const shell = useConnection((state) => state.about?.shell.kind)
  const save = async (): Promise<void> => {
    const name = artifactFileName(version)
    if (shell !== 'electron') return saveTextFile(name, [version.code])
    const saved = await ask('blob.saveText', { name, text: version.code })
    if (saved?.path) toast(t`Saved as ${saved.path}`)
  }
  return <IconButton small label={t`Save as ${artifactFileName(version)}`} icon="download" onClick={() => void save()} />
}

/** The open artifact of a chat, and its closing, after which the focus is where it was opened. */
export function useOpenArtifact(conversationId: string): { readonly place: ArtifactPlace; readonly close: () => void } | undefined {
  const { view } = useStores()
  const [close] = useState(() => (): void => {
    const { artifact } = view.getState()
    view.setState({ artifact: undefined })
    const where = artifact && `[data-artifact="${CSS.escape(`${artifact.messageId} ${artifact.start}`)}"]`
    // A chat that the pane covered is there only after the next drawing.
    focusSoon(() => {
      const opener = where === undefined ? null : document.querySelector<HTMLElement>(where)
      return opener ? takeFocus(opener) : focusComposer()
    })
  })
  const place = useView(({ artifact }) => (artifact?.conversationId === conversationId ? artifact : undefined))
  // Whoever comes back to the chat finds nothing running.
  useEffect(() => () => view.setState({ artifact: undefined }), [view])
  return place && { place, close }
}
