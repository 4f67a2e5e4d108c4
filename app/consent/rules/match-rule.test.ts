import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointerNames, pointerTo, valueAt } from '#app/json.ts'
import { possibleHosts, sureHost } from '#app/text/host-name.ts'
import { inside, makeFacts, makeRule } from '../consent.testing.ts'
import { type CallFacts, matchCondition, matchesGlob, matchRule, pathTexts } from './match-rule.ts'
import { isInside, type PathReading, type PathSystem, readPathText } from './path-text.ts'
import type { Condition, Rule } from './rule.ts'

const linux: PathSystem = { windows: false, home: '/home/me' }
const windows: PathSystem = { windows: true, home: 'C:/Users/me' }
/** System of a path that was read from a disk or typed by the person: nothing in it expands. */
const exactWindows: PathSystem = { ...windows, exact: true }

describe('the text of a path', () => {
  test.each<[string, PathSystem, boolean, readonly string[]]>([
    ['/a/b', linux, true, ['/a/b']],
    ['/a/./b//c/', linux, true, ['/a/b/c']],
    ['/a/b/../../..', linux, true, ['/']],
    ['/a/../../etc', linux, true, ['/etc']],
    ['//a', linux, true, ['/a']],
    ['/', linux, true, ['/']],
    ['a/b', linux, false, []],
    ['./a', linux, false, []],
    ['', linux, false, []],
    ['~', linux, false, ['/home/me']],
    ['~/a', linux, false, ['/home/me/a']],
    ['~root/a', linux, false, []],
    [' /a', linux, false, ['/a']],
    ['/a/b\u0000', linux, false, ['/a/b\u0000', '/a/b']],
    ['/a\\..\\b', linux, false, ['/a\\..\\b', '/b']],
    ['/a/%2e%2e/b', linux, false, ['/a/%2e%2e/b', '/b']],
    ['file:///a/b%20c', linux, false, ['/a/b c']],
    ['C:\\a\\b', linux, false, []],
    ['C:\\a\\..\\b', windows, true, ['C:/b']],
    ['c:/a/b', windows, true, ['C:/a/b']],
    ['\\\\?\\C:\\a', windows, false, ['C:/a']],
    ['\\\\host\\share\\..\\a', windows, false, ['//host/share/a']],
    ['C:a', windows, false, []],
    ['\\a', windows, false, []],
    ['C:\\a.', windows, false, ['C:/a.']],
    ['C:\\a ', windows, false, ['C:/a ', 'C:/a']],
    ['C:\\PROGRA~1', windows, false, ['C:/PROGRA~1']],
    ['C:\\a:stream', windows, false, ['C:/a:stream']],
    ['C:\\a\\NUL.txt', windows, false, ['C:/a/NUL.txt']],
    ['file:///C:/a', windows, false, ['C:/a']],
    ['C:\\a\\nul .txt', windows, false, ['C:/a/nul .txt']],
    ['C:\\a\\COM¹', windows, false, ['C:/a/COM¹']],
    ['C:\\a\\CONOUT$', exactWindows, false, ['C:/a/CONOUT$']],
    ['C:\\a\\conin$.txt', exactWindows, false, ['C:/a/conin$.txt']],
    ['C:\\a\\CONIN$X', exactWindows, true, ['C:/a/CONIN$X']],
    // Names that macOS has for every file a second time.
    ['/System/Volumes/Data/Users/me/a', linux, false, ['/System/Volumes/Data/Users/me/a', '/Users/me/a']],
    ['/system/volumes/data/Users/me', linux, false, ['/system/volumes/data/Users/me', '/Users/me']],
    ['/x/../System/Volumes/Data', linux, false, ['/System/Volumes/Data', '/']],
    ['/.nofollow/Users/me', linux, false, ['/.nofollow/Users/me', '/Users/me']],
    ['/.resolve/4/Users/me', linux, false, ['/.resolve/4/Users/me', '/Users/me']],
    ['/.vol/16777234/2', linux, false, ['/.vol/16777234/2']],
    ['/System/Volumes/Database', linux, true, ['/System/Volumes/Database']],
    // Spellings that went past a path gate of an agent, as recorded (kirodotdev/KiroCrew, pulls 5411 and 9089), and what
    // else a shell, a glob library or `os.path.expandvars` makes another name of.
    ['/ok/{..,.}/secret', linux, false, ['/ok/{..,.}/secret']],
    ['/ok/cr{e..e}w', linux, false, ['/ok/cr{e..e}w']],
    ['/ok/[.][.]/secret', linux, false, ['/ok/[.][.]/secret']],
    ['/ok/cre[w]', linux, false, ['/ok/cre[w]']],
    ['/ok/*/a', linux, false, ['/ok/*/a']],
    ['/ok/.?/secret', linux, false, ['/ok/.?/secret']],
    ['/ok/$X/a', linux, false, ['/ok/$X/a']],
    [`/ok/\${X}/a`, linux, false, [`/ok/\${X}/a`]],
    ['/ok/~/a', linux, false, ['/ok/~/a']],
    ['/ok/%X%/a', linux, false, ['/ok/%X%/a']],
    ['/ok/`pwd`/a', linux, false, ['/ok/`pwd`/a']],
    ['/ok/@(..)/a', linux, false, ['/ok/@(..)/a']],
    ['/ok/(..)/a', linux, false, ['/ok/(..)/a']],
    ['/ok/(a|..)/a', linux, false, ['/ok/(a|..)/a']],
    ['/ok/<(id)', linux, false, ['/ok/<(id)']],
    ['/ok/.^./a', linux, false, ['/ok/.^./a']],
    ['/ok/!UP!/a', linux, false, ['/ok/!UP!/a']],
    ['/ok/Report (1) for Ann!.pdf', linux, true, ['/ok/Report (1) for Ann!.pdf']],
    ["/ok/'..'/a", linux, false, ["/ok/'..'/a"]],
    ['/ok/".."/a', linux, false, ['/ok/".."/a']],
    // What a program that folds letters (NFKC) or takes the nearest one makes into a way up.
    ['/ok/\uff0e\uff0e/a', linux, false, ['/ok/\uff0e\uff0e/a']],
    ['/ok/\u2024\u2024/a', linux, false, ['/ok/\u2024\u2024/a']],
    ['/ok/..\u2215a', linux, false, ['/ok/..\u2215a']],
    ['/ok/caf\u00e9/\u65e5\u672c.txt', linux, true, ['/ok/caf\u00e9/\u65e5\u672c.txt']],
    ['C:\\ok\\%X%\\a', windows, false, ['C:/ok/%X%/a']],
    ['C:\\ok\\$env:X\\a', windows, false, ['C:/ok/$env:X/a']],
    ['C:\\ok\\{..,.}\\a', windows, false, ['C:/ok/{..,.}/a']],
    ['C:\\ok\\[.][.]\\a', windows, false, ['C:/ok/[.][.]/a']],
    ["/a/Ada's notes (1) + more!.txt", linux, true, ["/a/Ada's notes (1) + more!.txt"]],
  ])('%j', (text, system, sure, places) => {
    expect(readPathText(text, system)).toEqual({ sure, places })
  })

  test('however it is written, a sure place has no way up in it', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b', '...', '..a', '~', '%2e%2e', 'C:', ' ', '\\', '\u202e..')
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom('/', 'C:\\', 'C:/', '', '~/', '//'),
        fc.constantFrom(linux, windows),
        (parts, start, system) => {
          const { sure, places } = readPathText(start + parts.join(system.windows ? '\\' : '/'), system)
          if (!sure) return
          expect(places).toHaveLength(1)
          expect(places[0]?.split('/').filter((one) => one === '..' || one === '.')).toEqual([])
        },
      ),
      { numRuns: 3000 },
    )
  })
})

