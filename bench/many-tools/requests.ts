// The labelled requests: what a person writes, which tools it needs, and what a model would search for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface LabelledRequest {
  readonly message: string
  /** Each that is needed, with those that do as well. */
  readonly needs: readonly { readonly tools: readonly string[]; readonly query: string }[]
  /** Not looked at while the ranking was tuned. */
  readonly heldOut: boolean
}

export function readRequests(known: ReadonlySet<string>): LabelledRequest[] {
  const lines = readFileSync(join(import.meta.dirname, 'requests.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.map((line, index) => {
    const [labels = '', message = '', query = ''] = line.split(' ; ')
    const queries = query.split(' & ')
    const needs = labels.split(' + ').map((label, at) => ({ tools: label.trim().split('|'), query: queries[at] ?? query }))
    const unknown = needs.flatMap(({ tools }) => tools).filter((tool) => !known.has(tool))
    if (unknown.length > 0 || query === '') throw new Error(`requests.txt: ${line} (${unknown.join(', ')})`)
    return { message, needs, heldOut: index % 2 === 1 }
  })
}
