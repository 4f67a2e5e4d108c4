// The rows of the resources shelf: servers, their folders, what stands in them, and templates. Pure.

import type { ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { ServerView } from '#app/server/view.ts'
import { numberWords } from '#app/words/formats.ts'
import { t } from '#app/words/translate.ts'
import { isOpen, type Opened, type ShelfRow } from '../list/shelf-row.ts'
import type { Shelf, Shelves } from '../list/shelves.ts'
import { at, type Found, fits, queryWords } from './find-resources.ts'
import { labelOf } from './resource-path.ts'
import type { Folder } from './resource-tree.ts'

/** With no more than so many resources they are open by themselves. */
const openUpTo = { server: 60, folder: 10 }

export const serverKey = (server: string): string => `server ${server}`
export const folderKey = (server: string, id: string): string => `folder ${server} ${id}`
export const resourceKey = (server: string, uri: string): string => `resource ${server} ${uri}`
export const templateKey = (server: string, template: string): string => `template ${server} ${template}`

export const countWords = (count: number): string => numberWords(count)

/** What stands at the right edge of a server's row. */
function asideOf(server: ServerView, { offers, loading }: Shelf): string | undefined {
  if (loading && !offers) return undefined
  if (!offers || offers.fetchedAt === undefined) return t`not known yet`
  return server.state.kind === 'ready' ? countWords(offers.resources + offers.templates.length) : t`last seen`
}

interface RowsOptions {
  readonly servers: readonly ServerView[]
  readonly shelves: Shelves
  readonly opened: Opened
  /** Keys of what leads to the resource that is shown. */
  readonly way?: ReadonlySet<string>
  /** What is looked for, and what of the resources fits it; undefined: nothing is looked for. */
  readonly search?: { readonly text: string; readonly found: Found }
}

export function resourceRows({ servers, shelves, opened, way = new Set(), search }: RowsOptions): ShelfRow[] {
  const rows: ShelfRow[] = []
  for (const server of servers) {
    const shelf = shelves[server.name]
    if (!shelf) continue
    if (search) foundRows(rows, server, shelf, search)
    else allRows(rows, server, shelf, (key, byItself) => isOpen(opened, key, byItself || way.has(key)))
  }
  return rows
}

type Openness = (key: string, byItself: boolean) => boolean

function allRows(rows: ShelfRow[], server: ServerView, shelf: Shelf, openness: Openness): void {
  const { name } = server
  const { offers, list, error, loading } = shelf
  const count = (offers?.resources ?? 0) + (offers?.templates.length ?? 0)
  const key = serverKey(name)
  const open = openness(key, count <= openUpTo.server)
  const aside = asideOf(server, shelf)
  rows.push({ key, kind: 'server', level: 1, text: name, server: name, open, busy: loading, ...(aside === undefined ? {} : { aside }) })
  if (!open) return
  const note = noteOf(server, shelf)
  if (note !== undefined) rows.push({ key: `${key} note`, kind: 'note', level: 2, text: note, server: name })
  if (error && !list) return
  for (const template of offers?.templates ?? []) rows.push(templateRow(name, template))
  if (list) folderRows(rows, server, shelf, openness, list.tree, 2)
}

function noteOf(server: ServerView, { offers, error, loading }: Shelf): string | undefined {
  if (error) return t`Its list could not be read.`
  if ((offers?.resources ?? 0) >= mostTaken.resources || (offers?.templates.length ?? 0) >= mostTaken.resourceTemplates)
    return t`No more than ${numberWords(mostTaken.resources)} of one server are listed`
  if (loading || !offers || offers.resources + offers.templates.length > 0) return undefined
  return offers.fetchedAt === undefined ? t`Listed once “${server.name}” has run` : t`No resources`
}

function folderRows(rows: ShelfRow[], server: ServerView, shelf: Shelf, openness: Openness, folder: Folder, level: number): void {
  const { name } = server
  for (const child of folder.folders) {
    const key = folderKey(name, child.id)
    const open = openness(key, child.count <= openUpTo.folder)
    rows.push({ key, kind: 'folder', level, text: child.name, server: name, open, ...(open ? {} : { aside: countWords(child.count) }) })
    if (open) folderRows(rows, server, shelf, openness, child, level + 1)
  }
  for (const index of folder.leaves) rows.push(resourceRow(server, shelf, index, level))
}

function resourceRow(server: ServerView, { list }: Shelf, index: number, level: number): ShelfRow {
  const resource = at(list?.resources ?? [], index)
  const live = server.subscriptions?.includes(resource.uri) ?? false
  return {
    key: resourceKey(server.name, resource.uri),
    kind: 'resource',
    level,
    text: labelOf(resource),
    server: server.name,
    item: resource.uri,
    ...(live ? { live } : {}),
  }
}

const templateRow = (server: string, template: ResourceTemplateEntry): ShelfRow => ({
  key: templateKey(server, template.uriTemplate),
  kind: 'template',
  level: 2,
  text: template.title || template.name || template.uriTemplate,
  server,
  item: template.uriTemplate,
})

function foundRows(
  rows: ShelfRow[],
  server: ServerView,
  shelf: Shelf,
  { text, found }: { readonly text: string; readonly found: Found },
): void {
  const { name } = server
  const words = queryWords(text)
  const templates = (shelf.offers?.templates ?? []).filter((one) =>
    fits(words, `${one.name} ${one.title ?? ''} ${one.uriTemplate}`.toLowerCase()),
  )
  // Of a list that changed since, a place can be gone.
  const places = (found[name] ?? []).filter((index) => index < (shelf.list?.resources.length ?? 0))
  const count = templates.length + places.length
  if (count === 0) return
  rows.push({ key: serverKey(name), kind: 'server', level: 1, text: name, server: name, aside: countWords(count) })
  for (const template of templates) rows.push({ ...templateRow(name, template), beside: template.uriTemplate })
  for (const index of places) {
    const row = resourceRow(server, shelf, index, 2)
    rows.push({ ...row, ...(row.item === undefined ? {} : { beside: row.item }) })
  }
}
