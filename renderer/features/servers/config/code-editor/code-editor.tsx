// A text editor for servers.json (CodeMirror), in a chunk of its own. Its text belongs to the owner: edits are reported, and text
// from elsewhere is put in as a change that can be undone. Tab is bound to nothing, so that it leaves the editor.

import { autocompletion, type CompletionSource, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, Prec } from '@codemirror/state'
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
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { offsetOf, type TextProblem } from '../config-problems.ts'
import { completionsAt, explainAt, wordAt } from './assist.ts'

// Theme of the editor in the page's tokens, which follow light and dark. The editor lives in a shadow root with adopted style
// sheets, as the page's content security policy allows no inline style.

const field = { font: 'var(--t-ui)', color: 'var(--text)', background: 'var(--panel)', borderRadius: 'var(--r-ctl)' }

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', background: 'var(--panel)' },
  '&.cm-focused': { outline: 'none', boxShadow: 'inset 2px 0 0 var(--ink)' },
  '.cm-scroller': { font: 'var(--t-code)', scrollbarWidth: 'thin' },
  '.cm-content': { padding: '0.625rem 0 2.5rem', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 1rem 0 0.375rem' },
  '.cm-gutters': { background: 'var(--panel)', color: 'var(--text-3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.125rem', padding: '0 0.5rem 0 0.375rem', fontSize: '0.6875rem' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 0.25rem' },
  '.cm-lint-marker': { width: '0.625rem', height: '1.25rem' },
  // Not a picture in a data: address: a shape and a colour of ours.
  '.cm-lint-marker-error': { content: 'normal', color: 'var(--danger)' },
  '.cm-lint-marker-error::before': { content: '"●"', fontSize: '0.6875rem', lineHeight: '1.25rem' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '0.1875rem' },
  '.tok-name': { color: 'var(--ink)' },
  '.tok-literal': { color: 'var(--ok)' },
  '.tok-comment': { color: 'var(--text-3)', fontStyle: 'italic' },
  '.cm-activeLine': { background: 'var(--hover)' },
  '.cm-activeLineGutter': { background: 'var(--hover)', color: 'var(--text)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { background: 'var(--ink-wash)', outline: '1px solid var(--ink-edge)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--danger-wash)' },
  '.cm-searchMatch': { background: 'var(--warn-wash)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { background: 'var(--ink-wash)', outline: '1px solid var(--ink)' },
  '.cm-selectionMatch': { background: 'var(--active)' },
  '.cm-tooltip': { ...field, background: 'var(--raised)', border: '1px solid var(--edge)', boxShadow: 'var(--lift)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--t-code)', maxHeight: '14em', borderRadius: 'inherit' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 0.625rem', lineHeight: '1.25rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--ink-fill)', color: 'var(--on-ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '0.75rem' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--on-ink)' },
  '.cm-completionInfo, .cm-about': { padding: '0.5rem 0.625rem', maxWidth: '21.25rem', font: 'var(--t-small)', color: 'var(--text)' },
  '.cm-about b': { fontFamily: 'var(--mono)', fontWeight: '600' },
  '.cm-about span': { color: 'var(--text-3)', marginLeft: '0.5rem' },
  '.cm-about p': { margin: '0.25rem 0 0' },
  '.cm-diagnostic': { font: 'var(--t-small)', padding: '0.375rem 0.625rem' },
  '.cm-diagnostic-error': { borderLeft: '0.1875rem solid var(--danger)' },
  '.cm-panels': { ...field, borderRadius: '0', background: 'var(--sunken)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0.375rem',
    alignItems: 'center',
    padding: '0.5rem 2.5rem 0.5rem 0.75rem',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', content: '""' },
  '.cm-panel.cm-search label': { font: 'var(--t-small)', display: 'inline-flex', alignItems: 'center', gap: '0.25rem', margin: '0' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--ink)' },
  '.cm-textfield': { ...field, border: '1px solid var(--field)', padding: '2px 0.5rem', minHeight: '1.625rem', margin: '0' },
  '.cm-button': {
    ...field,
    border: '1px solid var(--edge)',
    backgroundImage: 'none',
    padding: '2px 0.625rem',
    minHeight: '1.625rem',
    margin: '0',
  },
  '.cm-button:hover': { background: 'var(--hover)' },
  '.cm-button:focus-visible, .cm-textfield:focus-visible': { outline: '2px solid var(--ink)', outlineOffset: '1px' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--text-2)',
    fontSize: '1.125rem',
    width: '1.625rem',
    height: '1.625rem',
    top: '0.5rem',
    right: '0.5rem',
  },
})

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
  const { save } = useChords()
  const os = useOs()
  const onKey = (event: KeyboardEvent): boolean => {
    const saves = matchesChord(event, save, os)
    if (saves) onSave()
    return saves
  }
  const latest = useRef({ onText, onKey, text, label })
  latest.current = { onText, onKey, text, label }

  useEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          // True: the event is handled, and goes no further.
          Prec.highest(EditorView.domEventHandlers({ keydown: (event) => latest.current.onKey(event) })),
          extensions(latest.current.label, (next) => latest.current.onText(next), [
            { key: 'Shift-Alt-f', preventDefault: true, run: formatAll },
          ]),
        ],
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
