// The search index, updated in the transaction of what it indexes. An FTS5 table holds the words without their text, which the
// messages have; `search_pieces` maps its rows to messages. A piece's number grows with its time, so that the latest are found first
// without ranking, and a time is a range of numbers. A message is indexed once it is finished, never while it streams.
import type { Conversation } from '#app/chat/conversation.ts'
import type { Message } from '#app/chat/message.ts'
import { foldedWords } from '#app/chat/search/fold-words.ts'
import { LONGEST_PIECE, searchableParts } from '#app/chat/search/searchable-text.ts'
import type { Database } from '../database/database.ts'
import { insert, upsert } from '../rows.ts'
import { factTerms, firstPlace, knownFact } from './fts-query.ts'

/** Terms remembered as stored, which saves writing most of a text's terms. */
const MOST_REMEMBERED = 50_000

export type SearchIndex = ReturnType<typeof createSearchIndex>

export function createSearchIndex(database: Database) {
  const remembered = new Set<string>()

  function add(
    entry: { readonly at: number; readonly message: number | null; readonly conversation: string | null; readonly piece: number },
    text: string,
    about: readonly string[],
    names: readonly string[] = [],
  ): void {
    const place = freePlace(database, entry.at)
    const terms: string[] = []
    for (const word of foldedWords(text)) terms.push(...word.terms)
    insert(database, 'search_words', { rowid: place, words: terms.join(' '), facts: about.join(' ') })
    insert(database, 'search_pieces', { place, message: entry.message, piece: entry.piece, conversation_id: entry.conversation })
    for (const term of new Set([...terms, ...names.map(knownFact)])) {
      if (remembered.has(term)) continue
      if (remembered.size >= MOST_REMEMBERED) remembered.clear()
      remembered.add(term)
      upsert(database, 'search_terms', { term, seen: place })
    }
  }

  return {
    message(message: Message): void {
      if (message.role === 'assistant' && message.state === 'streaming') return
      const place = Number(database.get('SELECT place FROM messages WHERE id = ?', message.id)?.['place'])
      forget(database, 'message = ?', place)
      for (const { index, kind, server, tool, texts } of searchableParts(message)) {
        const text = texts.map((one) => one.text).join('\n')
        const names = [...(server === undefined ? [] : [factTerms.server(server)]), ...(tool === undefined ? [] : [factTerms.tool(tool)])]
        const about = [factTerms.kind(kind), factTerms.conversation(message.conversationId), ...names]
        add({ at: message.createdAt, message: place, conversation: null, piece: index }, text, about, names)
      }
    },
    title({ id, title }: Conversation, at: number): void {
      forget(database, 'conversation_id = ?', id)
      add({ at, message: null, conversation: id, piece: 0 }, title.slice(0, LONGEST_PIECE), [
        factTerms.kind('title'),
        factTerms.conversation(id),
      ])
    },
  }
}

function forget(database: Database, which: 'message = ?' | 'conversation_id = ?', value: string | number): void {
  for (const row of database.all(`SELECT place FROM search_pieces WHERE ${which}`, value)) {
    const place = Number(row['place'])
    database.run('DELETE FROM search_words WHERE rowid = ?', place)
    database.run('DELETE FROM search_pieces WHERE place = ?', place)
  }
}

/** Returns the next free place at or after a time; pieces beyond 8 of one second move into the next seconds. */
function freePlace(database: Database, at: number): number {
  const first = firstPlace(at)
  for (let window = 8; ; window *= 2) {
    const taken = database.get('SELECT max(place) AS place FROM search_pieces WHERE place >= ? AND place < ?', first, first + window)?.[
      'place'
    ]
    const next = taken === null || taken === undefined ? first : Number(taken) + 1
    if (next < first + window) return next
  }
}
