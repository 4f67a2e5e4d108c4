import { expect, it } from 'vitest'
import { quoted, seatbeltProfile } from './seatbelt.ts'

it('denies what is kept or hidden after it has allowed what is around it', () => {
  const profile = seatbeltProfile({
    mounts: [
      { kind: 'read', path: '/Users/a/r' },
      { kind: 'write', path: '/Users/a/w' },
      { kind: 'keep', path: '/Users/a/w/.git/hooks' },
      { kind: 'hide-folder', path: '/Users/a/w/data' },
    ],
    own: '/Users/a/own',
    proxyPort: 4000,
  })
  const at = (text: string): number => profile.indexOf(text)
  expect(profile.startsWith('(version 1)\n(deny default)\n')).toBe(true)
  expect(at('(allow file-write*\n  (subpath "/Users/a/own")\n  (subpath "/Users/a/w")\n)')).toBeGreaterThan(0)
  expect(at('(deny file-write*\n  (subpath "/Users/a/w/.git/hooks")\n)')).toBeGreaterThan(at('(allow file-write*'))
  expect(at('(deny file-read* file-write*\n  (subpath "/Users/a/w/data")\n)')).toBeGreaterThan(at('(deny file-write*'))
  expect(profile).toContain('(allow network-outbound (remote ip "localhost:4000"))')
})

it('lets no path end its own quotation', () => {
  expect(quoted('/a") (allow default) ("\\')).toBe('"/a\\") (allow default) (\\"\\\\"')
})
