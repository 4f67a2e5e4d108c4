// A translation that is put where `docs/translation.md` says, in a project that is this one but for that file: the command
// line and the page speak it. The host: `main/host/language.integration.test.ts`. The words are invented.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'

const here = resolve(import.meta.dirname, '../..')
let root: string

/** All of `folder` as links, but what is named. */
function linkAll(folder: string, except: readonly string[]): void {
  mkdirSync(join(root, folder), { recursive: true })
  for (const name of readdirSync(join(here, folder)))
    if (!except.includes(name) && !name.startsWith('.')) symlinkSync(join(here, folder, name), join(root, folder, name))
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-language-'))
  linkAll('.', ['app', 'dist'])
  linkAll('app', ['i18n'])
  linkAll('app/i18n', ['languages'])
  mkdirSync(join(root, 'app/i18n/languages'))
  writeFileSync(
    join(root, 'app/i18n/languages/pl.json'),
    JSON.stringify({ 'Try again': 'Jeszcze raz', 'There is no command “{0}”.': 'Nie ma „{0}”.' }),
  )
})
afterEach(() => void vi.unstubAllGlobals())
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('the command line speaks it where the environment asks for it', async () => {
  const args = ['--preserve-symlinks', '--preserve-symlinks-main', join(root, 'main/shell/cli/main.ts'), 'nothing-alike']
  const said = async (LC_ALL: string): Promise<string> =>
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, LC_ALL } }).then(
      ({ stderr }) => stderr,
      ({ stderr }: { readonly stderr: string }) => stderr,
    )
  expect((await said('pl_PL.UTF-8')).split('\n')[0]).toBe('assent: Nie ma „nothing-alike”.')
  expect((await said('C')).split('\n')[0]).toBe('assent: There is no command “nothing-alike”.')
})

it('the page speaks it where its browser asks for it', async () => {
  const entry = join(root, 'renderer-words.ts')
  writeFileSync(
    entry,
    `import './renderer/language.ts'\nimport { t } from '#app/i18n/translate.ts'\nexport const words = [t\`Try again\`, t\`Cancel\`]\n`,
  )
  const outDir = join(root, 'built')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { preserveSymlinks: true },
    build: { outDir, lib: { entry, formats: ['es'], fileName: 'words' }, minify: false },
  })
  const html = { lang: '', dir: '' }
  vi.stubGlobal('document', { documentElement: html })
  vi.stubGlobal('navigator', { languages: ['pl-PL', 'en'] })
  const { words } = (await import(pathToFileURL(join(outDir, 'words.js')).href)) as { readonly words: readonly string[] }
  expect([words, html]).toEqual([['Jeszcze raz', 'Cancel'], { lang: 'pl', dir: 'ltr' }])
})
