// The fake is only worth something if it cannot drift from Electron: with a changed electron.d.ts, it and the shell must
// not compile.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-types-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Files that do not compile when Electron's types are changed so. */
function brokenBy(from: string, to: string): string[] {
  const original = readFileSync(join(root, 'node_modules/electron/electron.d.ts'), 'utf8')
  if (!original.includes(from)) throw new Error(`electron.d.ts has no “${from}”`)
  const types = join(folder, 'electron.d.ts')
  writeFileSync(types, original.replaceAll(from, to))
  const config = {
    extends: join(root, 'tsconfig.node.json'),
    compilerOptions: { paths: { electron: [types] }, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['main/shell/electron', 'preload', 'e2e/electron-fake'].map((path) => join(root, path)),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, file]) => String(file))
}

test.each([
  ['requestSingleInstanceLock(', 'requestInstanceLock(', 'e2e/electron-fake/app.ts'],
  ['encryptStringAsync(plainText: string)', 'encryptStringAsync(plainText: string, key: number)', 'main/shell/electron/secrets.ts'],
  [
    'encryptStringAsync(plainText: string): Promise<Buffer>',
    'encryptStringAsync(plainText: string): Promise<string>',
    'e2e/electron-fake/system.ts',
  ],
  ['    contextIsolation?: boolean;', '    isolation?: boolean;', 'main/shell/electron/window.ts'],
  ['readonly senderFrame: (WebFrameMain)', 'readonly senderFrame: (string)', 'main/shell/electron/ipc.ts'],
])('“%s” changed to “%s” does not compile', (from, to, file) => {
  expect(brokenBy(from, to).some((broken) => broken.endsWith(file))).toBe(true)
})