test.each([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a', '/', true],
  ['C:/a', 'C:/', true],
])('%s inside %s: %s', (place, folder, expected) => {
  expect(isInside(place, folder)).toBe(expected)
})

describe('a pattern', () => {
  test.each([
    ['git *', 'git status', true],
    ['git *', 'git', false],
    ['*.md', 'a/b.md', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a.c', 'abc', false],
    ['*', '', true],
    ['', '', true],
    ['*a*b*c*', 'xxaxxbxxc', true],
    ['😀?', '😀a', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected)
  })

  test('is answered whatever it is', () => {
    const text = 'a'.repeat(10_000)
    expect([matchesGlob(`${'*a'.repeat(99)}*b`, text), matchesGlob('*', `${text}a`)]).toEqual([false, false])
  })

  test('matches as the expression would that it stands for', () => {
    const letter = fc.constantFrom('a', 'b', '*', '?')
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 6 }), fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }), (pattern, text) => {
        const expression = pattern.map((one) => (one === '*' ? '.*' : one === '?' ? '.' : one)).join('')
        expect(matchesGlob(pattern.join(''), text.join(''))).toBe(new RegExp(`^${expression}$`).test(text.join('')))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the host of an address', () => {
  test.each([
    ['https://example.org/a?b#c', 'example.org'],
    ['HTTPS://Example.ORG', 'example.org'],
    ['https://example.org:8080/', 'example.org:8080'],
    ['https://example.org:443/', undefined],
    ['https://example.org@evil.test/', undefined],
    ['https://example.org\\@evil.test/', undefined],
    ['https:/example.org', undefined],
    ['https://exa\nmple.org', undefined],
    ['https://exämple.org', undefined],
    ['https://0x7f.1/', undefined],
    ['file:///a', undefined],
    ['example.org', undefined],
    ['javascript:alert(1)', undefined],
  ])('%j is surely %s', (text, host) => {
    expect(sureHost(text)).toBe(host)
  })

  test.each([
    'https://evil.test',
    'evil.test/path',
    'https://a@evil.test',
    '//evil.test',
    'https:\\\\evil.test',
    'https://ev\til.test',
    'https://EVIL.TEST./',
    'ftp://evil.test:21/a',
    'x evil.test',
  ])('%j may lead to evil.test', (text) => {
    expect(possibleHosts(text)).toContain('evil.test')
  })
})

