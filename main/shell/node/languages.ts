// Which languages the person's system is set to, and how a shell comes to speak one of them.
import type { Settings } from '#app/settings.ts'
import { systemLanguage } from '#app/words/choose-language.ts'
import { speak } from '#main/base/language.ts'
import { languagesFolder } from './places.ts'

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
