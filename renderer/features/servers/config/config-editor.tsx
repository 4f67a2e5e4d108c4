// servers.json as text, with its problems at their lines. The file can change under the editor: untouched text follows it; changed
// text is kept and the person decides. Saving looks at the file first, so that no other change is overwritten unseen.
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { describeError, type ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ConfigProblem } from '#app/server/definition.ts'
import { useActions, useStores } from '#renderer/stores/store-hooks.tsx'
import { Button, CopyButton, GhostButton, SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice, Loading, WarnNotice } from '#renderer/ui/notice.tsx'
import { useLeaveGuard } from '../edit/unsaved-guard.tsx'
import type { CodeEditorHandle } from './code-editor/code-editor.tsx'
import { hostProblems, problemsOf, type TextProblem } from './config-problems.ts'

interface ConfigText {
  readonly path: string
  /** Text of the file when it was last read. */
  readonly base: string
  readonly text: string
  readonly problems: readonly ConfigProblem[]
  /** Text that the file got while there are changes here. */
  readonly theirs: string | undefined
  readonly saving: boolean
  readonly savedAt: number | undefined
  readonly error: ErrorValue | undefined
}

/** State of the editor after the file was read again. Pure. */
function afterLook(state: ConfigText | undefined, { path, text, problems }: Pick<ConfigText, 'path' | 'text' | 'problems'>): ConfigText {
  if (state === undefined)
    return { path, base: text, text, problems, theirs: undefined, saving: false, savedAt: undefined, error: undefined }
  if (text === state.base) {
    const isSame = state.theirs === undefined && JSON.stringify(problems) === JSON.stringify(state.problems)
    return isSame ? state : { ...state, path, problems, theirs: undefined }
  }
  if (state.text === state.base || state.text === text) return { ...state, path, base: text, text, problems, theirs: undefined }
  return state.theirs === text ? state : { ...state, path, theirs: text }
}

function useConfigText() {
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

  /** Reads the file; undefined: that failed, or a save began meanwhile. */
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
    const lookUnlessSaving = (): void => {
      if (saving.current) missed.current = true
      else void look()
    }
    window.addEventListener('focus', lookUnlessSaving)
    const offEvent = hostConnection.onEvent(({ name }) => {
      if (name === 'config.changed') lookUnlessSaving()
    })
    // The first read; and events were missed while the connection was down.
    const offStatus = hostConnection.onStatus((status) => {
      if (status === 'open') lookUnlessSaving()
    })
    return () => {
      window.removeEventListener('focus', lookUnlessSaving)
      offEvent()
      offStatus()
    }
  }, [hostConnection, look])

  const change = useCallback((part: Partial<ConfigText>): void => setState((before) => before && { ...before, ...part }), [])

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
    edit: (text: string): void => change({ text, savedAt: undefined, error: undefined }),
    save,
    /** Takes the file's text and drops the changes here. */
    takeTheirs: (theirs: string): void => change({ base: theirs, text: theirs, theirs: undefined }),
    /** Keeps the changes here: the next save replaces the file's. */
    keepMine: (theirs: string): void => change({ base: theirs, theirs: undefined }),
    revert: (base: string): void => change({ text: base, error: undefined }),
    reload: (): void => void look(),
  }
}

const CodeEditor = lazy(() => import('./code-editor/code-editor.tsx').then(({ CodeEditor }) => ({ default: CodeEditor })))

export function ConfigEditor() {
  const editing = useConfigText()
  const { state, loadError, save } = editing
  const { announce } = useActions()
  const editor = useRef<CodeEditorHandle | null>(null)
  const dirty = state !== undefined && state.text !== state.base
  const { question } = useLeaveGuard(dirty)
  const typed = useMemo(() => problemsOf(state?.text ?? '', state?.path ?? ''), [state?.text, state?.path])
  const saved = useMemo(() => hostProblems(state?.problems ?? []), [state?.problems])
  const savedAt = state?.savedAt
  useEffect(() => {
    if (savedAt !== undefined) announce(t`Saved`)
  }, [savedAt, announce])

  if (!state) return <div className="page">{loadError ? <FileFailure error={loadError} onRetry={editing.reload} /> : <Loading />}</div>
  const { theirs } = state
  // The host's problems are about the text as it was saved, and about the file itself.
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
        <CopyButton label={t`Copy path`} text={state.path} />
      </div>
      {state.error ? <FileFailure error={state.error} onRetry={trySave} /> : null}
      {theirs === undefined ? null : (
        <WarnNotice
          title={t`The file was changed elsewhere.`}
          action={
            <span className="row">
              <SmallButton onClick={() => editing.takeTheirs(theirs)}>{t`Load the file`}</SmallButton>
              <SmallGhostButton onClick={() => editing.keepMine(theirs)}>{t`Keep my text`}</SmallGhostButton>
            </span>
          }
        >
          {t`Loading replaces your changes.`}
        </WarnNotice>
      )}
      <Suspense fallback={<Loading />}>
        <CodeEditor ref={editor} label={t`servers.json`} text={state.text} problems={problems} onText={editing.edit} onSave={trySave} />
      </Suspense>
      <div id="config-problems" className="config-problems" role="status">
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.message}`}>
              <button type="button" className="err" onClick={() => goTo(problem)}>
                <Icon name="warning" small />
                <span className="num nowrap">{tx`Line ${problem.line}`}</span>
                <span className="problem-text">{problem.message}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <footer className="foot config-foot">
        <span className="help grow">{dirty || savedAt === undefined ? t`A changed command asks before it runs.` : t`Saved`}</span>
        <GhostButton onClick={() => editor.current?.format()}>{t`Format`}</GhostButton>
        <Button variant="ghost" aria-disabled={!dirty} onClick={() => dirty && editing.revert(state.base)}>
          {t`Revert`}
        </Button>
        <Button variant="primary" aria-disabled={!dirty || state.saving || !typed.isJson} onClick={trySave}>
          {t`Save`}
        </Button>
      </footer>
    </div>
  )
}

/** Replaces `ErrorNotice`, whose button for errors of the file leads to this page. */
function FileFailure({ error, onRetry }: { readonly error: ErrorValue; readonly onRetry: () => void }) {
  const { message, remedy } = describeError(error)
  return (
    <BadNotice title={message} action={<SmallButton onClick={onRetry}>{t`Try again`}</SmallButton>}>
      {remedy}
    </BadNotice>
  )
}
