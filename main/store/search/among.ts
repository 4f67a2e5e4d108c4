// Which conversations a search looks through, where its filters say: those of a folder of chats, or the archived ones.

import type { SearchQuery } from '#app/chat/search/query.ts'
import { fold } from '#app/chat/search/words.ts'
import type { Database, Row } from '../database.ts'

/** Undefined: through all of them. */
export type Among = AmongFew | AmongMany

/** So few that the index finds them itself. None: nothing can be found. */
export interface AmongFew {
  readonly kind: 'few'
  readonly ids: readonly string[]
}

/** So many that each hit is asked whether its conversation is one of them. */
export interface AmongMany {
  readonly kind: 'many'
  readonly has: (conversation: Row) => boolean
}

const FEW = 100

export function amongOf(database: Database, query: SearchQuery): Among | undefined {
  const { folder, inArchive } = query
  if (folder === undefined && !inArchive) return undefined
  const folders = folder === undefined ? undefined : foldersNamed(database, folder)
  if (folders?.length === 0) return { kind: 'few', ids: [] }
  const where = [
    'deleted_at IS NULL',
    ...(inArchive ? ["shelf = 'archived'"] : []),
    ...(folders ? [`folder IN (${folders.map(() => '?').join(', ')})`] : []),
  ].join(' AND ')
  const ids = database
    .all(`SELECT id FROM conversations WHERE ${where} LIMIT ${FEW + 1}`, ...(folders ?? []))
    .map((row) => String(row['id']))
  if (ids.length <= FEW) return { kind: 'few', ids }
  return {
    kind: 'many',
    has: (conversation) =>
      (!inArchive || conversation['shelf'] === 'archived') && (!folders || folders.includes(String(conversation['folder']))),
  }
}

/** Ids of those of that name; where there is none, of those whose names begin so. */
function foldersNamed(database: Database, name: string): readonly string[] {
  const wanted = fold(name)
  const named = database
    .all("SELECT id, body ->> '$.name' AS name FROM chat_folders")
    .map((row) => ({ id: String(row['id']), name: fold(String(row['name'])) }))
  const exact = named.filter((one) => one.name === wanted)
  return (exact.length > 0 ? exact : named.filter((one) => one.name.startsWith(wanted))).map(({ id }) => id)
}
