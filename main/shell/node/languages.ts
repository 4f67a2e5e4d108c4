// Which languages the person's system is set to, and how a shell comes to speak one of them. The language of what this process
// says to people. Its words are read from `app/i18n/languages`, and only where somebody wants another language than English.
// One a process: `t` has no host to ask. What was said before stays as it was said.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLanguage, chooseLocale, systemLanguage } from '#app/i18n/choose-language.ts'
import { setFormats } from '#app/i18n/format-values.ts'
import { setCatalogue, type TranslationCatalogue } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import type { Settings } from '#app/settings.ts'
import { languagesFolder } from './program-files.ts'

interface Spoken {
  /** Languages, BCP 47, the most wanted first. */
  readonly wanted: readonly string[]
  /** Of the person's system, the same: how numbers and times are written. */
  readonly system: readonly string[]
  /** Holds a file `<tag>.json` a language. */
  readonly folder: string
}

/** From now on; undefined for English as it is. A language whose file cannot be read is not there. */
export function speak(said: Spoken | undefined): void {
  const found = said && readWanted(said)
  setCatalogue(found)
  setFormats(said && chooseLocale(found?.language, said.system))
}

function readWanted({ wanted, folder }: Spoken): TranslationCatalogue | undefined {
  if (isEnglish(wanted[0])) return
  const language = chooseLanguage(languagesIn(folder), wanted)
  const messages = language === undefined ? undefined : readMessages(join(folder, `${language}.json`))
  return language === undefined || messages === undefined ? undefined : { language, messages }
}

const isEnglish = (tag = 'en'): boolean => /^en(?:-|$)/i.test(tag)

function languagesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
  } catch {
    return [] // There is no translation yet.
  }
}

function readMessages(path: string): TranslationCatalogue['messages'] | undefined {
  try {
    const messages: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(messages) ? (messages as TranslationCatalogue['messages']) : undefined
  } catch {
    return // A translator's slip must keep nobody from their chats: English it is.
  }
}

/**
 * What a program without a window goes by: `LC_ALL`, else `LC_MESSAGES`, else `LANG` (POSIX 8.2), as BCP 47. Where none is set, what
 * the system says of itself, but on Linux, which has nothing else.
 */
export function environmentLanguages(
  env: Readonly<Record<string, string | undefined>> = process.env,
  os: NodeJS.Platform = process.platform,
): readonly string[] {
  const named = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG']
  // `de_AT.UTF-8@euro`; `C` and `POSIX` are no language.
  const [, language, region] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(named ?? '') ?? []
  if (language !== undefined) return [region === undefined ? language : `${language}-${region}`]
  return named || os === 'linux' ? [] : [new Intl.Collator().resolvedOptions().locale]
}

/** Makes all that is said from now on be said in the language of the settings, or in one of the system's. */
export const createSpeaker =
  (system: () => readonly string[] = environmentLanguages, folder = languagesFolder) =>
  (setting: Settings['language'] = systemLanguage): void => {
    const languages = system()
    speak({ wanted: setting === systemLanguage ? languages : [setting], system: languages, folder })
  }
