import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildIfNeeded, isBuilt, stampOf } from './build-if-needed.ts'

let root: string
const write = (path: string, text = ''): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-build-'))
  write('app/a.ts')
  write('renderer/page.tsx')
  for (const name of [
    'main/cli.js',
    'main/electron.js',
    'main/demo-server.js',
    'renderer/index.html',
    'diagram/frame.js',
    'preload/preload.cjs',
  ])
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

it('builds once for all who ask at once, and puts it in place whole', async () => {
  rmSync(join(root, 'dist'), { recursive: true })
  write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs')
     const out = process.env.ASSENT_OUT_DIR
     fs.appendFileSync('runs', out.startsWith(process.cwd()) && !fs.existsSync('dist/main') ? 'beside ' : 'over ')
     for (const name of ['main/cli.js', 'main/electron.js', 'main/demo-server.js', 'renderer/index.html', 'diagram/frame.js', 'preload/preload.cjs']) {
       fs.mkdirSync(require('node:path').dirname(out + '/' + name), { recursive: true })
       fs.writeFileSync(out + '/' + name, '')
     }`,
  )
  await Promise.all([buildIfNeeded(root), buildIfNeeded(root), buildIfNeeded(root)])
  expect([isBuilt(root), readFileSync(join(root, 'runs'), 'utf8'), readdirSync(join(root, 'dist')).sort()]).toEqual([
    true,
    'beside ',
    ['.built', 'diagram', 'main', 'preload', 'renderer'],
  ])
})

it('leaves the last build in place when the next one fails, and lets others try', async () => {
  write('node_modules/vite/bin/vite.js', 'process.exit(1)')
  rmSync(join(root, 'dist/.built'))
  await expect(buildIfNeeded(root)).rejects.toThrow()
  await expect(buildIfNeeded(root)).rejects.toThrow()
  expect(existsSync(join(root, 'dist/main/cli.js'))).toBe(true)
})

it('does not build for a test', () => {
  write('app/a.test.ts')
  expect(isBuilt(root)).toBe(true)
})
