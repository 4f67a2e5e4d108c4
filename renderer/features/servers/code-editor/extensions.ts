// What the editor of servers.json can do. Tab is bound to nothing, so that it leaves the editor as it leaves any field.
import { autocompletion, type CompletionSource, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { explainAt, offerAt, wordAt } from './assist.ts'
import { jsonWithComments } from './language.ts'
import { theme } from './theme.ts'

const complete: CompletionSource = ({ state, pos, explicit }) => {
  const offer = offerAt(state.doc.toString(), pos)
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

interface ExtensionOptions {
  readonly label: string
  readonly onText: (text: string) => void
  readonly keys: readonly KeyBinding[]
}

export const extensions = ({ label, onText, keys }: ExtensionOptions): Extension => [
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
  jsonWithComments(),
  theme,
  EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false' }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) onText(update.state.doc.toString())
  }),
]
