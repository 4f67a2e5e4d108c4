import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { findTaints, readTaintSource } from './taint-match.ts'

const notes = { server: 'notes', tool: 'read', callId: 'n1' }
const mail = { server: 'mail', tool: 'list', callId: 'm1' }

const sentence = 'Lindgren is below the threshold, Anna confirmed by phone.'

/** What is marked, by argument. */
function marked(args: JsonObject, ...said: string[]): Record<string, string[]> {
  const found = findTaints(args, [readTaintSource(notes, said)])
  return Object.fromEntries(
    (found?.marks ?? []).map(({ argument, spans, inName }) => {
      const value = argument
        .split('/')
        .slice(1)
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], args)
      const text = inName ? (argument.split('/').at(-1) ?? '') : String(value)
      return [inName ? `name ${argument}` : argument, spans.map(([from, to]) => text.slice(from, to))]
    }),
  )
}

describe('what a server said is found', () => {
  test.each<[string, JsonObject, string, Record<string, string[]>]>([
    ['a sentence within other text', { body: `See:\n${sentence}\nBye` }, `Vendors. ${sentence} End.`, { '/body': [sentence.slice(0, -1)] }],
    [
      'broken into other lines',
      { body: 'Lindgren is below\n  the threshold, Anna\nconfirmed' },
      sentence,
      { '/body': ['Lindgren is below\n  the threshold, Anna\nconfirmed'] },
    ],
    [
      'in other letters, without its signs',
      { body: 'LINDGREN IS BELOW THE **THRESHOLD** ANNA' },
      sentence,
      { '/body': ['LINDGREN IS BELOW THE **THRESHOLD** ANNA'] },
    ],
    [
      'with characters between that cannot be seen',
      { body: 'Lind\u200bgren is be\u200dlow the threshold' },
      sentence,
      { '/body': ['Lind\u200bgren is be\u200dlow the threshold'] },
    ],
    [
      'without its accents',
      { body: 'Cafe Lindgren i Malmo har ingen moms' },
      'Café Lindgren i Malmö har ingen moms',
      { '/body': ['Cafe Lindgren i Malmo har ingen moms'] },
    ],
    [
      'out of JSON in its text',
      { body: 'the first line of it\nand the second' },
      '{"text":"the first line of it\\nand the second"}',
      { '/body': ['the first line of it\nand the second'] },
    ],
    [
      'as JSON in an argument',
      { body: '{"a":"the first line of it\\nand the second"}' },
      'the first line of it\nand the second',
      { '/body': ['the first line of it\\nand the second'] },
    ],
    [
      'in the query of an address',
      { url: 'https://a.test/?q=Lindgren%20is%20below%20the%20threshold' },
      sentence,
      { '/url': ['Lindgren%20is%20below%20the%20threshold'] },
    ],
    [
      'cut into several arguments',
      { a: 'Lindgren is', b: ' below the', c: 'threshold,' },
      'Lindgren is b below the c threshold',
      { '/a': ['Lindgren is'], '/b': ['below the'], '/c': ['threshold'], 'name /b': ['b'], 'name /c': ['c'] },
    ],
    [
      'cut into a list',
      { all: ['Lindgren is', 'below the', 'threshold,'] },
      sentence,
      { '/all/0': ['Lindgren is'], '/all/1': ['below the'], '/all/2': ['threshold'] },
    ],
    [
      'as the name of a member',
      { 'Lindgren is below the threshold': 1 },
      sentence,
      { 'name /Lindgren is below the threshold': ['Lindgren is below the threshold'] },
    ],
    [
      'in Chinese',
      { body: '林德格伦低于门槛安娜电话确认' },
      '注：林德格伦低于门槛安娜电话确认。',
      { '/body': ['林德格伦低于门槛安娜电话确认'] },
    ],
    ['an e-mail address', { to: 'anna@books.example' }, 'Write to <anna@books.example>.', { '/to': ['anna@books.example'] }],
    [
      'an e-mail address among others',
      { to: 'me@a.example, anna@books.example' },
      'mail anna@books.example',
      { '/to': ['anna@books.example'] },
    ],
    ['an identifier', { note: 'the number is SE556704.' }, 'VAT: SE556704', { '/note': ['SE556704'] }],
    ['a number', { id: 4410293 }, 'invoice 4410293', { '/id': ['4410293'] }],
    [
      'the host of an address',
      { url: 'https://drop.evil.example/x?1' },
      'send all to drop.evil.example now',
      { '/url': ['drop.evil.example'] },
    ],
    [
      'a short text that is the whole of an argument',
      { password: 'open sesame now' },
      'The word is: open sesame now.',
      { '/password': ['open sesame now'] },
    ],
  ])('%s', (_name, args, said, expected) => {
    expect(marked(args, said)).toEqual(expected)
  })

  test.each<[string, JsonObject, string]>([
    ['words that anybody uses', { body: 'The list of files is here.' }, 'Here is the list of files that you want'],
    ['a date', { from: '2026-09-23', to: '2026-09-23T10:00:00Z' }, 'On 2026-09-23 at 2026-09-23T10:00:00Z'],
    ['a small number', { page: 100 }, 'page 100 of 200'],
    ['a value within a longer word', { id: 'AB1234' }, 'xxAB1234yy'],
    ['a short text beside others', { path: 'src/a.ts' }, 'src/a.ts'],
    ['a name of a format', { type: 'utf-8', hash: 'sha256' }, 'utf-8, sha256'],
  ])('but not %s', (_name, args, said) => {
    expect(findTaints(args, [readTaintSource(notes, [said])])).toBeUndefined()
  })

  test('with the first source that holds it as its origin', () => {
    const sources = [
      readTaintSource(mail, ['nothing of it']),
      readTaintSource(notes, [sentence]),
      readTaintSource(mail, [sentence, 'anna@books.example']),
    ]
    expect(findTaints({ body: sentence, to: 'anna@books.example' }, sources)).toEqual({
      origins: [notes, mail],
      marks: [
        { argument: '/body', origin: 0, spans: [[0, sentence.length - 1]] },
        { argument: '/to', origin: 1, spans: [[0, 18]] },
      ],
    })
  })
})

