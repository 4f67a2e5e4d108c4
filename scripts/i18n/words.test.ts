import { describe, expect, it } from 'vitest'
import { collectSaid } from './collect.ts'
import { isNotForPeople } from './not-for-people.ts'
import { catalogueOf, readAll } from './sources.ts'

/** The page knows its language before it reads them; the host does not read them. */
const readByThePage: ReadonlySet<string> = new Set(['app/server/config/config-schema.ts'])

/** A dot or a hyphen that a name begins with (`.mcp.json`, `--port`) glues nothing. */
const GLUED = /^(?:\s|[,;:!?)\]}·–—](?!\d)|\.(?!\w))|[\s,;([·–—]$/u

describe('the catalogue of what Assent says', () => {
  const all = readAll()

  it('holds every message of the sources once, in the order of the messages, with the files that say it', () => {
    const read = new Map([
      ['app/a.ts', { keys: ['Stop', 'Cancel', 'Stop'], bare: [], early: [] }],
      ['renderer/b.tsx', { keys: ['Cancel'], bare: [], early: [] }],
    ])
    expect(Object.entries(catalogueOf(read))).toEqual([
      ['Cancel', ['app/a.ts', 'renderer/b.tsx']],
      ['Stop', ['app/a.ts']],
    ])
    expect(Object.keys(catalogueOf(all))).toEqual([...new Set([...all.values()].flatMap(({ keys }) => keys))].toSorted())
  })

  it('misses no words of the page, nor of the host but those that are not for people', () => {
    const bare = [...all].flatMap(([file, said]) =>
      said.bare.flatMap(({ line, words }) =>
        !file.startsWith('renderer/') && isNotForPeople(file, words) ? [] : [`${file}:${line} ${words}`],
      ),
    )
    expect(bare).toEqual([])
  })

  it('has no message that is a part of another: none begins or ends with what glues it to its neighbour', () => {
    const keys = [...new Set([...all.values()].flatMap((said) => said.keys))]
    expect(keys.filter((key) => GLUED.test(key))).toEqual([])
  })

  it('says nothing before the host knows its language, which may change while it runs', () => {
    const early = [...all].flatMap(([file, said]) =>
      file.startsWith('renderer/') || readByThePage.has(file) ? [] : said.early.map(({ line, words }) => `${file}:${line} ${words}`),
    )
    expect(early).toEqual([])
  })
})

/** Words that the screen, the command line and errors do not use, and what they say instead (other apps' words, one for each thing). */
const refused: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:take|takes|taken|taking|took)[- ]over\b/i, 'import'],
  [/\bhand(?:s|ed|ing)? (?:\S+ )?over\b/i, 'send'],
  [/\bby hand\b/i, 'run'],
  [/\blegacy\b/i, 'older protocol'],
  [/\bneeded\b/i, 'required'],
  [/\btold of\b/i, 'shared folders'],
  [/\bsign of life\b|\bword for \{/i, 'health check, response'],
  [/\b(?:its|their) words?\b|\bwith a word\b/i, 'reason, response'],
  [/\bIts name\b/, 'name'],
  [/\btak(?:e|es|en) back\b|\btook back\b/i, 'remove, withdraw'],
  [/\bgives? back\b|\bgave back\b/i, 'return'],
  [/\ball the same\b|\bif it wants\b|\bso that\b/i, 'anyway, optional'],
  [/\bas the model (?:does|likes)\b|\bas long as the model\b/i, 'model default'],
  [/\balways wins\b|\bfill in its values\b|\bpart of the title\b/i, 'takes precedence, resolve variables, filter'],
  [/\bthe record\b|\brules and record\b/i, 'Activity, audit log'],
  [/\bsays of\b|\bnames no schema\b|\bproposed\b/i, 'description from, no schema, default'],
  [/\bnot now\b|\bleave as it was\b|\btitle again\b|\banswer again\b|\bgo on in a new chat\b/i, 'skip, cancel, regenerate, fork'],
  [/\bin this conversation\b|\bfor this conversation\b/i, 'for this chat'],
  [/\bno AI\b|\b(?:it|this) is no (?!longer\b)/i, 'not an AI, is not a'],
  [/\bthe person\b/i, 'you'],
  [/—/, 'a sentence of its own'],
  [/\bwants to \{/i, '“wants to use”, with the tool as a chip'],
]
/** Messages that are refused and stay, with the reason. */
const kept: Readonly<Record<string, string>> = {
  'The person stopped this app.': 'a model reads it',
  '“{0}” failed {1} times. Only the person can start it again. Last error: {2}': 'a model reads it',
}
/** Words in the longest sentence of a message; a value counts as one. */
const longestSentence = (key: string): number =>
  Math.max(...key.split(/(?<=[.!?:;])\s+/).map((sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length))

describe('the words of the catalogue', () => {
  const keys = [...new Set([...readAll().values()].flatMap((said) => said.keys))]

  it.each(refused)('are never %s, but: %s', (word) => {
    expect(keys.filter((key) => word.test(key) && !Object.hasOwn(kept, key))).toEqual([])
  })

  it('are refused with no exception that is not one', () => {
    expect(Object.keys(kept).filter((key) => !keys.includes(key) || !refused.some(([word]) => word.test(key)))).toEqual([])
  })

  it('stand in sentences of at most 13 words', () => {
    expect(keys.filter((key) => longestSentence(key) > 13)).toEqual([])
  })
})

describe('what a source says', () => {
  /** `@{x}` stands for `${x}`, which a linter takes for a slip in a plain string. */
  const said = (source: string) => collectSaid('x.tsx', source.replaceAll('@{', '${'))

  it('is the English of its messages, with numbers for their values, those inside of others too', () => {
    expect(said('const table = { a: t`Later` } as const').keys).toEqual(['Later'])
    expect(
      said('const a = t`Runs @{x ? t`at once` : t`later`} in @{y}`; const b = <p>{tx`Press @{<kbd>{t`Enter`}</kbd>}.`}</p>').keys,
    ).toEqual(['Runs {0} in {1}', 'at once', 'later', 'Press {0}.', 'Enter'])
  })

  it.each([
    ['text of an element', '<p>No server</p>'],
    ['an attribute that is read', '<input aria-label="Name" />'],
    ['an attribute with values', '<a title={`Open @{x}`} />'],
    ['a sentence in code', 'const words = x ? "It was not found." : ""'],
    ['a sentence with values', 'const words = `Waits for its @{x} now`'],
  ])('%s is bare without t', (_, source) => {
    expect(said(source).bare).toHaveLength(1)
  })

  it.each([
    ['in the other case of a message', 'const word = ok ? t`done` : "offline"'],
    ['in a case of an element', '<p>{ok ? "offline" : null}</p>'],
    ['in a case of an attribute', '<a title={ok ? "offline" : undefined} />'],
    ['in a table of messages', 'const words: Record<Kind, string> = { a: t`Done`, b: "offline" }'],
    ['in a table that an element reads', 'const words = { a: "offline" } as const; const b = <p>{words[kind]}</p>'],
    ['in a value of a message', 'const word = t`It is @{ok ? x : "offline"}.`'],
    ['in a constant that an element reads', 'const word = ok ? "offline" : undefined; const b = <p>{word}</p>'],
    ['where the same function is given messages', 'say("a", t`Done`); say("b", "offline")'],
    ['where the same property holds messages', 'const rows = [{ id: "a", label: t`Done` }, { id: "b", label: "offline" }]'],
    ['where the same function answers with messages', 'const word = (kind) => { if (kind === "a") return t`done`; return "offline" }'],
  ])('a small word is bare %s', (_, source) => {
    expect(said(source).bare.map(({ words }) => words)).toEqual(['offline'])
  })

  it.each([
    ['a name that is the same in every language', 'const label = [{ label: t`All` }, { label: "stdout" }, { label: "JSON" }]'],
    ['an example of an address', 'const rows = [{ example: t`a value` }, { example: "/home/me" }, { example: "example.org" }]'],
    ['what stands beside a message', 'const state = { tone: "warn", note: t`Done` }'],
  ])('and %s is not', (_, source) => {
    expect(said(source).bare).toEqual([])
  })

  it.each([
    ['a name of a class', '<p className="row dim" />'],
    ['punctuation', '<p> · </p>'],
    ['a value', 'const kind = "tool-call"'],
    ['what is thrown at developers', 'throw new TypeError("It has no root element.")'],
    ['a type', 'type A = "One of these words"'],
  ])('%s is not', (_, source) => {
    expect(said(source).bare).toEqual([])
  })

  const hostSaid = (source: string) => collectSaid('main/x.ts', source.replaceAll('@{', '${'))
  it.each([
    ['a part of a sentence', 'const words = { a: "is not there" }'],
    ['one with values', 'const words = `@{x} could not be read`'],
    ['one in a step whose failure is logged', 'logFailure(log, "It was not kept", () => say("is not there"))'],
  ])('%s is bare in the host', (_, source) => {
    expect(hostSaid(source).bare).toHaveLength(1)
  })

  it.each([
    ['a line of the log', 'log.warn(`It could not be read: @{x}`); options.log.error("It was not kept", error)'],
    ['what failed, for the log', 'logFailure(log, `It could not be kept: @{x}`, () => keep(x))'],
    ['an error of the protocol', 'throw new ProtocolError(code, "There is no such question.")'],
    ['SQL', 'const sql = "SELECT id FROM messages WHERE parent IS NULL"'],
    ['what is compared', 'const is = text === "not a word"'],
    ['a name', 'const table = { "not a word": 1 }'],
  ])('%s is not bare in the host', (_, source) => {
    expect(hostSaid(source).bare).toEqual([])
  })

  it.each([
    ['in a table of a module', 'const words = { a: t`Now` }', ['Now']],
    ['in a function', 'const words = () => ({ a: t`Later` })', []],
  ])('is said as the module is read: %s', (_, source, early) => {
    expect(said(source).early.map(({ words }) => words)).toEqual(early)
  })

  it('tells a file that cannot be read by its name', () => {
    expect(() => said('const = 1')).toThrow('x.tsx')
  })
})
