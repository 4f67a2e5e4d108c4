// What Node and Vite take for a file on Windows, checked with win32 values. Recorded failures: nodejs/node's
// ERR_UNSUPPORTED_ESM_URL_SCHEME for a bare path (Nukecord issue 7, pmb0/express-tsx-views issue 394); Vite compares ids with
// forward slashes ("Path Normalization" in its plugin API documentation; vitejs/vite issue 1522).
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { hostChunks, lazyZod, startChunk } from '../vite.config.ts'
import { fileModule, moduleIdsBelow } from './module-address.ts'

const root = resolve(import.meta.dirname, '..')
const idOf = moduleIdsBelow('C:\\Users\\Jörg Ö\\assent', win32)

test.each([
  ['C:\\Users\\Jörg Ö\\assent\\dist\\main\\cli.js', 'file:///C:/Users/J%C3%B6rg%20%C3%96/assent/dist/main/cli.js'],
  ['d:\\a#b\\cli.js', 'file:///d:/a%23b/cli.js'],
  ['\\\\server\\share\\assent\\cli.js', 'file://server/share/assent/cli.js'],
])('Node loads %s by its URL', (file, url) => {
  expect(fileModule(file, true)).toBe(url)
})

test('Node’s loader looks for the file of a drive, and does not take the drive for a scheme', () => {
  const program = `import(${JSON.stringify(fileModule('C:\\assent\\dist\\main\\cli.js', true))}).catch(({ code }) => process.stdout.write(code))`
  const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
  expect(stdout).toBe('ERR_MODULE_NOT_FOUND')
})

test('no script loads a module by a bare path', () => {
  const bare = readdirSync(join(root, 'scripts'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) =>
      [...readFileSync(join(root, 'scripts', name), 'utf8').matchAll(/\bimport\((?!['")]).*/g)].map(([line]) => `${name}: ${line}`),
    )
    .filter((line) => !line.includes('import(fileModule('))
  expect(bare).toEqual([])
})

test.each([
  ['app/lazy-zod.ts', 'C:/Users/Jörg Ö/assent/app/lazy-zod.ts'],
  ['app', 'C:/Users/Jörg Ö/assent/app'],
  ['.\\renderer\\main.tsx', 'C:/Users/Jörg Ö/assent/renderer/main.tsx'],
])('Vite knows %s by its id', (file, id) => {
  expect(idOf(file)).toBe(id)
})

test('the stand-in for zod is not its own stand-in on Windows', () => {
  const { resolveId } = lazyZod(idOf)
  const lazy = 'C:/Users/Jörg Ö/assent/app/lazy-zod.ts'
  expect([resolveId('zod', lazy), resolveId('zod', 'C:/Users/Jörg Ö/assent/app/settings.ts')]).toEqual([
    undefined,
    { id: lazy, moduleSideEffects: false },
  ])
})

test('chunks are grouped on Windows as they are elsewhere', () => {
  const at = (file: string): string => `C:/Users/Jörg Ö/assent/${file}`
  const imports: Record<string, string[]> = {
    [at('renderer/main.tsx')]: [at('renderer/app.tsx')],
    [at('main/host.ts')]: [at('main/chat/a.ts')],
  }
  const context = { getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }) }
  expect([
    startChunk(idOf)(at('renderer/app.tsx'), context),
    startChunk(idOf)(at('renderer/other.tsx'), context),
    startChunk(idOf)(at('app/lazy-zod.ts'), context),
    hostChunks(idOf)(at('main/chat/a.ts'), context),
    hostChunks(idOf)(at('app/lazy-zod.ts'), context),
  ]).toEqual(['start', null, 'schemas', 'host', null])
})
