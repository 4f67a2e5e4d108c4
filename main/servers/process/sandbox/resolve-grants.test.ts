import { expect, it } from 'vitest'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { resolveGrants } from './resolve-grants.ts'

const place = { home: '/home/nobody-here', dataDir: '/home/nobody-here/.local/share/assent' }

it.each([
  '~',
  '/',
  '/home',
  '/etc',
  '/usr/local/bin',
  '~/.bashrc',
  '~/.config/autostart',
  '~/.ssh',
  '~/.local/share/assent/x',
  '/proc/self',
  '/run/user/1000',
  'relative',
  '~/*',
  '~/.local/share/keyrings',
])('refuses to let %s be written', (path) =>
  expect(() => resolveGrants({ ...noGrants, write: [path] }, place)).toThrow(expect.objectContaining({ code: 'server.sandbox-grant' })),
)

it.each([
  '~/.local/share/assent',
  '~/.local/share/assent/sandbox/other',
  '~/.local/share/keyrings/login.keyring',
  '/proc',
  '/run/docker.sock',
  '/',
  '/sys/class',
])('refuses to let %s be read', (path) =>
  expect(() => resolveGrants({ ...noGrants, read: [path] }, place)).toThrow(expect.objectContaining({ code: 'server.sandbox-grant' })),
)

it('resolves paths, each once and in order, and takes a secret that is named', () => {
  expect(
    resolveGrants({ ...noGrants, read: ['~/.ssh/config', '~/b/../a', '~/a'], write: ['~/w'], hosts: ['b.example', 'a.example'] }, place),
  ).toEqual({
    ...noGrants,
    read: ['/home/nobody-here/.ssh/config', '/home/nobody-here/a'],
    write: ['/home/nobody-here/w'],
    hosts: ['a.example', 'b.example'],
  })
})
