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

const changes = [
  ['requestSingleInstanceLock(', 'requestInstanceLock(', 'e2e/electron-fake/app.ts'],
  ['encryptStringAsync(plainText: string)', 'encryptStringAsync(plainText: string, key: number)', 'main/shell/electron/safe-storage.ts'],
  ['isAsyncEncryptionAvailable(): Promise<boolean>', 'isAsyncEncryptionAvailable(): string', 'e2e/electron-fake/system.ts'],
  ['    contextIsolation?: boolean;', '    isolation?: boolean;', 'main/shell/electron/window/window.ts'],
  ['readonly senderFrame: (WebFrameMain)', 'readonly senderFrame: (string)', 'main/shell/electron/ipc.ts'],
  ['invoke(channel: string, ...args: any[])', 'invoke(channel: number)', 'e2e/electron-fake/ipc.ts'],
] as const

/** Files that do not compile when Electron's types are changed so. */
function brokenBy(replacements: readonly (readonly [string, string, string])[]): string[] {
  let types = readFileSync(join(root, 'node_modules/electron/electron.d.ts'), 'utf8')
  for (const [from, to] of replacements) {
    if (!types.includes(from)) throw new Error(`electron.d.ts has no “${from}”`)
    types = types.replaceAll(from, to)
  }
  const file = join(folder, 'electron.d.ts')
  writeFileSync(file, types)
  const config = {
    extends: join(root, 'tsconfig.node.json'),
    compilerOptions: { paths: { electron: [file] }, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['main/shell/electron', 'preload', 'e2e/electron-fake'].map((path) => join(root, path)),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '--singleThreaded', '-p', folder, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  return [...new Set([...stdout.matchAll(/^(.+?)\(\d+,\d+\): error/gm)].map(([, path]) => String(path)))]
}

test('what was changed in Electron no longer compiles here, each change where it matters', { timeout: 120_000 }, () => {
  const broken = brokenBy(changes)
  expect(changes.map(([, , file]) => file).filter((file) => !broken.some((path) => path.endsWith(file)))).toEqual([])
})
