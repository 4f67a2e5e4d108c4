// Coloured code as a flat list of tokens with the few kinds that have a colour; the grammars' tree has about forty nested classes.
// Pure.
import type { createLowlight } from 'lowlight'

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type Node = Root['children'][number]

/** Classes of highlight.js, without their prefix, by the kind that has their colour. */
const classesOf = {
  word: 'keyword selector-tag',
  name: 'built_in title section selector-id',
  text: 'string regexp template-tag symbol link',
  number: 'number literal bullet',
  note: 'comment quote doctag meta',
  type: 'type attr attribute name selector-class variable',
  added: 'addition',
  removed: 'deletion',
} as const
type TokenKind = keyof typeof classesOf
const kinds = new Map(
  (Object.keys(classesOf) as TokenKind[]).flatMap((kind) => classesOf[kind].split(' ').map((name) => [name, kind] as const)),
)

export interface CodeToken {
  readonly text: string
  readonly kind?: TokenKind
}

const classPrefix = 'hljs-'

function kindOf(className: unknown): TokenKind | undefined {
  if (!Array.isArray(className)) return undefined
  const [first] = className
  return typeof first === 'string' && first.startsWith(classPrefix) ? kinds.get(first.slice(classPrefix.length)) : undefined
}

/** Flattens the tree; the texts of the tokens joined are the code again. */
export function toTokens(root: Root): CodeToken[] {
  const tokens: CodeToken[] = []
  const visit = (node: Node, around: TokenKind | undefined): void => {
    if (node.type === 'text') {
      const last = tokens.at(-1)
      if (last && last.kind === around) tokens[tokens.length - 1] = { ...last, text: last.text + node.value }
      else tokens.push(around ? { text: node.value, kind: around } : { text: node.value })
    } else if (node.type === 'element') {
      const kind = kindOf(node.properties['className']) ?? around
      for (const child of node.children) visit(child, kind)
    }
  }
  for (const child of root.children) visit(child, undefined)
  return tokens
}

/** Limits of a run, which is drawn in one task. */
const linesPerRun = 40
const longestRun = 4000

/** Splits code into runs of lines; of longer code, all of them but the last are the same. */
export function codeRuns(code: string): readonly string[] {
  const runs: string[] = []
  for (let at = 0; at < code.length || runs.length === 0; at += runs.at(-1)?.length ?? 0) runs.push(code.slice(at, endOfRun(code, at)))
  return runs
}

function endOfRun(code: string, from: number): number {
  const most = from + longestRun
  let end = from
  for (let lines = 0; lines < linesPerRun; lines += 1) {
    const newline = code.indexOf('\n', end)
    const next = newline < 0 ? code.length : newline + 1
    if (next > most) return end > from ? end : most - (/[\uD800-\uDBFF]/.test(code.charAt(most - 1)) ? 1 : 0)
    end = next
  }
  return end
}

/** Groups tokens by the runs of their code; a token that spans two runs is cut. */
export function tokenRuns(tokens: readonly CodeToken[]): CodeToken[][] {
  const runs: CodeToken[][] = []
  let at = 0
  let from = 0
  for (const { length } of codeRuns(tokens.map(({ text }) => text).join(''))) {
    const run: CodeToken[] = []
    for (let room = length; room > 0; ) {
      const token = tokens[at]
      if (!token) break
      const text = token.text.slice(from, from + room)
      room -= text.length
      from += text.length
      if (text !== '') run.push({ ...token, text })
      if (from === token.text.length) [at, from] = [at + 1, 0]
    }
    runs.push(run)
  }
  return runs
}

/** Keeps the objects of equal runs, so that their elements and a selection in them stay. */
export function keepAlike(before: readonly (readonly CodeToken[])[], runs: readonly (readonly CodeToken[])[]): (readonly CodeToken[])[] {
  return runs.map((run, index) => {
    const old = before[index]
    const same = old?.length === run.length && old.every((token, at) => token.text === run[at]?.text && token.kind === run[at]?.kind)
    return same ? old : run
  })
}
