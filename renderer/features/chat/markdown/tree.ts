// markdown-it's flat list of tokens as a tree, which is what React wants.
import type { Token } from './parser.ts'

export interface Node {
  readonly token: Token
  readonly children: readonly Node[]
}

/** How many levels stand within each other, and how many tokens there are. */
export function sizeOfTokens(tokens: readonly Token[]): { readonly levels: number; readonly count: number } {
  let level = 0
  let levels = 0
  let count = tokens.length
  for (const { nesting, children } of tokens) {
    level += nesting
    const inner = children ? sizeOfTokens(children) : { levels: 0, count: 0 }
    count += inner.count
    levels = Math.max(levels, level + inner.levels)
  }
  return { levels, count }
}

export function toTree(tokens: readonly Token[]): readonly Node[] {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root
    if (token.nesting === -1) {
      if (open.length > 1) open.pop()
      continue
    }
    const children: Node[] = []
    siblings.push({ token, children })
    if (token.nesting === 1) open.push(children)
    else if (token.children) children.push(...toTree(token.children))
  }
  return root
}