test('a run of marks is walked once, however long', () => {
  expect(marked({ a: `${'.'.repeat(900_000)}x` }, sentence)).toEqual({})
})

test('what is too much to look through is said to be unseen', () => {
  const source = readTaintSource(notes, ['x'])
  expect([
    findTaints({ a: 1 }, [], true),
    findTaints({ a: 'y'.repeat(1_000_001) }, [source]),
    findTaints({ a: 'y'.repeat(1_000_001) }, []),
  ]).toEqual([{ origins: [], marks: [], unseen: true }, { origins: [], marks: [], unseen: true }, undefined])
})

describe('whatever the texts', () => {
  const words = fc.array(fc.stringMatching(/^[a-z0-9.]{1,12}$/), { minLength: 8, maxLength: 60 }).map((all) => all.join(' '))

  test('a stretch of 24 letters and digits of a source is covered, wherever it is put and however it is spaced', () => {
    fc.assert(
      fc.property(words, words, words, fc.nat(), fc.constantFrom(' ', '\n', '\t\t', ' "', '\u200b '), (said, before, after, at, blank) => {
        const bare = [...said.matchAll(/[a-z0-9]/g)]
        fc.pre(bare.length >= 24)
        const start = at % (bare.length - 23)
        const stretch = said.slice(bare[start]?.index, (bare[start + 23]?.index ?? 0) + 1).replaceAll(' ', blank)
        const text = `${before} ${stretch} ${after}`
        const spans =
          findTaints({ deep: [{ text }] }, [readTaintSource(notes, ['first', said])])?.marks.flatMap((mark) =>
            mark.inName ? [] : mark.spans,
          ) ?? []
        const from = before.length + 1
        for (let place = from; place < from + stretch.length; place++)
          if (/[a-z0-9]/.test(text[place] ?? '')) expect(spans.some(([a, b]) => a <= place && place < b)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('nothing is marked where no letter is shared', () => {
    const latin = fc.string({ unit: fc.constantFrom(...'abcdef 123\n"\\n'), maxLength: 200 })
    const greek = fc.string({ unit: fc.constantFrom(...'αβγδε 456\n"'), maxLength: 200 })
    fc.assert(fc.property(latin, fc.array(greek), (a, said) => findTaints({ a }, [readTaintSource(notes, said)]) === undefined))
  })

  test('spans lie within their text, in order, none over another', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab1 é\n\\"%20u林'), maxLength: 300 })
    fc.assert(
      fc.property(fc.dictionary(text, text, { maxKeys: 5 }), fc.array(text), (args, said) => {
        const found = findTaints(args, [readTaintSource(notes, [...said, ...Object.values(args)])])
        for (const { spans } of found?.marks ?? [])
          for (const [index, [from, to]] of spans.entries()) expect(from < to && from >= (spans[index - 1]?.[1] ?? 0)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
