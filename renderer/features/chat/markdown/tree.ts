// markdown-it's flat list of tokens as a tree, which is what React wants.
import type { Token } from './parser.ts'

export interface Node {
  readonly token: Token
  readonly children: readonly Node[]
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
