// Imports chats from a file, or from the several files of an unpacked archive (conversations-000.json, …): the host looks through
// them first, then imports them on a press. Nothing in a file is ever run.
import { type DragEvent, useRef, useState } from 'react'
import { type ImportSummary, sourceNames } from '#app/chat/import/imported-conversation.ts'
import type { ErrorValue } from '#app/errors.ts'
import { formatList, formatNumber, formatPercent } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { Actions } from '#renderer/stores/actions.ts'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { FileButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { inPieces } from '#renderer/ui/forms/file-pieces.ts'
import { Track } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ErrorNotice } from '#renderer/ui/notice.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

/** Milliseconds between two questions for the progress. */
const LOOK_MS = 500

type FileOutcome =
  | { readonly kind: 'done'; readonly summary: ImportSummary }
  | { readonly kind: 'failed'; readonly error: ErrorValue }
  | { readonly kind: 'stopped' }

type Mode = 'preview' | 'import'

interface SendOptions {
  readonly mode: Mode
  /** Called with the share of the file that the host has read. */
  readonly onProgress: (share: number) => void
  /** Called with the number of messages that the host has kept. */
  readonly onKept: (messages: number) => void
  readonly signal: AbortSignal
}

async function sendFile(
  { attempt }: Pick<Actions, 'attempt'>,
  file: File,
  { mode, onProgress, onKept, signal }: SendOptions,
): Promise<FileOutcome> {
  const begun = await attempt('import.begin', { mode })
  if (!begun.ok) return { kind: 'failed', error: begun.error }
  const { id } = begun.value
  const stop = (): void => void attempt('import.cancel', { id })
  signal.addEventListener('abort', stop, { once: true })
  const timer = setInterval(() => void look(), LOOK_MS)
  const look = async (): Promise<void> => {
    const progress = await attempt('import.progress', { id })
    if (progress.ok) onKept(progress.value.messages)
  }
  try {
    return await send()
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  }

  async function send(): Promise<FileOutcome> {
    const sent = await inPieces(file, { push: (_at, base64) => attempt('import.push', { id, base64 }), onProgress, signal })
    if (sent.kind === 'unreadable') {
      stop()
      return { kind: 'failed', error: { code: 'import.unreadable', message: t`“${file.name}” could not be read.` } }
    }
    if (sent.kind !== 'sent') return sent
    const ended = await attempt('import.end', { id })
    if (signal.aborted) return { kind: 'stopped' }
    return ended.ok ? { kind: 'done', summary: ended.value } : { kind: 'failed', error: ended.error }
  }
}

const none: ImportSummary = { conversations: 0, messages: 0, already: 0, broken: 0, faults: [], sources: [], cut: false }

/** Sends files in turn, as one import. A file that cannot be read fails a single import; of several it is listed. */
async function sendFiles(
  actions: Pick<Actions, 'attempt'>,
  files: readonly File[],
  { onProgress, onKept, ...options }: SendOptions,
): Promise<FileOutcome> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0) || 1
  let sent = 0
  let all = none
  for (const file of files) {
    const kept = all.messages
    const outcome = await sendFile(actions, file, {
      ...options,
      onProgress: (share) => onProgress((sent + share * file.size) / bytes),
      onKept: (messages) => onKept(kept + messages),
    })
    if (outcome.kind === 'stopped' || (outcome.kind === 'failed' && files.length === 1)) return outcome
    all = both(all, outcome.kind === 'done' ? outcome.summary : unreadable(file, outcome.error.message))
    sent += file.size
  }
  return { kind: 'done', summary: all }
}

const unreadable = ({ name }: File, reason: string): ImportSummary => ({ ...none, broken: 1, faults: [{ name, reason }] })

const both = (a: ImportSummary, b: ImportSummary): ImportSummary => ({
  conversations: a.conversations + b.conversations,
  messages: a.messages + b.messages,
  already: a.already + b.already,
  broken: a.broken + b.broken,
  faults: [...a.faults, ...b.faults],
  sources: [...new Set([...a.sources, ...b.sources])],
  cut: a.cut || b.cut,
})

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly mode: Mode; readonly share: number; readonly kept: number }
  | { readonly kind: 'read'; readonly mode: Mode; readonly summary: ImportSummary; readonly files: readonly File[] }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

