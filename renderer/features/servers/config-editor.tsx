// servers.json as text: a plain editor with line numbers and what is wrong at its line.
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { describeError } from '#app/describe-error.ts'
import type { ErrorValue } from '#app/errors.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CopyButton } from '#renderer/ui/copy-button.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { matchesChord, useOs } from '#renderer/ui/keys.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { hostProblems, offsetOf, type TextProblem, textProblems } from './config-text.ts'
import { Loading } from './load-state.tsx'
import { useConfigText } from './use-config-text.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

export function ConfigEditor() {
  const editing = useConfigText()
  const { state, loadError, save } = editing
  const { view } = useStores()
  const area = useRef<HTMLTextAreaElement>(null)
  const os = useOs()
  const dirty = state !== undefined && state.text !== state.base
  useLeaveGuard(dirty)
  const typed = useMemo(() => textProblems(state?.text ?? ''), [state?.text])
  const savedAt = state?.savedAt
  useEffect(() => {
    if (savedAt !== undefined) announce(view, 'Saved.')
  }, [savedAt, view])

  if (!state)
    return <div className="page">{loadError ? <FileFailure error={loadError} onRetry={editing.reload} /> : <Loading what="file" />}</div>
  // What the host said is about the text as it was saved; while that is being changed only the JSON can be judged.
  const problems = typed.length > 0 ? typed : dirty ? [] : hostProblems(state.problems)
  const trySave = (): void => {
    if (typed.length === 0 && dirty && !state.saving) void save()
    else if (typed[0]) goTo(typed[0])
  }
  const goTo = ({ line, column }: TextProblem): void => {
    const offset = offsetOf(state.text, line, column)
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (!matchesChord(event, { key: 's', mod: true }, os)) return
    event.preventDefault()
    trySave()
  }
  return (
    <div className="config">
      <div className="row config-head">
        <span className="mono faint cut grow" title={state.path}>
          {state.path}
        </span>
        <CopyButton label="Copy the path" text={state.path} />
      </div>
      {state.error ? <FileFailure error={state.error} onRetry={trySave} /> : null}
      {state.theirs === undefined ? null : (
        <Notice
          tone="warn"
          title="The file was changed outside of this editor."
          action={
            <span className="row">
              <Button size="sm" onClick={editing.takeTheirs}>
                Load the file
              </Button>
              <Button size="sm" variant="ghost" onClick={editing.keepMine}>
                Keep my text
              </Button>
            </span>
          }
        >
          Loading it drops your changes here. Keeping yours replaces the file when you save.
        </Notice>
      )}
      <Editor area={area} text={state.text} problems={problems} onEdit={editing.edit} onKey={onKey} />
      <ProblemList problems={problems} onGo={goTo} />
      <footer className="foot config-foot">
        <span className="help grow">
          {dirty ? 'Not saved yet.' : savedAt === undefined ? 'A changed command is shown to you before it runs.' : 'Saved.'}
        </span>
        <Button variant="ghost" aria-disabled={!dirty} onClick={() => dirty && editing.revert()}>
          Revert
        </Button>
        <Button variant="primary" aria-disabled={!dirty || state.saving || typed.length > 0} onClick={trySave}>
          Save
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
          Try again
        </Button>
      }
    >
      {remedy}
    </Notice>
  )
}

interface EditorProps {
  readonly area: React.RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly onEdit: (text: string) => void
  readonly onKey: (event: KeyboardEvent) => void
}

function Editor({ area, text, problems, onEdit, onKey }: EditorProps) {
  const gutter = useRef<HTMLDivElement>(null)
  const lines = text.split('\n').length
  const wrong = new Set(problems.map(({ line }) => line))
  return (
    <div className="editor">
      <div ref={gutter} className="gutter" aria-hidden="true">
        {Array.from({ length: lines }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line number is its index.
          <div key={index} className={wrong.has(index + 1) ? 'wrong' : undefined}>
            {index + 1}
          </div>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="servers.json"
        aria-describedby={problems.length > 0 ? 'config-problems' : undefined}
        aria-invalid={problems.length > 0 ? true : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        value={text}
        onChange={(event) => onEdit(event.target.value)}
        onKeyDown={onKey}
        onScroll={(event) => {
          if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop
        }}
      />
    </div>
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
              <span className="num nowrap">Line {problem.line}</span>
              <span className="problem-text">{problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
