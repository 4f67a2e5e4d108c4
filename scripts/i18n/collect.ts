// What a source file says to people: the keys of its messages, and words that do not go through `t` or `tx` though they look as if they should.
import { parseSync } from 'vite'
import { messageKey } from '#app/i18n/translate.ts'
import { isMessage, isNode, type Node, nameOf, placesOfWords, READ } from './places.ts'

export interface Said {
  readonly keys: readonly string[]
  /** Words that stand bare in what a person sees, with their lines, from 1. */
  readonly bare: readonly Place[]
  /** Messages that are said as their module is read, in whatever language that is. */
  readonly early: readonly Place[]
}

interface Place {
  readonly line: number
  readonly words: string
}

/** Begins like a sentence, and goes on like one. */
const SENTENCE = /^\p{Lu}[\p{Ll}’]*(?: \p{Ll}[\p{L}’]*,?){2}/u
const WORD = /\p{L}{2}/u
/** Words and numbers, with no mark of a name, a path or an option in them. */
const PLAIN = /^(?=.*\p{Ll}{2})[\p{L}\d{} ’“”…,.?!()-]*$/u
const NAME = /\p{L}[.:]\p{L}/u
/** They are called so in every language. */
const NAMES = new Set([
  'Assent',
  'stdout',
  'stderr',
  'macOS',
  'Windows',
  'Linux',
  'uv',
  'Python',
  'Claude',
  'ChatGPT',
  'Anthropic',
  'DPoP',
  'null',
])
/** In the host nothing else has two words in a row, the second of them small, but SQL. */
const SPOKEN = /(?:^|[\s“{}([])[\p{L}’'-]{2,}[,:;]? [\p{Ll}’'-]{2,}(?:[\s.,:;?!…)}”]|$)/u
const SQL =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|VALUES|ORDER BY|PRAGMA|ALTER|DROP|BEGIN|AND|AS|ROLLBACK|RELEASE|SAVEPOINT|ESCAPE|NULL)\b/u

const textOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type === 'TemplateLiteral') return messageKey(quasis(node))
  return
}

const quasis = (template: Node): readonly string[] =>
  (template['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked)

/** Holds what is said beside a type: `{ … } as const`. */
const TYPED = /^TS(?:As|Satisfies|NonNull)Expression$/u
const LOG_LEVEL = /^(?:error|warn|info|debug)$/u
const isLog = (callee: unknown): boolean => {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !LOG_LEVEL.test(nameOf(callee['property']))) return false
  const object = callee['object']
  return nameOf(isNode(object) && object.type === 'MemberExpression' ? object['property'] : object) === 'log'
}

/** Thrown words and those of the log are for whoever develops; types, names of modules and directives are for the compiler, what is compared for the code. */
const unsaid = (node: Node): boolean =>
  (node.type.startsWith('TS') && !TYPED.test(node.type)) ||
  node.type.startsWith('Import') ||
  (node.type === 'NewExpression' && /^(?:Type|Range|Protocol)?Error$/u.test(nameOf(node['callee']))) ||
  (node.type === 'CallExpression' && (/^(?:Symbol|protocolError)$/u.test(nameOf(node['callee'])) || isLog(node['callee']))) ||
  (node.type === 'BinaryExpression' && /^[=!]==$/u.test(String(node['operator']))) ||
  (node.type === 'ExpressionStatement' && typeof node['directive'] === 'string')

/**
 * Reads one file of ours; no file is read here, only its text. The page has class names in rows of words, so there only whole sentences are told.
 *
 * @throws SyntaxError naming the file when it is not TypeScript.
 */
export function collectSaid(file: string, source: string): Said {
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`)
  const isSpoken = /^renderer\/|\.tsx$/u.test(file)
    ? (text: string) => SENTENCE.test(text)
    : (text: string) => SPOKEN.test(text) && !SQL.test(text)
  const places = placesOfWords(program, source)
  const isWord = (text: string): boolean => PLAIN.test(text) && !NAME.test(text) && !NAMES.has(text)
  const keys: string[] = []
  const bare: Place[] = []
  const early: Place[] = []
  const placeOf = (node: Node, words: string): Place => ({ line: source.slice(0, node.start).split('\n').length, words: words.trim() })
  const tellBare = (node: Node, words: string): void => void bare.push(placeOf(node, words))

  const visit = (value: unknown, isLater: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, isLater)
      return
    }
    if (!isNode(value) || unsaid(value)) return
    const later = isLater || /Function/u.test(value.type)
    if (value.type === 'CallExpression' && nameOf(value['callee']) === 'logFailure') {
      const [, , step] = value['arguments'] as readonly unknown[]
      visit(step, later)
      return
    }
    if (value.type === 'TaggedTemplateExpression') {
      const quasi = value['quasi'] as Node
      const isOurs = isMessage(value)
      if (isOurs) keys.push(messageKey(quasis(quasi)))
      if (isOurs && !later) early.push(placeOf(value, messageKey(quasis(quasi))))
      visit(quasi['expressions'], later)
      return
    }
    if (value.type === 'JSXText' && WORD.test(String(value['value']))) tellBare(value, String(value['value']))
    if (value.type === 'JSXAttribute') {
      const given = value['value']
      const text = textOf(isNode(given) && given.type === 'JSXExpressionContainer' ? given['expression'] : given)
      if (text !== undefined) {
        if (READ.has(nameOf(value['name'])) && WORD.test(text)) tellBare(value, text)
        return
      }
    }
    if (value.type === 'Property' && value['computed'] !== true) {
      visit(value['value'], later)
      return
    }
    const text = textOf(value)
    if (text !== undefined && (isSpoken(text) || (places.has(value) && isWord(text)))) tellBare(value, text)
    for (const [field, child] of Object.entries(value)) if (field !== 'type') visit(child, later)
  }
  visit(program, false)
  return { keys, bare, early }
}
