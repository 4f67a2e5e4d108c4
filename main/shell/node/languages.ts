// The language of this process's texts, chosen by the settings or the system's languages. Translations are read from
// `app/i18n/languages`, only for another language than English. There is one language a process; earlier texts stay as they are.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLanguage, chooseLocale, systemLanguage } from '#app/i18n/choose-language.ts'
import { setFormats } from '#app/i18n/format-values.ts'
import { setCatalogue, type TranslationCatalogue } from '#app/i18n/translate.ts'
import { isJsonObject } from '#app/json.ts'
import { orElse, parseJson } from '#app/or-else.ts'
import type { Settings } from '#app/settings.ts'
import { languagesFolder } from './program-files.ts'

interface Spoken {
  /** Languages as BCP 47 tags, the preferred first. */
  readonly wanted: readonly string[]
  /** Languages of the system, for the format of numbers and times. */
  readonly system: readonly string[]
  /** Folder with a file `<tag>.json` for each language. */
  readonly folder: string
}

/** Sets the language from now on; undefined: English. A language whose file cannot be read is not available. */
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

/** Lists the translations; none where the folder is missing. */
const languagesIn = (folder: string): string[] =>
  orElse(() => readdirSync(folder), []).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))

/** An error in a translation must not keep the app from starting: English is used. */
function readMessages(path: string): TranslationCatalogue['messages'] | undefined {
  const messages = parseJson(orElse(() => readFileSync(path, 'utf8'), ''))
  return isJsonObject(messages) ? (messages as TranslationCatalogue['messages']) : undefined
}

/**
 * Languages of a program without a window as BCP 47 tags: `LC_ALL`, else `LC_MESSAGES`, else `LANG` (POSIX 8.2). Where none is set, the
 * system's locale, but not on Linux, which has no other source.
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

/** Returns a function that sets the language of a setting, or one of the system's. */
export const createSpeaker =
  (system: () => readonly string[] = environmentLanguages, folder = languagesFolder) =>
  (setting: Settings['language'] = systemLanguage): void => {
    const languages = system()
    speak({ wanted: setting === systemLanguage ? languages : [setting], system: languages, folder })
  }
