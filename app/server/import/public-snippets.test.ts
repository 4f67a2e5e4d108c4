// Snippets as public READMEs and guides show them (`source` names each), word for word: install lines of many programs,
// badges, manifests, configuration of OpenCode, Crush, Gemini CLI, JetBrains. Each is read exactly, or refused with words
// that name what is in the way. Words are compared only where they name a piece of the snippet.
import { describe, expect, it } from 'vitest'
import type { ServerDefinition } from '../definition.ts'
import snippets from './public-snippets.json' with { type: 'json' }
import { readSnippet } from './read-snippet.ts'

interface Wanted {
  readonly source: string
  readonly text: string
  /** Empty: it is refused. */
  readonly servers: readonly object[]
  /** What the refusal names. */
  readonly refused?: readonly string[]
  /** What the notes on the servers name. */
  readonly notes?: readonly string[]
}

/** Only what is not so for every server. */
function essence(name: string, { enabled, start, trusted, transport, ...rest }: ServerDefinition): object {
  const fields = Object.entries(rest).filter(([key, value]) => key === 'args' || typeof value !== 'object' || Object.keys(value).length > 0)
  return {
    name,
    ...(transport === 'sse' ? { transport } : {}),
    ...Object.fromEntries(fields),
    ...(enabled && start === 'needed' && !trusted ? {} : { enabled, start, trusted }),
  }
}

const saying = (words: readonly string[], needed: readonly string[] = []): boolean =>
  needed.every((piece) => words.some((word) => word.includes(piece)))

type Word = 'exact' | 'refused' | 'flawed' | 'silent'

function judge(wanted: Wanted) {
  const { servers, problems } = readSnippet(wanted.text)
  const found = servers.map(({ name, definition }) => essence(name, definition))
  const notes = servers.flatMap((server) => server.problems.map(({ message }) => message))
  const reasons = problems.map(({ message }) => message)
  const same = JSON.stringify(sorted(found)) === JSON.stringify(sorted(wanted.servers))
  const said = wanted.servers.length > 0 ? saying(notes, wanted.notes) : saying(reasons, wanted.refused) && reasons.length > 0
  const word: Word = same && said ? (found.length > 0 ? 'exact' : 'refused') : notes.length + reasons.length > 0 ? 'flawed' : 'silent'
  return { word, found, notes, reasons }
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, part]) => [key, sorted(part)]),
        )
      : value

const all: readonly Wanted[] = snippets

describe('snippets of public READMEs', () => {
  it('are each read exactly or refused by name, none in silence', () => {
    const counts = { exact: 0, refused: 0, flawed: 0, silent: 0 }
    for (const wanted of all) counts[judge(wanted).word] += 1
    const refused = all.filter(({ servers }) => servers.length === 0).length
    expect(counts).toEqual({ exact: all.length - refused, refused, flawed: 0, silent: 0 })
  })

  it.each(all.map((wanted, index) => [`${index + 1} ${wanted.source}: ${wanted.text.split('\n')[0]?.slice(0, 60)}`, wanted] as const))(
    '%s',
    (_, wanted) => {
      const { found, notes, reasons } = judge(wanted)
      const missing = (wanted.servers.length > 0 ? (wanted.notes ?? []) : (wanted.refused ?? [])).filter(
        (piece) => !saying(wanted.servers.length > 0 ? notes : reasons, [piece]),
      )
      expect({ servers: found, unsaid: missing, said: notes.length + reasons.length > 0 || wanted.servers.length > 0 }).toEqual({
        servers: wanted.servers,
        unsaid: [],
        said: true,
      })
    },
  )
})
