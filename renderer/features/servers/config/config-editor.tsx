// servers.json as text: an editor that knows what may be written where, with what is wrong at its line.
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { describeError } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { announce } from '#renderer/stores/view-state.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Loading } from '#renderer/ui/error-notice.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { useLeaveGuard } from '../edit/unsaved-guard.tsx'
import type { CodeEditorHandle } from './code-editor/code-editor.tsx'
import { hostProblems, problemsOf, type TextProblem } from './config-problems.ts'

// servers.json as text: what the file has, what the person made of it, and what happens when both change.
// The file can change under the editor (another program, the forms): untouched text follows it, touched text is kept
// and the person decides. Saving looks at the file first, so that nobody's change is overwritten unseen.

interface ConfigText {
  readonly path: string
  /** As the file was when it was last read. */
  readonly base: string
  readonly text: string
  readonly problems: readonly ConfigProblem[]
  /** The file has become this, while there are changes here. */
  readonly theirs: string | undefined
  readonly saving: boolean
  readonly savedAt: number | undefined
  readonly error: ErrorValue | undefined
}

interface ConfigEditing {
  readonly state: ConfigText | undefined
  readonly loadError: ErrorValue | undefined
  readonly edit: (text: string) => void
  readonly save: () => Promise<void>
  /** Takes the file's text and drops the changes here. */
  readonly takeTheirs: () => void
  /** Keeps the changes here: the next save replaces the file's. */
  readonly keepMine: () => void
  readonly revert: () => void
  readonly reload: () => void
}

