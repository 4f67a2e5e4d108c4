// The rows of the prompts shelf: servers, and the prompts of each. Pure.

import type { PromptEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { isOpen, type Opened, type ShelfRow } from '../list/shelf-row.ts'
import type { Shelf, Shelves } from '../list/shelves.ts'
import { fits, queryWords } from '../resources/find-resources.ts'
import { countWords, serverKey } from '../resources/resource-rows.ts'

export const promptKey = (server: string, name: string): string => `prompt ${server} ${name}`

interface RowsOptions {
  readonly servers: readonly ServerView[]
  readonly shelves: Shelves
  readonly opened: Opened
  /** What is looked for; empty: nothing is. */
  readonly text: string
}

const wordsOf = ({ name, title, description }: PromptEntry): string => `${name} ${title ?? ''} ${description ?? ''}`.toLowerCase()

export function promptRows({ servers, shelves, opened, text }: RowsOptions): ShelfRow[] {
  const words = queryWords(text)
  return servers.flatMap((server): ShelfRow[] => {
    const { name } = server
    const shelf = shelves[name]
    if (!shelf) return []
    const all = shelf.offers?.prompts ?? []
    const found = words.length === 0 ? all : all.filter((prompt) => fits(words, wordsOf(prompt)))
    // A server without prompts is not named among them.
    if (found.length === 0 && !(shelf.error && words.length === 0)) return []
    const key = serverKey(name)
    const open = words.length > 0 || isOpen(opened, key, true)
    const aside = server.state.kind === 'ready' || words.length > 0 ? countWords(found.length) : t`last seen`
    const head: ShelfRow = {
      key,
      kind: 'server',
      level: 1,
      text: name,
      server: name,
      aside,
      ...(words.length > 0 ? {} : { open }),
      busy: shelf.loading,
    }
    if (!open) return [head]
    const said = noteOf(shelf)
    const notes: ShelfRow[] = said === undefined ? [] : [{ key: `${key} note`, kind: 'note', level: 2, text: said, server: name }]
    return [head, ...notes, ...found.map((prompt) => promptRow(name, prompt))]
  })
}

function noteOf({ error, offers }: Shelf): string | undefined {
  if (error) return t`Its list could not be read.`
  return (offers?.prompts.length ?? 0) >= mostTaken.prompts
    ? t`No more than ${numberWords(mostTaken.prompts)} of one server are listed`
    : undefined
}

const promptRow = (server: string, { name, title }: PromptEntry): ShelfRow => ({
  key: promptKey(server, name),
  kind: 'prompt',
  level: 2,
  text: title || name,
  server,
  item: name,
  ...(title && title !== name ? { beside: name } : {}),
})
