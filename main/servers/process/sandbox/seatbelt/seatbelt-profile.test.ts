import { expect, it } from 'vitest'
import type { Mount } from '../plan-mounts.ts'
import { quoted, seatbeltProfile, systemMounts } from './seatbelt-profile.ts'

const own: readonly Mount[] = [{ kind: 'write', path: '/Users/a/w/data/own' }]
const profile = seatbeltProfile({
  mounts: [
    ...systemMounts,
    { kind: 'read', path: '/Users/a/r' },
    { kind: 'write', path: '/Users/a/w' },
    { kind: 'write', path: '/Users/a/w/.git' },
    { kind: 'read', path: '/Users/a/w/modules' },
    { kind: 'keep', path: '/Users/a/w/.git/hooks' },
    { kind: 'hide-folder', path: '/Users/a/w/data' },
  ],
  own,
  proxyPort: 4000,
})
const lines = profile.split('\n')
const at = (line: string): number => lines.indexOf(line)

it('denies what is kept or hidden after all that is allowed but the folders of the server’s own', () => {
  const order = [
    '(deny default)',
    '(allow file-read* file-map-executable file-write* (subpath "/Users/a/w"))',
    '(deny file-write* (subpath "/Users/a/w/modules"))',
    '(deny file-write* (subpath "/Users/a/w/.git/hooks"))',
    '(deny file-read* file-map-executable file-write* (subpath "/Users/a/w/data"))',
    '(allow file-read* file-map-executable file-write* (subpath "/Users/a/w/data/own"))',
  ].map(at)
  expect(order.every((place) => place > 0)).toBe(true)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(at('(deny file-write* (subpath "/Users/a/r"))')).toBe(-1)
})

it('keeps what is around a kept or hidden path where it is, and makes no second name of a file', () => {
  for (const path of ['/Users/a/w', '/Users/a/w/.git', '/Users/a/w/data/own'])
    expect(at(`(deny file-write-unlink (literal "${path}"))`)).toBeGreaterThan(
      at(`(allow file-read* file-map-executable file-write* (subpath "${path}"))`),
    )
  expect(lines).toContain('(deny file-link)')
})

it('reaches one port, and listens on none', () => {
  expect(lines.filter((line) => line.includes('network'))).toEqual(['(allow network-outbound (remote ip "localhost:4000"))'])
})

it.each([
  'SecurityServer',
  'securityd',
  'trustd',
  'appleevent',
  'launchservices',
  'coreservices',
  'pasteboard',
  'iokit',
  'import',
  'Volumes/Data',
  '/dev/tty',
])('gives nothing of %s', (word) => expect(profile.toLowerCase()).not.toContain(word.toLowerCase()))

it('lets no path end its own quotation', () => {
  expect(quoted('/a") (allow default) ("\\')).toBe('"/a\\") (allow default) (\\"\\\\"')
})

it.each([
  ['a line feed', '/a\n(allow default)'],
  ['NUL', '/a\0'],
  ['DEL', '/a\x7f'],
  ['half a character', '/a\ud800'],
  ['1,001 bytes', `/${'é'.repeat(499)}`],
])('refuses a path with %s', (_, path) =>
  expect(() => quoted(path)).toThrow(expect.objectContaining({ code: 'server.sandbox-grant', data: { path } })),
)

it('takes the longest path that a profile can hold', () => expect(Buffer.byteLength(quoted(`/${'a'.repeat(997)}`))).toBe(1000))