const sameProblems = (a: readonly ConfigProblem[], b: readonly ConfigProblem[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/** What a fresh look at the file means for what is being edited. Pure. */
function afterLook(
  state: ConfigText | undefined,
  file: { readonly path: string; readonly text: string; readonly problems: readonly ConfigProblem[] },
): ConfigText {
  const { path, text, problems } = file
  if (state === undefined)
    return { path, base: text, text, problems, theirs: undefined, saving: false, savedAt: undefined, error: undefined }
  if (text === state.base)
    return state.theirs === undefined && sameProblems(problems, state.problems) ? state : { ...state, path, problems, theirs: undefined }
  if (state.text === state.base || state.text === text) return { ...state, path, base: text, text, problems, theirs: undefined }
  return state.theirs === text ? state : { ...state, path, theirs: text }
}

function useConfigText(): ConfigEditing {
  const { attempt } = useActions()
  const { hostConnection } = useStores()
  const [state, setState] = useState<ConfigText | undefined>(undefined)
  const [loadError, setLoadError] = useState<ErrorValue | undefined>(undefined)
  const latest = useRef(state)
  latest.current = state
  const saving = useRef<boolean>(false)
  const saves = useRef(0)
  /** The file changed while a save was under way; the save itself is such a change. */
  const missed = useRef<boolean>(false)

  /** Undefined: it failed, or a save began meanwhile, and what it saw is old. */
  const look = useCallback(async (): Promise<ConfigText | undefined> => {
    const before = saves.current
    const outcome = await attempt('config.get', {})
    if (before !== saves.current) return undefined
    if (!outcome.ok) {
      if (!latest.current) setLoadError(outcome.error)
      return undefined
    }
    setLoadError(undefined)
    setState((now) => afterLook(now, outcome.value))
    return afterLook(latest.current, outcome.value)
  }, [attempt])

  useEffect(() => {
    const lookOrLater = (): void => {
      if (saving.current) missed.current = true
      else void look()
    }
    window.addEventListener('focus', lookOrLater)
    const offEvent = hostConnection.onEvent(({ name }) => {
      if (name === 'config.changed') lookOrLater()
    })
    // The first look; and what the host told while it could not be reached was not heard.
    const offStatus = hostConnection.onStatus((status) => {
      if (status === 'open') lookOrLater()
    })
    return () => {
      window.removeEventListener('focus', lookOrLater)
      offEvent()
      offStatus()
    }
  }, [hostConnection, look])

  const change = useCallback((part: Partial<ConfigText>): void => {
    setState((before) => (before ? { ...before, ...part } : before))
  }, [])

  const save = useCallback(async (): Promise<void> => {
    const looked = await look()
    if (!looked || looked.theirs !== undefined || saving.current) return
    saving.current = true
    saves.current++
    change({ saving: true, error: undefined })
    const { text } = looked
    const outcome = await attempt('config.save', { text })
    saving.current = false
    saves.current++
    if (outcome.ok) change({ saving: false, base: text, problems: outcome.value.problems, savedAt: Date.now() })
    else change({ saving: false, error: outcome.error })
    if (missed.current) void look()
    missed.current = false
  }, [attempt, change, look])

  return {
    state,
    loadError,
    edit: (text) => change({ text, savedAt: undefined, error: undefined }),
    save,
    takeTheirs: () =>
      setState((before) =>
        before?.theirs === undefined ? before : { ...before, base: before.theirs, text: before.theirs, theirs: undefined },
      ),
    keepMine: () => setState((before) => (before?.theirs === undefined ? before : { ...before, base: before.theirs, theirs: undefined })),
    revert: () => setState((before) => (before ? { ...before, text: before.base, error: undefined } : before)),
    reload: () => void look(),
  }
}

const CodeEditor = lazy(() => import('./code-editor/code-editor.tsx').then(({ CodeEditor }) => ({ default: CodeEditor })))

export function ConfigEditor() {
  const editing = useConfigText()
  const { state, loadError, save } = editing
  const { view } = useStores()
  const editor = useRef<CodeEditorHandle | null>(null)
  const dirty = state !== undefined && state.text !== state.base
  const { question } = useLeaveGuard(dirty)
  const typed = useMemo(() => problemsOf(state?.text ?? '', state?.path ?? ''), [state?.text, state?.path])
  const saved = useMemo(() => hostProblems(state?.problems ?? []), [state?.problems])
  const savedAt = state?.savedAt
  useEffect(() => {
    if (savedAt !== undefined) announce(view, t`Saved.`)
  }, [savedAt, view])

  if (!state)
    return <div className="page">{loadError ? <FileFailure error={loadError} onRetry={editing.reload} /> : <Loading what={t`file`} />}</div>
  // What the host said is about the text as it was saved, and about the file itself.
  const problems = dirty ? typed.found : saved
  const trySave = (): void => {
    const [first] = typed.found
    if (!typed.isJson && first) goTo(first)
    else if (dirty && !state.saving) void save()
  }
  const goTo = (place: TextProblem): void => editor.current?.goTo(place)
  return (
    <div className="config">
      {question}
      <div className="row config-head">
        <span className="mono faint cut grow" title={state.path}>
          {state.path}
        </span>
        <CopyButton label={t`Copy the path`} text={state.path} />
      </div>
      {state.error ? <FileFailure error={state.error} onRetry={trySave} /> : null}
      {state.theirs === undefined ? null : (
        <Notice
          tone="warn"
          title={t`The file was changed outside of this editor.`}
          action={
            <span className="row">
              <Button size="sm" onClick={editing.takeTheirs}>
                {t`Load the file`}
              </Button>
              <Button size="sm" variant="ghost" onClick={editing.keepMine}>
                {t`Keep my text`}
              </Button>
            </span>
          }
        >
          {t`Loading it replaces your changes here; Undo brings them back. Keeping yours replaces the file when you save.`}
        </Notice>
      )}
      <Suspense fallback={<Loading what={t`editor`} />}>
        <CodeEditor ref={editor} label={t`servers.json`} text={state.text} problems={problems} onText={editing.edit} onSave={trySave} />
      </Suspense>
      <ProblemList problems={problems} onGo={goTo} />
      <footer className="foot config-foot">
        <span className="help grow">
          {dirty ? t`Not saved yet.` : savedAt === undefined ? t`A changed command is shown to you before it runs.` : t`Saved.`}
        </span>
        <Button variant="ghost" onClick={() => editor.current?.format()}>
          {t`Format`}
        </Button>
        <Button variant="ghost" aria-disabled={!dirty} onClick={() => dirty && editing.revert()}>
          {t`Revert`}
        </Button>
        <Button variant="primary" aria-disabled={!dirty || state.saving || !typed.isJson} onClick={trySave}>
          {t`Save`}
        </Button>
      </footer>
    </div>
  )
}

/** Not the common notice: its button for errors of the file leads here. */
function FileFailure({ error, onRetry }: { readonly error: ErrorValue; readonly onRetry: () => void }) {
  const { message, remedy } = describeError(error)
  return (
    <Notice
      tone="bad"
      title={message}
      action={
        <Button size="sm" onClick={onRetry}>
          {t`Try again`}
        </Button>
      }
    >
      {remedy}
    </Notice>
  )
}

function ProblemList({ problems, onGo }: { readonly problems: readonly TextProblem[]; readonly onGo: (problem: TextProblem) => void }) {
  return (
    <div id="config-problems" className="config-problems" role="status">
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.message}`}>
            <button type="button" className="err" onClick={() => onGo(problem)}>
              <Icon name="warning" small />
              <span className="num nowrap">{tx`Line ${problem.line}`}</span>
              <span className="problem-text">{problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
