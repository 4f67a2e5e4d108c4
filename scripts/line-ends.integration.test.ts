// What a checkout on Windows looks like: Git for Windows is installed with core.autocrlf=true as a rule, and then writes
// CRLF unless .gitattributes says otherwise (gitattributes documentation, "End-of-line conversion").
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-line-ends-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a checkout with core.autocrlf has the line ends of the repository, and pictures as they are', () => {
  const origin = join(folder, 'origin')
  const clone = join(folder, 'clone')
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { encoding: 'utf8' })
  git('init', '--quiet', origin)
  if (existsSync(join(root, '.gitattributes'))) copyFileSync(join(root, '.gitattributes'), join(origin, '.gitattributes'))
  copyFileSync(join(root, 'biome.json'), join(origin, 'biome.json'))
  cpSync(join(root, 'docs/screenshots/chat-dark.png'), join(origin, 'chat.png'))
  // No NUL among the first bytes: by itself git would take it for text.
  writeFileSync(join(origin, 'lines.png'), '\x89PNG\r\n\x1a\nplain\n')
  git('-C', origin, 'add', '.')
  git('-C', origin, 'commit', '--quiet', '-m', 'all')
  git('clone', '--quiet', '-c', 'core.autocrlf=true', origin, clone)
  const bytes = (from: string, name: string): string => readFileSync(join(from, name), 'latin1')
  expect(bytes(clone, 'biome.json').includes('\r')).toBe(false)
  for (const name of ['chat.png', 'lines.png']) expect(bytes(clone, name) === bytes(origin, name)).toBe(true)
})
