// Parses the search field: words, "phrases", -words and filters (`server:`, `tool:`, `folder:`, `in:title`, `in:archive`,
// `before:`, `after:`). Nothing is an error: what is no filter is a word.
export interface SearchTerm {
  readonly text: string
  /** Whether it is a prefix: the last word while it is typed. */
  readonly open: boolean
}

export interface SearchQuery {
  readonly wanted: readonly SearchTerm[]
  readonly unwanted: readonly SearchTerm[]
  /** Prefix of the server's name. */
  readonly server?: string
  readonly tool?: string
  /** Prefix of a folder of chats. */
  readonly folder?: string
  readonly inTitle?: true
  readonly inArchive?: true
  /** Range in milliseconds since the epoch: from `after` on, before `before`. */
  readonly after?: number
  readonly before?: number
}

const searchFilters = ['server', 'tool', 'folder', 'in', 'before', 'after'] as const
export type SearchFilter = (typeof searchFilters)[number]

type SearchToken =
  | { readonly kind: 'term'; readonly text: string; readonly value: string; readonly not: boolean; readonly closed: boolean }
  | { readonly kind: 'filter'; readonly text: string; readonly filter: SearchFilter; readonly value: string }

/** Matches an optional minus and `name:`, then a quoted text, possibly unterminated, or a word. */
const TOKEN = /(-?)(?:([a-z]+):)?(?:"([^"]*)("|$)|([^\s"]+))/giu
const UNFILLED = new RegExp(`^(?:${searchFilters.join('|')}):$`, 'i')
const MOST_TERMS = 20

export function searchTokens(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  for (const match of text.slice(0, 1000).matchAll(TOKEN)) {
    const [whole, minus = '', name, quoted, quote, plain] = match
    const value = quoted ?? plain ?? ''
    const filter = minus === '' && name !== undefined ? filterOf(name.toLowerCase(), value) : undefined
    if (filter) tokens.push({ kind: 'filter', text: whole, filter, value })
    else {
      const words = name === undefined ? value : `${name} ${value}`
      const closed = quote === '"' || match.index + whole.length < text.length
      if (/[\p{L}\p{N}]/u.test(words) && !UNFILLED.test(words))
        tokens.push({ kind: 'term', text: whole, value: words, not: minus === '-', closed })
    }
  }
  return tokens
}

export function parseSearch(text: string): SearchQuery {
  const tokens = searchTokens(text)
  const terms = tokens.filter((token) => token.kind === 'term').slice(0, MOST_TERMS)
  const query: { -readonly [Field in keyof SearchQuery]: SearchQuery[Field] } = {
    wanted: terms.filter(({ not }) => !not).map(({ value, closed }) => ({ text: value, open: !closed })),
    unwanted: terms.filter(({ not }) => not).map(({ value }) => ({ text: value, open: false })),
  }
  for (const token of tokens) {
    if (token.kind === 'term') continue
    if (token.filter === 'in') query[token.value.toLowerCase() === 'title' ? 'inTitle' : 'inArchive'] = true
    else if (token.filter === 'server' || token.filter === 'tool' || token.filter === 'folder') query[token.filter] = token.value
    else query[token.filter] = startOf(token.value) ?? 0
  }
  return query
}

function filterOf(name: string, value: string): SearchFilter | undefined {
  if (name === 'in') return ['title', 'archive'].includes(value.toLowerCase()) ? 'in' : undefined
  if (name === 'before' || name === 'after') return startOf(value) === undefined ? undefined : name
  return (name === 'server' || name === 'tool' || name === 'folder') && value !== '' ? name : undefined
}

/** Start of a year, month or day in local time. */
function startOf(text: string): number | undefined {
  const [, year, month = '1', day = '1'] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : undefined
}