describe('a condition', () => {
  const notes = inside('/path', '/home/me/notes')
  const seen = (part: Partial<PathReading>): PathReading => ({
    sure: true,
    literal: ['/home/me/notes/a'],
    real: ['/home/me/notes/a'],
    ...part,
  })
  const paths = new Map<string, PathReading>([
    ['in', seen({})],
    ['out', seen({ literal: ['/etc/a'], real: ['/etc/a'] })],
    ['link out', seen({ real: ['/etc/a'] })],
    ['link in', seen({ literal: ['/etc/a'] })],
    ['either', seen({ real: ['/home/me/notes/a', '/etc/a'] })],
    ['unsure', seen({ sure: false })],
    ['unsure out', seen({ sure: false, literal: ['/etc/a'], real: ['/etc/a'] })],
    ['other case', seen({ literal: ['/HOME/me/Notes/a'], real: ['/HOME/me/Notes/a'] })],
    ['not followed', seen({ real: [] })],
  ])
  /** Reads the path as an approval does, and as a refusal does. */
  const both = (condition: Condition, args: Record<string, unknown>): string => {
    const facts = makeFacts({ arguments: args as never, paths })
    return `${matchCondition(facts, condition, false)} ${matchCondition(facts, condition, true)}`
  }

  test.each<[string, unknown, string]>([
    ['inside', 'in', 'yes yes'],
    ['outside', 'out', 'no no'],
    ['inside, and a link leads out', 'link out', 'no yes'],
    ['outside, and a link leads in', 'link in', 'no yes'],
    ['one way to walk it leads out', 'either', 'no yes'],
    ['can be read in two ways', 'unsure', 'no yes'],
    ['can be read in two ways, outside as far as one can tell', 'unsure out', 'no unsure'],
    ['in capitals', 'other case', 'no yes'],
    ['could not be followed', 'not followed', 'no yes'],
    ['was not looked at', 'elsewhere', 'no unsure'],
    ['all of them inside', ['in', 'in'], 'yes yes'],
    ['one of them outside', ['in', 'out'], 'no yes'],
    ['none of them', [], 'no no'],
    ['no text', 7, 'no no'],
    ['an object', { a: 'in' }, 'no unsure'],
    ['null', null, 'no no'],
    ['left out', undefined, 'no no'],
  ])('about a folder: %s', (_title, path, expected) => {
    expect(both(notes, path === undefined ? {} : { path })).toBe(expected)
  })

  test('about a folder that the host did not look up allows nothing', () => {
    expect(both({ kind: 'path-inside', argument: '/path', folder: '/home/me/notes' }, { path: 'in' })).toBe('no yes')
  })

  test.each<[Condition, unknown, string]>([
    [{ kind: 'equals', argument: '/v', value: 'a' }, 'a', 'yes yes'],
    [{ kind: 'equals', argument: '/v', value: 'a' }, ' A', 'no yes'],
    [{ kind: 'equals', argument: '/v', value: 1 }, '1', 'no yes'],
    [{ kind: 'equals', argument: '/v', value: 'a' }, ['b', 'a'], 'no yes'],
    [{ kind: 'equals', argument: '/v', value: ['a', { b: 1, c: 2 }] }, ['a', { c: 2, b: 1 }], 'yes yes'],
    [{ kind: 'equals', argument: '/v', value: 'a' }, 'b', 'no no'],
    [{ kind: 'equals', argument: '/v', value: 'mallory' }, 'mal\u00adl\u200bor\u00fd\u{e0041}', 'no yes'],
    [{ kind: 'equals', argument: '/v', value: 'mallory' }, 'mall%6Fry', 'no yes'],
    [{ kind: 'equals', argument: '/v', value: 'mallory' }, 'm\u0430llory', 'no unsure'],
    [{ kind: 'equals', argument: '/v', value: '\u0915\u0940' }, '\u0915\u0947', 'no unsure'],
    [{ kind: 'pattern', argument: '/v', pattern: '*drop table*' }, 'x; dr\u00f3p\u00a0 \ntable y', 'no yes'],
    [{ kind: 'pattern', argument: '/v', pattern: '*drop*' }, 'dr\u043ep', 'no unsure'],
    [{ kind: 'pattern', argument: '/v', pattern: 'rm *' }, 'rm -rf', 'yes yes'],
    [{ kind: 'pattern', argument: '/v', pattern: 'rm *' }, 'rm -rf\nls', 'no yes'],
    [{ kind: 'pattern', argument: '/v', pattern: 'rm *' }, 'RM -rf', 'no yes'],
    [{ kind: 'pattern', argument: '/v', pattern: 'rm *' }, 'r\u200bm -rf', 'no yes'],
    [{ kind: 'pattern', argument: '/v', pattern: '5*' }, 55, 'no yes'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: false }, 'https://a.test/x', 'yes yes'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: false }, 'https://b.a.test/x', 'no no'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: true }, 'https://b.a.test/x', 'yes yes'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: true }, 'https://ba.test/x', 'no no'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: true }, 'a.test', 'no yes'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test', subdomains: false }, 'https://a.test:99/', 'no yes'],
    [{ kind: 'url-host', argument: '/v', host: 'a.test:99', subdomains: false }, 'https://a.test:99/', 'yes yes'],
    [{ kind: 'equals', argument: '/toString', value: 'x' }, 'a', 'no no'],
    [{ kind: 'equals', argument: '/o/deep~1er', value: 1 }, 'a', 'no no'],
  ])('%j with %j', (condition, v, expected) => {
    expect(both(condition, { v })).toBe(expected)
  })
})

