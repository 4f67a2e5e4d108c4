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

/** Groups tokens into runs of so many lines; a token that spans two runs is cut. */
export function tokenRuns(tokens: readonly CodeToken[], linesPerRun: number): CodeToken[][] {
  const runs: CodeToken[][] = [[]]
  let lines = 0
  for (const token of tokens) {
    for (let rest = token.text; rest !== ''; ) {
      let end = 0
      while (end < rest.length && lines < linesPerRun) {
        const newline = rest.indexOf('\n', end)
        if (newline < 0) end = rest.length
        else {
          end = newline + 1
          lines += 1
        }
      }
      runs.at(-1)?.push({ ...token, text: rest.slice(0, end) })
      rest = rest.slice(end)
      if (lines === linesPerRun) {
        runs.push([])
        lines = 0
      }
    }
  }
  if (runs.at(-1)?.length === 0) runs.pop()
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
