// What a search for “kestrel vat” finds in the mock-ups' chats.
import type { SearchFound, SearchHit } from '#app/chat/search/search-result.ts'

type Spans = SearchHit['title']
/** Words in brackets are hits. */
const marked = (text: string): Spans =>
  text.split(/(\[[^\]]*\])/).flatMap((piece) => (piece === '' ? [] : [{ text: piece.replace(/^\[|\]$/g, ''), hit: piece.startsWith('[') }]))

const passage = (text: string, form: 'prose' | 'data' = 'prose'): SearchHit['snippet'] => ({
  form,
  spans: marked(text),
  cut: { before: false, after: true },
})

export function kestrelFound(now: number): SearchFound {
  const day = 86_400_000
  const tidy = { conversationId: 'c1', title: marked('Tidy September invoices') }
  const vendors = { conversationId: 'c2', title: marked('Vendor [VAT] numbers') }
  const bank = { conversationId: 'c6', title: marked('Bank CSV into the ledger') }
  return {
    hits: [
      {
        ...tidy,
        place: 60,
        kind: 'answer',
        messageId: 'm3',
        at: now - 60_000,
        snippet: passage(
          'These three vendors have no [VAT] number in vendors.csv: Holm & Aster Print, [Kestrel] Hosting and Café Lindgren',
        ),
      },
      {
        ...tidy,
        place: 50,
        kind: 'call',
        messageId: 'm2',
        callId: 'b',
        server: 'github',
        tool: 'get_file_contents',
        at: now - 180_000,
        snippet: passage('[Kestrel] Hosting,IE,,2025\u200b · column [vat]', 'data'),
      },
      {
        ...vendors,
        place: 40,
        kind: 'you',
        messageId: 'v1',
        at: now - day,
        snippet: passage('which vendors changed their number since last year? [Kestrel] moved to Ireland, I think'),
      },
      { ...vendors, place: 39, kind: 'title', at: now - day },
      {
        ...bank,
        place: 20,
        kind: 'answer',
        messageId: 'b1',
        at: now - 9 * day,
        snippet: passage('The line “[KESTREL] HOSTING DUBLIN” matches no vendor with a [VAT] number, so I left it unbooked'),
      },
      {
        ...bank,
        place: 19,
        kind: 'call',
        messageId: 'b2',
        callId: 'k',
        server: 'ledger',
        tool: 'list_unbooked',
        at: now - 9 * day,
        snippet: passage('2026-09-12 [Kestrel] 89.90 EUR [vat]=?', 'data'),
      },
    ],
    more: { c6: 4 },
    counts: { all: 11, messages: 5, results: 4, titles: 2, capped: false },
    next: null,
  }
}
