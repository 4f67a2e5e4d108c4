// servers.json as text: an editor that knows what may be written where, with what is wrong at its line.
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { describeError } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import type { CodeEditorHandle } from './code-editor/code-editor.tsx'
import { hostProblems, problemsOf, type TextProblem } from './config-text.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { Loading } from './load-state.tsx'
import { useConfigText } from './use-config-text.ts'

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
