import { describe, expect, test } from 'vitest'
import { makeFacts, makeRule } from '../consent.testing.ts'
import { argumentTexts, leadsInto, mentionsFolder, pathsIn, pathsWithin, touchesFolder } from './data-folder.ts'
import { decideConsent } from './decide.ts'

const linux = { windows: false, home: '/home/ada' }
const windows = { windows: true, home: 'C:/Users/ada' }
const own = ['/home/ada/.config/assent', '/data/assent']

/** Asks as the host does, without links. */
const mayTouch = (text: string, base = '/srv/files'): boolean =>
  mentionsFolder(text, own, linux.home) ||
  pathsIn(text, linux, base).some((place) => touchesFolder({ sure: true, literal: [place], real: [place] }, own)) ||
  pathsWithin(text, linux).some((place) => leadsInto({ sure: true, literal: [place], real: [place] }, own))

// Agents that rewrote the file with their own permissions, as recorded: openonion/connectonion issue 722,
// zeroclaw-labs/zeroclaw pull 2431, nugget/thane-ai-agent issue 108.
describe('the folder of Assent’s own data', () => {
  test.each([
    '/home/ada/.config/assent/servers.json',
    '/home/ada/.config/assent',
    '/data/assent/assent.db-wal',
    '/home/ada/.config/other/../assent/servers.json',
    '/HOME/ada/.Config/ASSENT/servers.json',
    '~/.config/assent/servers.json',
    'file:///home/ada/.config/assent/servers.json',
    '/home/ada/%2econfig/assent/servers.json',
    '/home/ada',
    '/home/ada/.config/',
    '/',
    '/home/ada/{x,.config}/assent',
    '/home/*/.config',
    'cat /home/ada/.config/assent/servers.json',
    'cd ~ && echo {} > .config/assent/servers.json',
    'cp x $HOME/.config//assent/servers.json',
    '/home/ada/.config/other/../assent/servers.json\n',
    '\n/home/ada/.config/other/../assent/servers.json',
    `/home/ada/${'./'.repeat(2100)}.config/other/../assent/servers.json`,
    `/home/ada${'/'.repeat(5000)}.config/./assent/servers.json`,
    `/home/ada/${'a'.repeat(300)}/../.config/./assent/servers.json`,
    '$XDG_CONFIG_HOME/assent/servers.json',
    '%APPDATA%\\Assent\\servers.json',
    '~root/x/servers.json',
    '/proc/self/cwd/servers.json',
    '/dev/fd/../cwd/servers.json',
    'cp /tmp/x /home/ada/.config/./assent/servers.json',
    '--out=/home/ada/.config/./assent/servers.json',
    '/tmp/x:/home/ada/.config/./assent/servers.json',
    '{"path":"/home/ada/.config/./assent/servers.json"}',
    '"/home/ada/.config/./assent/servers.json"',
    "'~/.config/./assent/servers.json'",
    'cat $HOME/.config/./assent/servers.json',
    `cat \${HOME}/.config/./assent/servers.json`,
  ])('may be meant by %j', (text) => expect(mayTouch(text)).toBe(true))

  test.each([
    '/home/ada/notes/a.txt',
    '/home/ada/.config/assent-notes/a.txt',
    '/home/ada/app/[id].tsx',
    '/srv/files/50% of $3',
    'and/or',
    '50% and/or $3',
    'n/a',
    '.',
    'notes/a.txt',
    'My assent is not given.',
    '',
    'line one\n/home',
    `/9j/${'4AAQSkZJRgABAQ'.repeat(30)}`,
    `/9j/${'4AAQ////SkZJRgABAQ'.repeat(300)}`,
    '$HOME/notes/a.txt',
    'ls / && ls /home',
    '<p>/</p>',
    'https://example.org/home/ada',
    '$5/day',
    `see ${'/srv/a '.repeat(2000)}`,
  ])('is not meant by %j', (text) => expect(mayTouch(text)).toBe(false))

  test('a relative path is read from the folder that the server runs in', () => {
    expect([mayTouch('.config', '/home/ada'), mayTouch('.', '/home/ada'), mayTouch('../ada/.config')]).toEqual([true, true, false])
  })

  test('on Windows too', () => {
    const folder = ['C:/Users/ada/AppData/Roaming/Assent']
    expect(mentionsFolder('type C:\\Users\\ada\\appdata\\roaming\\assent\\servers.json', folder, windows.home)).toBe(true)
    expect(
      pathsIn('C:\\Users\\ada\\AppData', windows, 'C:/x').some((one) => touchesFolder({ sure: true, literal: [one], real: [one] }, folder)),
    ).toBe(true)
  })

  test('a path whose links nobody could follow in time is a doubt', () => {
    const unanswered = { sure: false, literal: ['/srv/link/servers.json'], real: [] }
    expect([touchesFolder(unanswered, own), leadsInto(unanswered, own)]).toEqual([true, true])
  })

  test('texts deep within the arguments count, names too; too many are a doubt', () => {
    expect(argumentTexts({ a: [{ b: 'x' }], c: 1 })?.toSorted()).toEqual(['a', 'b', 'c', 'x'])
    expect(argumentTexts({ list: Array.from({ length: 3000 }, (_, n) => `${n}`) })).toBeUndefined()
  })

  test('no rule and no mode answers for it, and a refusal stays one', () => {
    const facts = makeFacts({ ownFolder: true })
    const kinds = (rules: Parameters<typeof decideConsent>[1], part = {}) => {
      const verdict = decideConsent({ ...facts, ...part }, rules)
      return verdict.kind === 'ask' ? verdict.why.kind : verdict.kind
    }
    const allow = [makeRule('a', { tool: 'move' })]
    expect([
      kinds(allow),
      kinds([], { mode: 'ask-writes', readOnly: true }),
      kinds(allow, { mode: 'rules-only' }),
      kinds([...allow, makeRule('d', { effect: 'deny', tool: 'move' })]),
    ]).toEqual(['own-folder', 'own-folder', 'deny', 'deny'])
  })
})