const chatCount = (count: number): string => t`${formatNumber(count)} {chat|chats}`
const messageCount = (count: number): string => t`${formatNumber(count)} {message|messages}`

export function ImportChats() {
  const actions = useActions()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const stop = useRef<AbortController | undefined>(undefined)

  const read = async (files: readonly File[], mode: Mode): Promise<void> => {
    stop.current?.abort()
    const abort = new AbortController()
    stop.current = abort
    setState({ kind: 'reading', mode, share: 0, kept: 0 })
    const go = (step: { readonly share?: number; readonly kept?: number }): void =>
      setState((now) => (now.kind === 'reading' && stop.current === abort ? { ...now, ...step } : now))
    const outcome = await sendFiles(actions, files, {
      mode,
      signal: abort.signal,
      onProgress: (share) => go({ share }),
      onKept: (kept) => go({ kept }),
    })
    if (stop.current !== abort) return
    if (outcome.kind === 'done') setState({ kind: 'read', mode, summary: outcome.summary, files })
    else setState(outcome.kind === 'failed' ? outcome : { kind: 'idle' })
  }
  const choose = (files: readonly File[]): void => {
    if (files.length > 0 && state.kind !== 'reading') void read(files, 'preview')
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    choose([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file may be dropped here; the button does the same by keyboard
    <div className="stack" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <span className="row wrap">
        <FileButton size="sm" accept=".json,.zip" multiple busy={state.kind === 'reading'} onFiles={choose}>
          {t`Import chats…`}
        </FileButton>
        <span className="help">{t`A zip or JSON export of Assent, Claude or ChatGPT.`}</span>
      </span>
      <div role="status" className="stack">
        {state.kind === 'reading' && (
          <span className="row">
            <Track part={state.share} label={state.mode === 'preview' ? t`Reading the file` : t`Import chats…`} />
            {state.mode === 'preview' ? formatPercent(state.share) : `${formatPercent(state.share)} · ${messageCount(state.kept)}`}
            <SmallGhostButton onClick={() => stop.current?.abort()}>{t`Stop`}</SmallGhostButton>
          </span>
        )}
        {state.kind === 'read' && <Outcome mode={state.mode} summary={state.summary} />}
      </div>
      {state.kind === 'read' && state.mode === 'preview' && (
        <span className="row">
          {state.summary.conversations > 0 && (
            <SmallButton
              onClick={() => void read(state.files, 'import')}
            >{tx`Import ${chatCount(state.summary.conversations)}`}</SmallButton>
          )}
          <SmallGhostButton onClick={() => setState({ kind: 'idle' })}>
            {state.summary.conversations > 0 ? t`Cancel` : t`Close`}
          </SmallGhostButton>
        </span>
      )}
      {state.kind === 'failed' && <ErrorNotice error={state.error} />}
    </div>
  )
}

function Outcome({ mode, summary }: { readonly mode: Mode; readonly summary: ImportSummary }) {
  const { conversations, messages, already, broken, faults, sources, cut } = summary
  const from = formatList(sources.map((source) => sourceNames()[source]))
  const [chats, all] = [chatCount(conversations), messageCount(messages)]
  const found =
    conversations === 0
      ? t`There is no chat in this file that Assent can read.`
      : mode === 'import'
        ? t`Imported ${chats} with ${all} from ${from}.`
        : t`To import: ${chats}, ${all}, from ${from}.`
  return (
    <>
      <p>
        {[
          found,
          conversations + already === 0 && t`Unpack it, and choose conversations.json.`,
          already > 0 && t`Already imported: ${formatNumber(already)}.`,
          cut && t`The file ends in the middle of a chat.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {broken > 0 && (
        <details>
          <summary>{t`${formatNumber(broken)} {entry|entries} could not be read.`}</summary>
          <ul>
            {faults.map(({ name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may have the same name
              <li key={index}>
                “<VisibleText text={name} />
                ”: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
