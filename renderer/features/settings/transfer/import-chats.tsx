// Chats from a file, or the several that an archive was unpacked to: looked through first, then imported on a press. Nothing in the file is ever run.

import { type DragEvent, useRef, useState } from 'react'
import { sourceNames } from '#app/chat/import/imported.ts'
import type { ImportSummary } from '#app/chat/import/summary.ts'
import type { ErrorValue } from '#app/errors.ts'
import { listWords, numberWords, percentWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { useActions } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorNotice } from '#renderer/ui/error-notice.tsx'
import { Track } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { sendFiles } from './send-files.ts'

type Mode = 'preview' | 'import'
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly mode: Mode; readonly share: number; readonly kept: number }
  | { readonly kind: 'read'; readonly mode: Mode; readonly summary: ImportSummary; readonly files: readonly File[] }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

const chatsWords = (count: number): string => (count === 1 ? t`one chat` : t`${numberWords(count)} chats`)
const messagesWords = (count: number): string => (count === 1 ? t`one message` : t`${numberWords(count)} messages`)

export function ImportChats() {
  const actions = useActions()
  const [state, setState] = useState<State>({ kind: 'idle' })
  const picker = useRef<HTMLInputElement>(null)
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
  const choose = (list: FileList | null): void => {
    const files = [...(list ?? [])]
    if (files.length > 0 && state.kind !== 'reading') void read(files, 'preview')
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    choose(event.dataTransfer.files)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file may be dropped here; the button does the same by keyboard
    <div className="stack" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <span className="row wrap">
        <Button size="sm" aria-disabled={state.kind === 'reading'} onClick={() => state.kind !== 'reading' && picker.current?.click()}>
          {t`Import chats…`}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          multiple
          accept=".json,.zip"
          aria-label={t`File of chats`}
          onChange={({ target }) => {
            choose(target.files)
            target.value = ''
          }}
        />
        <span className="help">{t`A zip archive or JSON that Assent, Claude or ChatGPT exported; you can drop it here.`}</span>
      </span>
      <div role="status" className="stack">
        {state.kind === 'reading' && (
          <span className="row">
            <Track part={state.share} label={state.mode === 'preview' ? t`Reading the file` : t`Importing`} />
            {state.mode === 'preview'
              ? t`Reading, ${percentWords(state.share)}`
              : t`Importing, ${percentWords(state.share)}, ${messagesWords(state.kept)} so far`}
            <Button size="sm" variant="ghost" onClick={() => stop.current?.abort()}>
              {t`Stop`}
            </Button>
          </span>
        )}
        {state.kind === 'read' && <Outcome mode={state.mode} summary={state.summary} />}
      </div>
      {state.kind === 'read' && state.mode === 'preview' && (
        <span className="row">
          {state.summary.conversations > 0 && (
            <Button size="sm" onClick={() => void read(state.files, 'import')}>
              {tx`Import ${chatsWords(state.summary.conversations)}`}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => setState({ kind: 'idle' })}>
            {state.summary.conversations > 0 ? t`Leave it` : t`Close`}
          </Button>
        </span>
      )}
      {state.kind === 'failed' && <ErrorNotice error={state.error} />}
    </div>
  )
}

interface Found {
  readonly conversations: number
  readonly chats: string
  readonly all: string
  readonly from: string
}

function foundWords(mode: Mode, { conversations, chats, all, from }: Found): string {
  if (conversations === 0) return t`There is no chat in it to import.`
  if (mode === 'import') return t`Imported ${chats} with ${all} from ${from}.`
  return conversations === 1
    ? t`There is one chat to import with ${all} from ${from}.`
    : t`There are ${chats} to import with ${all} from ${from}.`
}

function Outcome({ mode, summary }: { readonly mode: Mode; readonly summary: ImportSummary }) {
  const { conversations, messages, already, broken, faults, sources, cut } = summary
  const from = listWords(sources.map((source) => sourceNames()[source]))
  const [chats, all] = [chatsWords(conversations), messagesWords(messages)]
  const found = foundWords(mode, { conversations, chats, all, from })
  return (
    <>
      <p>
        {[
          found,
          conversations + already === 0 && t`Choose conversations.json, or the whole zip archive, as it was exported.`,
          already > 0 && t`${numberWords(already)} are here already.`,
          cut && t`The file ends in the midst of a chat: it is not whole.`,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {broken > 0 && (
        <details>
          <summary>
            {broken === 1
              ? t`One entry cannot be read and will be left out`
              : t`${numberWords(broken)} entries cannot be read and will be left out`}
          </summary>
          <ul>
            {faults.map(({ name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may have the same name
              <li key={index}>
                “<Revealed text={name} />
                ”: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
