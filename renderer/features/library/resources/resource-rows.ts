// The rows of the resources section: servers, their folders, resources and templates. A search matches where every word of it stands
// in the name, the title or the address.
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import type { ResourceTemplateEntry } from '#app/server/catalogue.ts'
import { mostTaken } from '#app/server/list-limits.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import {
  type Folder,
  inSlices,
  isOpen,
  type LibrarySection,
  type LibrarySections,
  type OpenedRows,
  type SectionRow,
} from '../list/library-sections.ts'
import { labelOf } from '../list/resource-path.ts'

/** Indexes of the matches in each server's list, in its order. */
export type ResourceMatches = Readonly<Record<string, readonly number[]>>

export const queryWords = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

export const fits = (words: readonly string[], text: string): boolean => words.every((word) => text.includes(word))

/** Returns the matches, or undefined where the signal ended the search. */
export async function findResources(sections: LibrarySections, text: string, signal: AbortSignal): Promise<ResourceMatches | undefined> {
  const words = queryWords(text)
  const found: Record<string, number[]> = {}
  for (const [server, { list }] of Object.entries(sections)) {
    if (!list) continue
    const places: number[] = []
    const look = (index: number): void => {
      if (fits(words, list.words[index] ?? '')) places.push(index)
    }
    if (!(await inSlices(list.words.length, look, signal))) return undefined
    found[server] = places
  }
  return found
}

/** Number of resources up to which a row is open by itself. */
const openUpTo = { server: 60, folder: 10 }

export const serverKey = (server: string): string => `server ${server}`
export const folderKey = (server: string, id: string): string => `folder ${server} ${id}`
export const resourceKey = (server: string, uri: string): string => `resource ${server} ${uri}`
export const templateKey = (server: string, template: string): string => `template ${server} ${template}`

/** Text at the end of a server's row. */
function asideOf(server: ServerSummary, { offers }: LibrarySection): string | undefined {
  if (!offers || offers.fetchedAt === undefined) return undefined
  return server.state.kind === 'ready' ? formatNumber(offers.resources + offers.templates.length) : t`not running`
}

export interface RowsOptions {
  readonly servers: readonly ServerSummary[]
  readonly sections: LibrarySections
  readonly opened: OpenedRows
  /** Keys of the rows that lead to the shown resource. */
  readonly way?: ReadonlySet<string>
  readonly search?: ResourceSearch | undefined
}

export function resourceRows({ servers, sections, opened, way = new Set(), search }: RowsOptions): SectionRow[] {
  const rows: SectionRow[] = []
  for (const server of servers) {
    const section = sections[server.name]
    if (!section) continue
    if (search) foundRows(rows, server, section, search)
    else allRows(rows, server, section, (key, byItself) => isOpen(opened, key, byItself || way.has(key)))
  }
  return rows
}

type Openness = (key: string, byItself: boolean) => boolean

function allRows(rows: SectionRow[], server: ServerSummary, section: LibrarySection, openness: Openness): void {
  const { name } = server
  const { offers, list, error, loading } = section
  const count = (offers?.resources ?? 0) + (offers?.templates.length ?? 0)
  const key = serverKey(name)
  const open = openness(key, count <= openUpTo.server)
  rows.push({ key, kind: 'server', level: 1, text: name, server: name, open, busy: loading, aside: asideOf(server, section) })
  if (!open) return
  const note = noteOf(section)
  if (note !== undefined) rows.push({ key: `${key} note`, kind: 'note', level: 2, text: note, server: name })
  if (error && !list) return
  for (const template of offers?.templates ?? []) rows.push(templateRow(name, template))
  const addFolder = (folder: Folder, level: number): void => {
    for (const child of folder.folders) {
      const childKey = folderKey(name, child.id)
      const isChildOpen = openness(childKey, child.count <= openUpTo.folder)
      const aside = isChildOpen ? undefined : formatNumber(child.count)
      rows.push({ key: childKey, kind: 'folder', level, text: child.name, server: name, open: isChildOpen, aside })
      if (isChildOpen) addFolder(child, level + 1)
    }
    for (const index of folder.leaves) rows.push(resourceRow(server, section, index, level))
  }
  if (list) addFolder(list.tree, 2)
}

function noteOf({ offers, error, loading }: LibrarySection): string | undefined {
  if (error) return t`The list could not be read.`
  if ((offers?.resources ?? 0) >= mostTaken.resources || (offers?.templates.length ?? 0) >= mostTaken.resourceTemplates)
    return t`No more than ${formatNumber(mostTaken.resources)} of one server are listed`
  if (loading || !offers || offers.resources + offers.templates.length > 0) return undefined
  return offers.fetchedAt === undefined ? t`Listed once the server has run.` : t`No resources`
}

function resourceRow(server: ServerSummary, { list }: LibrarySection, index: number, level: number): SectionRow {
  const resource = list?.resources[index]
  if (!resource) throw new RangeError(`no resource ${index}`)
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

const templateRow = (server: string, template: ResourceTemplateEntry): SectionRow => ({
  key: templateKey(server, template.uriTemplate),
  kind: 'template',
  level: 2,
  text: template.title || template.name || template.uriTemplate,
  server,
  item: template.uriTemplate,
})

type ResourceSearch = { readonly text: string; readonly found: ResourceMatches }

function foundRows(rows: SectionRow[], server: ServerSummary, section: LibrarySection, { text, found }: ResourceSearch): void {
  const { name } = server
  const words = queryWords(text)
  const templates = (section.offers?.templates ?? []).filter((one) =>
    fits(words, `${one.name} ${one.title ?? ''} ${one.uriTemplate}`.toLowerCase()),
  )
  // The list may have become shorter since the search.
  const places = (found[name] ?? []).filter((index) => index < (section.list?.resources.length ?? 0))
  const matches = [...templates.map((one) => templateRow(name, one)), ...places.map((index) => resourceRow(server, section, index, 2))]
  if (matches.length === 0) return
  rows.push({ key: serverKey(name), kind: 'server', level: 1, text: name, server: name, aside: formatNumber(matches.length) })
  rows.push(...matches.map((row) => ({ ...row, beside: row.item })))
}
