import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { createSpeaker, environmentLanguages, speak } from './languages.ts'

describe('the languages of a program without a window', () => {
  it.each([
    [{ LANG: 'de_AT.UTF-8' }, ['de-AT']],
    [{ LANG: 'de_AT.UTF-8', LC_MESSAGES: 'fr_FR' }, ['fr-FR']],
    [{ LANG: 'de_AT.UTF-8', LC_MESSAGES: 'fr_FR', LC_ALL: 'cs' }, ['cs']],
    [{ LANG: 'de_AT.UTF-8', LC_ALL: '' }, ['de-AT']],
    [{ LANG: 'sr_RS@latin' }, ['sr-RS']],
    [{ LANG: 'de_AT.UTF-8', LC_ALL: 'C.UTF-8' }, []],
    [{ LANG: 'POSIX' }, []],
    [{}, []],
  ])('%o are %o', (env, languages) => {
    expect(environmentLanguages(env, 'linux')).toEqual(languages)
  })

  it('are those of the system where nothing is said and the system has a word of its own', () => {
    expect(environmentLanguages({}, 'darwin')).toEqual([new Intl.Collator().resolvedOptions().locale])
  })
})

describe('what is said', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assent-words-'))
    writeFileSync(join(folder, 'pl.json'), JSON.stringify({ 'Try again': 'Jeszcze raz' }))
    writeFileSync(join(folder, 'de.json'), '{ "Try again": ')
  })
  afterEach(() => speak(undefined))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['is in the first language of the system that there are words in', ['cs-CZ', 'pl-PL', 'en'], 'system', 'Jeszcze raz'],
    ['is in the language of the settings', ['en-GB'], 'pl', 'Jeszcze raz'],
    ['is in English where the settings say so', ['pl'], 'en', 'Try again'],
    ['is in English where English is wanted more', ['en', 'pl'], 'system', 'Try again'],
    ['is in English where no language is known', [], 'system', 'Try again'],
    ['is in English where a language cannot be read', ['de'], 'system', 'Try again'],
  ])('%s', (_, system, setting, words) => {
    createSpeaker(() => system, folder)(setting)
    expect(t`Try again`).toBe(words)
  })

  it('is in English where there is no translation at all', () => {
    createSpeaker(() => ['pl'], join(folder, 'none'))()
    expect(t`Try again`).toBe('Try again')
  })

  it('has its numbers as in the person’s own region of the language', () => {
    createSpeaker(() => ['pl-PL', 'en'], folder)()
    expect(formatNumber(12_000.5)).toBe(new Intl.NumberFormat('pl-PL').format(12_000.5))
  })
})
