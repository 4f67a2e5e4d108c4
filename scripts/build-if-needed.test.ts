import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isBuilt, stampOf } from './build-if-needed.ts'

let root: string
const write = (path: string, text = ''): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-build-'))
  write('app/a.ts')
  write('renderer/page.tsx')
  for (const name of ['main/cli.js', 'main/electron.js', 'main/demo-server.js', 'renderer/index.html', 'preload/preload.cjs'])
    write(`dist/${name}`)
  write('dist/.built', stampOf(root))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('does nothing when nothing changed', () => {
  expect(isBuilt(root)).toBe(true)
})

it.each<[string, () => void]>([
  ['a source is edited', () => utimesSync(join(root, 'app/a.ts'), new Date(), new Date(Date.now() + 5000))],
  ['a source is added', () => write('main/b.ts')],
  ['a source is taken away', () => rmSync(join(root, 'app/a.ts'))],
  ['a result is gone', () => rmSync(join(root, 'dist/main/cli.js'))],
  ['it was never built', () => rmSync(join(root, 'dist'), { recursive: true })],
])('builds when %s', (_title, change) => {
  change()
  expect(isBuilt(root)).toBe(false)
})

it('does not build for a test', () => {
  write('app/a.test.ts')
  expect(isBuilt(root)).toBe(true)
})
