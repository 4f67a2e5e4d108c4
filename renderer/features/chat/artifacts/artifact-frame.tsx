// A page or drawing of an answer, run in the isolation of MCP Apps (`sandboxed-frame.tsx`) and with no bridge: it reaches no network, no
// storage, nothing of Assent. Its script reports errors and what was blocked; the document can forge such reports, so each is a
// small text that is shown and nothing else.

import { useEffect, useRef, useState } from 'react'
import { mcpAppPath } from '#app/contract/csp.ts'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { createFrameGuard } from '#renderer/features/mcp-apps/frame-guard.ts'
import { type FrameEnd, frameEndLabels, useSandboxedFrame } from '#renderer/features/mcp-apps/sandboxed-frame.tsx'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice, Notice, WarnNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

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
export function ArtifactFrame({ html, title, code }: ArtifactFrameProps) {
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
