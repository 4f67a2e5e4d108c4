import { expect, it } from 'vitest'
import { checkGrant, type GrantList, secretKindOf } from './check-grant.ts'
import { secretGroups, secretPaths } from './protected-paths.ts'

const given = { read: ['~/notes'], write: [], hosts: ['a.example'] }

it.each<[GrantList, string, object]>([
  ['read', ' ~/work/ ', { kind: 'ok', value: '~/work' }],
  ['read', '/', { kind: 'ok', value: '/' }],
  ['read', '~', { kind: 'ok', value: '~' }],
  ['write', '/srv/data', { kind: 'ok', value: '/srv/data' }],
  ['hosts', '*.b.example:8443', { kind: 'ok', value: '*.b.example:8443' }],
  ['read', '~/.ssh/config', { kind: 'secret', value: '~/.ssh/config', secret: 'keys' }],
  ['read', '/home/ada/.config//gh/', { kind: 'secret', value: '/home/ada/.config//gh', secret: 'credentials' }],
  ['read', '/Users/ada/library/cookies', { kind: 'secret', value: '/Users/ada/library/cookies', secret: 'profiles' }],
  ['read', '~/x/../.bash_history', { kind: 'secret', value: '~/x/../.bash_history', secret: 'history' }],
  ['write', '~/.aws', { kind: 'fault', fault: 'secret-write' }],
  ['read', '', { kind: 'fault', fault: 'empty' }],
  ['read', 'notes', { kind: 'fault', fault: 'relative' }],
  ['read', '~ada/notes', { kind: 'fault', fault: 'relative' }],
  ['write', '/srv/*', { kind: 'fault', fault: 'pattern' }],
  ['read', '/a\tb', { kind: 'fault', fault: 'control' }],
  ['read', '~/notes/', { kind: 'fault', fault: 'present' }],
  ['read', '~/.local/share/keyrings/login', { kind: 'fault', fault: 'never' }],
  ['hosts', 'https://b.example', { kind: 'fault', fault: 'not-a-host' }],
  ['hosts', '*', { kind: 'ok', value: '*' }],
  ['hosts', '*.com', { kind: 'fault', fault: 'not-a-host' }],
  ['hosts', 'a.example', { kind: 'fault', fault: 'present' }],
])('%s: %j', (list, typed, check) => expect(checkGrant(list, typed, given)).toEqual(check))

it('takes no folder that only begins like a secret one for secret', () => {
  expect(['~/.sshfs', '/srv/snap', '~/ssh', '~/.config', '/home/.x', '/opt/Library/Mail'].map(secretKindOf)).toEqual(
    Array(6).fill(undefined),
  )
})

it('knows a kind for each secret path of a home folder', () => {
  for (const [kind, paths] of Object.entries(secretGroups))
    expect(new Set(paths.map((path) => secretKindOf(`/home/ada/${path}/below`)))).toEqual(new Set([kind]))
  expect(new Set(secretPaths).size).toBe(secretPaths.length)
})
