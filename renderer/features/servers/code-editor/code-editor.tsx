// A text editor for servers.json. Its text is its owner's: what is typed is told, and what comes from elsewhere is put in
// as a change, so that it can be undone. A chunk of its own, fetched when the file is opened.
import { isolateHistory } from '@codemirror/commands'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { format } from 'jsonc-parser'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { offsetOf, type TextProblem } from '../config-text.ts'
import { extensions } from './extensions.ts'

export interface CodeEditorHandle {
  /** Puts the caret there and takes focus. */
  goTo(place: Pick<TextProblem, 'line' | 'column'>): void
  format(): void
}

interface CodeEditorProps {
  readonly ref?: Ref<CodeEditorHandle>
  readonly label: string
  readonly text: string
  readonly problems: readonly TextProblem[]
  readonly onText: (text: string) => void
  readonly onSave: () => void
}

export function CodeEditor({ ref, label, text, problems, onText, onSave }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const latest = useRef({ onText, onSave, text, label })
  latest.current = { onText, onSave, text, label }

  useEffect(() => {
    const element = host.current
    if (!element) return
    const save = (): boolean => {
      latest.current.onSave()
      return true
    }
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: extensions({
          label: latest.current.label,
          onText: (next) => latest.current.onText(next),
          keys: [
            { key: 'Mod-s', preventDefault: true, run: save },
            { key: 'Shift-Alt-f', preventDefault: true, run: formatAll },
          ],
        }),
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const current = view.current
    if (current) putText(current, text)
  }, [text])

  useEffect(() => {
    const current = view.current
    if (current) current.dispatch(setDiagnostics(current.state, problems.map(diagnosticIn(current.state.doc.toString()))))
  }, [problems])

  useImperativeHandle(ref, () => ({
    goTo({ line, column }) {
      const current = view.current
      if (!current) return
      const anchor = offsetOf(current.state.doc.toString(), line, column)
      current.dispatch({ selection: { anchor }, scrollIntoView: true })
      current.focus()
    },
    format() {
      if (view.current) formatAll(view.current)
    },
  }))

  return <div ref={host} className="editor" />
}

/** Only what differs is replaced: the caret stays where it is, and it can be undone. */
function putText(view: EditorView, next: string): void {
  const before = view.state.doc.toString()
  if (before === next) return
  let from = 0
  while (from < before.length && from < next.length && before[from] === next[from]) from += 1
  let [to, end] = [before.length, next.length]
  while (to > from && end > from && before[to - 1] === next[end - 1]) {
    to -= 1
    end -= 1
  }
  // A step of its own: undoing it brings back what was typed just before.
  view.dispatch({ changes: { from, to, insert: next.slice(from, end) }, annotations: isolateHistory.of('full') })
}

function formatAll(view: EditorView): boolean {
  const text = view.state.doc.toString()
  const edits = format(text, undefined, { insertSpaces: !/\n\t/.test(text), tabSize: 2, eol: '\n' })
  view.dispatch({ changes: edits.map(({ offset, length, content }) => ({ from: offset, to: offset + length, insert: content })) })
  return true
}

/** To the end of the word or text that it stands at. */
const diagnosticIn =
  (text: string) =>
  ({ line, column, message }: TextProblem): Diagnostic => {
    const from = offsetOf(text, line, column)
    const length = /^(?:"(?:[^"\\\n]|\\.)*"?|[\w.+-]+|.)/.exec(text.slice(from, from + 1000))?.[0].length ?? 0
    return { from, to: from + length, severity: 'error', message }
  }
