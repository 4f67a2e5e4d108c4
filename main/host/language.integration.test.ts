// A translation that is dropped in, and whom it reaches: the host here; the command line and the page in
// `scripts/i18n/another-language.integration.test.ts`. The words are invented.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { systemLanguage } from '#app/i18n/choose-language.ts'
import { speak } from '#main/shell/node/languages.ts'
import { createTestPlatform, makeTestHost } from './host.testing.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-words-'))
  writeFileSync(join(folder, 'pl.json'), JSON.stringify({ 'There is no server named “{0}”.': 'Nie ma „{0}”.' }))
})
afterEach(() => speak(undefined))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the host speaks the language of its system, and from the next word on the one that the settings name', async () => {
  const inPolish = (language: string): void => speak({ wanted: language === systemLanguage ? ['pl'] : [language], system: ['pl'], folder })
  const { host, remove } = makeTestHost({ platform: { ...createTestPlatform(), speak: inPolish } })
  const words = (): Promise<string> =>
    host.request('server.start', { name: 'notes' }).then(
      () => '',
      (error: Error) => error.message,
    )
  const said = [await words()]
  for (const language of ['en', 'pl']) {
    await host.request('settings.set', { language })
    said.push(await words())
  }
  await remove()
  expect(said).toEqual(['Nie ma „notes”.', 'There is no server named “notes”.', 'Nie ma „notes”.'])
})
