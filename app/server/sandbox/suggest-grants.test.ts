import { expect, test } from 'vitest'
import { grantsOf, suggestGrants } from './suggest-grants.ts'

const [folders, files] = [
  ['/home/ada/notes', '/srv/data'],
  ['/home/ada/app.db', '/srv/server.js'],
]
const facts = { home: '/home/ada', isFolder: (path: string) => folders.includes(path), isFile: (path: string) => files.includes(path) }
const suggested = (command: string, args: readonly string[], env = {}, more = {}) =>
  suggestGrants({ command, args: [...args], env }, { ...facts, ...more }).map(({ list, value, reason }) => `${list} ${value} (${reason})`)

test('suggests what exists among the arguments: folders to write, files to read', () => {
  expect(suggested('npx', ['-y', 'files', '~/notes', '--root=/srv/data', '/srv/data', '--db', '~/app.db', '/gone', 'notes'])).toEqual([
    'write /home/ada/notes (argument)',
    'write /srv/data (argument)',
    'read /home/ada/app.db (argument)',
  ])
})

test('suggests no grant for the program that an interpreter runs', () => {
  expect([suggested('/usr/bin/node', ['--no-warnings', '/srv/server.js']), suggested('tool', ['/srv/server.js'])]).toEqual([
    [],
    ['read /srv/server.js (argument)'],
  ])
})

test('suggests the hosts of addresses, with a port that is not the usual one', () => {
  const env = { BASE: 'https://api.example.com/v1', OTHER: 'see https://x.example', DB: 'postgres://db.example/x' }
  expect(suggested('tool', ['--url=http://127.0.0.1:8080/', 'https://API.example.org:443/a', 'https://'], env)).toEqual([
    'hosts 127.0.0.1:8080 (url)',
    'hosts api.example.org (url)',
    'hosts api.example.com (variable)',
  ])
})

test('suggests declared hosts that are patterns, each once, and sums all up as grants', () => {
  const more = { declaredHosts: ['*.example.com', '*', 'api.example.org'] }
  expect(suggested('tool', ['https://api.example.org'], {}, more)).toEqual([
    'hosts api.example.org (url)',
    'hosts *.example.com (declared)',
  ])
  const grants = grantsOf(suggestGrants({ command: 'tool', args: ['/srv/data', '~/app.db'], env: {} }, facts))
  expect(grants).toMatchObject({ read: ['/home/ada/app.db'], write: ['/srv/data'], hosts: [] })
})
