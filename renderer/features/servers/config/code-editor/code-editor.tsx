// A text editor for servers.json (CodeMirror), in a chunk of its own. Its text belongs to the owner: edits are reported, and text
// from elsewhere is put in as a change that can be undone. Tab is bound to nothing, so that it leaves the editor.

import { autocompletion, type CompletionSource, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { format } from 'jsonc-parser'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { offsetOf, type TextProblem } from '../config-problems.ts'
import { completionsAt, explainAt, wordAt } from './assist.ts'
import { theme } from './theme.ts'

/** JSON with comments, for colours and indentation; it reports no errors. */
const parser: StreamParser<{ comment: boolean; brackets: number }> = {
  name: 'jsonc',
  startState: () => ({ comment: false, brackets: 0 }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (state.comment) {
      state.comment = !stream.match(/^.*?\*\//)
      if (state.comment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.comment = true
      return 'comment'
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string'
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number'
    if (stream.match(/^(?:true|false|null)\b/)) return 'atom'
    const next = stream.next()
    if (next === '{' || next === '[') state.brackets += 1
    if (next === '}' || next === ']') state.brackets = Math.max(0, state.brackets - 1)
    return null
  },
  indent: ({ brackets }, after, context) => Math.max(0, brackets - (/^\s*[}\]]/.test(after) ? 1 : 0)) * context.unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['{', '[', '"'] },
    indentOnInput: /^\s*[}\]]$/,
  },
}

const classes: Readonly<Record<string, string>> = {
  propertyName: 'tok-name',
  number: 'tok-literal',
  atom: 'tok-literal',
  comment: 'tok-comment',
}

const complete: CompletionSource = ({ state, pos, explicit }) => {
  const offer = completionsAt(state.doc.toString(), pos)
  // Unasked only while something is being typed.
  if (!offer || (!explicit && offer.from === pos)) return null
  return {
    from: offer.from,
    options: offer.options.map(({ label, insert, detail, about, caret }, index) => ({
      // What is typed begins with the quotation mark, and is compared with this.
      label: state.sliceDoc(offer.from, offer.from + 1) === '"' ? `"${label}` : label,
      displayLabel: label,
      // Read after the name, and not as one word with it.
      detail: detail && ` ${detail}`,
      info: about,
      // What is needed most stands first, as in the schema.
      boost: -index,
      apply: (view: EditorView, _one: unknown, from: number, to: number) =>
        view.dispatch({
          // The rest of the word goes too, with the quotation mark that closed itself.
          changes: { from, to: Math.max(to, wordAt(view.state.doc.toString(), to).to), insert },
          selection: { anchor: from + (caret ?? insert.length) },
          userEvent: 'input.complete',
        }),
    })),
  }
}

const explain = hoverTooltip((view, pos) => {
  const found = explainAt(view.state.doc.toString(), pos)
  if (!found) return null
  return {
    pos: found.from,
    end: found.to,
    create() {
      const dom = document.createElement('div')
      dom.className = 'cm-about'
      const [name, detail, about] = [document.createElement('b'), document.createElement('span'), document.createElement('p')]
      name.textContent = found.name
      detail.textContent = found.detail
      about.textContent = found.about
      dom.append(name, detail, about)
      return { dom }
    },
  }
})

const extensions = (label: string, onText: (text: string) => void, keys: readonly KeyBinding[]): Extension => [
  keymap.of([...keys, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
  lineNumbers(),
  lintGutter(),
  history(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  indentUnit.of('  '),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ override: [complete], icons: false }),
  explain,
  search({ top: true }),
  highlightSelectionMatches(),
  StreamLanguage.define(parser),
  syntaxHighlighting({ style: ([tag]) => classes[String(tag)] ?? null }),
  theme,
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false' }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString())
  }),
]

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
        extensions: extensions(latest.current.label, (next) => latest.current.onText(next), [
          { key: 'Mod-s', preventDefault: true, run: save },
          { key: 'Shift-Alt-f', preventDefault: true, run: formatAll },
        ]),
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    if (view.current) putText(view.current, text)
  }, [text])

  useEffect(() => {
    const current = view.current
    current?.dispatch(setDiagnostics(current.state, problems.map(diagnosticIn(current.state.doc.toString()))))
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

/** Replaces only the part that differs: the caret stays, and the change can be undone. */
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

/** Diagnostic of a problem, to the end of the word or string at its place. */
const diagnosticIn =
  (text: string) =>
  ({ line, column, message }: TextProblem): Diagnostic => {
    const from = offsetOf(text, line, column)
    const length = /^(?:"(?:[^"\\\n]|\\.)*"?|[\w.+-]+|.)/.exec(text.slice(from, from + 1000))?.[0].length ?? 0
    return { from, to: from + length, severity: 'error', message }
  }
