import { describe, expect, test } from 'vitest'
import { makeFacts, makeRule, plainPaths } from '../consent.testing.ts'
import { matchRule } from './match-rule.ts'
import { code, joinPieces, termPieces } from './rule-labels.ts'
import { folderChoices, narrowTerms } from './rule-suggestions.ts'

describe('the rule that a card offers', () => {
  const path = (argument: string, folder: string) => ({ kind: 'path-inside', argument, folder })
  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'a file: its folder',
      { path: '/home/me/notes/a.md', content: 'x' },
      { conditions: [path('/path', '/home/me/notes')], onlyArguments: ['path', 'content'] },
    ],
    ['a folder: itself', { path: '/home/me/notes' }, { conditions: [path('/path', '/home/me/notes')], onlyArguments: ['path'] }],
    [
      'two paths: each its own',
      { source: '/in/a.pdf', destination: '/out/2026/b.pdf' },
      { conditions: [path('/source', '/in'), path('/destination', '/out/2026')], onlyArguments: ['source', 'destination'] },
    ],
    ['several in one folder', { paths: ['/in/a.pdf', '/in/b.pdf'] }, { conditions: [path('/paths', '/in')], onlyArguments: ['paths'] }],
    ['several in several', { paths: ['/in/a.pdf', '/out/b.pdf'] }, undefined],
    ['a way up: where it ends', { path: '/home/me/notes/../a.md' }, { conditions: [path('/path', '/home/me')], onlyArguments: ['path'] }],
    [
      'an address: its host',
      { url: 'https://a.test/b?c' },
      { conditions: [{ kind: 'url-host', argument: '/url', host: 'a.test', subdomains: false }], onlyArguments: ['url'] },
    ],
    [
      'values: the same',
      { owner: 'maya', page: 2 },
      {
        conditions: [
          { kind: 'equals', argument: '/owner', value: 'maya' },
          { kind: 'equals', argument: '/page', value: 2 },
        ],
        onlyArguments: ['owner', 'page'],
      },
    ],
    ['long values', { text: 'x'.repeat(201) }, undefined],
    ['none', {}, undefined],
  ])('%s', (_title, args, expected) => {
    expect(narrowTerms(args as never, true)).toEqual(expected)
  })

  test('names no folder of another machine, and none that can be read in two ways', () => {
    const terms = [
      narrowTerms({ path: '/home/me/a.md' }, false),
      narrowTerms({ path: '~/a.md' }, true),
      narrowTerms({ path: '/a/%2e%2e/b.md' }, true),
    ]
    expect(terms.map((one) => one?.conditions?.map(({ kind }) => kind))).toEqual([['equals'], ['equals'], ['equals']])
  })

  test('would have answered the call', () => {
    const args = { path: '/home/me/notes/a.md', url: 'https://a.test/b', content: 'x' }
    const terms = narrowTerms(args, true)
    const conditions = terms?.conditions?.map((one) => (one.kind === 'path-inside' ? { ...one, real: one.folder } : one)) ?? []
    const rule = makeRule('a', { ...terms, conditions })
    expect(matchRule(makeFacts({ arguments: args, paths: plainPaths(args.path) }), rule)).toBe('yes')
  })
})

test.each([
  ['a folder', { path: '/home/me/notes/a.md' }],
  ['a host', { url: 'https://a.test/b', depth: 2 }],
  ['equal values', { query: 'invoices' }],
  ['no arguments', {}],
])('says “no other arguments” of a rule on %s only where it refuses others', (_name, args) => {
  const terms = narrowTerms(args, true)
  const sentence = joinPieces(termPieces([code('read')], terms ?? {}))
  const conditions = terms?.conditions?.map((one) => (one.kind === 'path-inside' ? { ...one, real: one.folder } : one)) ?? []
  const texts = Object.values(args).filter((one) => typeof one === 'string')
  const more = makeFacts({ arguments: { ...args, recursive: true }, paths: plainPaths(...texts) })
  const takesOthers = matchRule(more, makeRule('a', { ...terms, conditions })) === 'yes'
  expect(sentence.includes('no other arguments')).toBe(!takesOthers)
})

test('the folders above are there to choose, but for the whole disk', () => {
  expect([folderChoices('/home/me/notes/a.md'), folderChoices('/a'), folderChoices('C:\\Users\\me\\a.md'), folderChoices('a/b')]).toEqual([
    ['/home/me/notes', '/home/me', '/home'],
    ['/a'],
    ['C:/Users/me', 'C:/Users'],
    [],
  ])
})