test('a value longer than is looked at is nobody’s to tell', () => {
  const facts = makeFacts({ arguments: { v: 'x'.repeat(10_001) } })
  const pattern: Condition = { kind: 'pattern', argument: '/v', pattern: 'x*' }
  expect([matchCondition(facts, pattern, false), matchCondition(facts, pattern, true)]).toEqual(['no', 'unsure'])
})

test('an argument is found by its pointer, and never in what all objects have', () => {
  const args = { a: { 'b/c': { 'd~e': 1 } }, '': 2, list: [1] }
  expect([valueAt(args, pointerTo('a', 'b/c', 'd~e')), valueAt(args, '/'), valueAt(args, '/a/toString'), valueAt(args, '/list/0')]).toEqual(
    [1, 2, undefined, undefined],
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.constantFrom('~', '/', '0', '1', 'a', 'é', ' '), { maxLength: 5 }).map((letters) => letters.join('')),
        { minLength: 1, maxLength: 4 },
      ),
      (names) => {
        expect(pointerNames(pointerTo(...names))).toEqual(names)
      },
    ),
  )
})

test('only what a rule about this call looks at is looked up', () => {
  const args = { path: '/a', paths: ['/b', 7], other: '/c' }
  const facts = makeFacts({ arguments: args as never })
  const rules = [
    makeRule('a', { conditions: [inside('/path', '/x')] }),
    makeRule('d', { effect: 'deny', conditions: [inside('/paths', '/y')] }),
    makeRule('z', { server: 'mail', conditions: [inside('/other', '/z')] }),
  ]
  expect(pathTexts(facts, rules)).toEqual(['/a', '/b', '/y'])
})

