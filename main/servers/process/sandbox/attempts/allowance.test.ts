import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SandboxAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { allowanceOf } from '../sandbox.ts'
import { makeSceneFolder } from '../scene-folder.testing.ts'

const home = makeSceneFolder()
const place = { home, dataDir: join(home, '.data') }
for (const folder of ['.ssh', 'notes', '.local/share/keyrings']) mkdirSync(join(home, folder), { recursive: true })
afterAll(() => rmSync(home, { recursive: true, force: true }))

const host = (target: string, refused: SandboxAttempt['refused'] = 'not-granted') => allowanceOf({ kind: 'host', target, refused }, place)
const path = (kind: 'read' | 'write', target: string) => allowanceOf({ kind, target: join(home, target), refused: 'not-granted' }, place)

test('a public host is allowed by a click, a private address by none', () => {
  expect([host('api.example'), host('ads.example', 'denied'), host('8.8.8.8')]).toEqual(['click', 'click', 'click'])
  expect([host('localhost'), host('127.0.0.1'), host('192.168.1.4'), host('169.254.169.254'), host('::1')]).toEqual(
    Array.from({ length: 5 }, () => 'never'),
  )
  const whys = ['private-address', 'malformed', 'not-found', 'unreachable'] as const
  expect(whys.map((why) => host('api.example', why))).toEqual(whys.map(() => 'never'))
  expect(allowanceOf({ kind: 'host', target: 'api.example', refused: undefined }, place)).toBe('never')
})

test('secrets, and what holds them, are read after a review alone, and never written', () => {
  expect(['.ssh/id_rsa', '.ssh', '.', '..'].map((one) => path('read', one))).toEqual(['review', 'review', 'review', 'review'])
  expect(['.ssh/id_rsa', '.ssh', '.', '.bashrc', '.config/autostart', 'notes/.git/config'].map((one) => path('write', one))).toEqual(
    Array.from({ length: 6 }, () => 'never'),
  )
})

test('keyrings and the data folder are never allowed; another folder is', () => {
  expect(['.local/share/keyrings/login.keyring', '.data/assent.db'].flatMap((one) => [path('read', one), path('write', one)])).toEqual(
    Array.from({ length: 4 }, () => 'never'),
  )
  expect([path('read', 'notes'), path('write', 'notes')]).toEqual(['click', 'click'])
})
