// JSON with comments, for colours, indentation and “comment this line”. What is no JSON is for others to say.
import { StreamLanguage, type StreamParser, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

interface Depth {
  comment: boolean
  brackets: number
}

const parser: StreamParser<Depth> = {
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

/** Classes of `theme.ts`, by the names of the tokens above. */
const classes: Readonly<Record<string, string>> = {
  propertyName: 'tok-name',
  number: 'tok-literal',
  atom: 'tok-literal',
  comment: 'tok-comment',
}

export const jsonWithComments = (): Extension => [
  StreamLanguage.define(parser),
  syntaxHighlighting({ style: ([tag]) => classes[String(tag)] ?? null }),
]