test('what an approval takes, a refusal of the same condition takes too', () => {
  const values = fc.constantFrom('/a', '/a/b', '/c', 'x', 'https://a.test/', 'https://b.a.test', 'git x', 1, null)
  const anyCondition = fc.constantFrom<Condition>(
    inside('/v', '/a'),
    { kind: 'equals', argument: '/v', value: '/a' },
    { kind: 'pattern', argument: '/v', pattern: '*a*' },
    { kind: 'url-host', argument: '/v', host: 'a.test', subdomains: true },
  )
  const paths = new Map(['/a', '/a/b', '/c'].map((path): [string, PathReading] => [path, { sure: true, literal: [path], real: [path] }]))
  fc.assert(
    fc.property(anyCondition, fc.oneof(values, fc.array(values), fc.jsonValue()), (condition, v) => {
      const facts = { arguments: { v } as never, paths }
      if (matchCondition(facts, condition, false) === 'yes') expect(matchCondition(facts, condition, true)).toBe('yes')
    }),
    { numRuns: 3000 },
  )
})

describe('the agent that calls', () => {
  const told = { client: 'code', folder: '/work/site', verified: true }
  const claimed = { ...told, verified: false }
  test.each<[string, CallFacts['agent'], Rule['effect'], Rule['agent'], string]>([
    ['an approval without an agent is for Assent alone', told, 'allow', undefined, 'no'],
    ['an approval without an agent is for Assent', undefined, 'allow', undefined, 'yes'],
    ['an approval for agents is for no chat', undefined, 'allow', {}, 'no'],
    ['an approval for one entry', told, 'allow', { client: 'code' }, 'yes'],
    ['an approval for another entry', told, 'allow', { client: 'other' }, 'no'],
    ['an approval for all agents', told, 'allow', {}, 'yes'],
    ['an approval in its folder', told, 'allow', { client: 'code', folder: '/work' }, 'yes'],
    ['an approval in another folder', told, 'allow', { client: 'code', folder: '/work/site/in' }, 'no'],
    ['an approval in a folder whose name begins alike', told, 'allow', { folder: '/work/si' }, 'no'],
    ['an approval in a folder that is only claimed', claimed, 'allow', { client: 'code', folder: '/work' }, 'no'],
    ['a refusal without an agent', told, 'deny', undefined, 'yes'],
    ['a refusal for another entry', told, 'deny', { client: 'other' }, 'no'],
    ['a refusal in a folder that is only claimed', claimed, 'deny', { folder: '/elsewhere' }, 'unsure'],
    ['a refusal in another folder', told, 'deny', { folder: '/elsewhere' }, 'no'],
    ['a refusal for agents is for no chat', undefined, 'deny', {}, 'no'],
  ])('%s', (_title, agent, effect, about, expected) => {
    expect(matchRule(makeFacts({ agent }), makeRule('r', { effect, ...(about ? { agent: about } : {}) }))).toBe(expected)
  })
})
