// Spelling of what the person types. On a Mac the system checks it. Elsewhere Chromium does, with dictionaries that it would
// download from Google's servers as soon as it has a language: so it gets none, and checks nothing, until the settings say so.
import { app, type Session } from 'electron'
import type { HostEvent } from '#app/contract/events.ts'
import type { Settings } from '#app/settings.ts'

interface SpellingHost {
  snapshot(): { readonly settings: Pick<Settings, 'spelling'> }
  onEvent(listener: (event: HostEvent) => void): () => void
}

/** Whether windows that are opened now check spelling. Those that are open follow only to off. */
export function followSpelling(host: SpellingHost, session: Session, os: NodeJS.Platform): () => boolean {
  if (os === 'darwin') return () => true
  let on = host.snapshot().settings.spelling
  const apply = (): void => {
    session.setSpellCheckerLanguages(on ? dictionariesOf(app.getPreferredSystemLanguages(), session.availableSpellCheckerLanguages) : [])
    session.setSpellCheckerEnabled(on)
  }
  apply()
  host.onEvent((event) => {
    if (event.name !== 'settings.changed' || event.payload.settings.spelling === on) return
    on = event.payload.settings.spelling
    apply()
  })
  return () => on
}

const MOST = 3

/** For the languages that the person speaks: of their region, else of the language, else of any region of it. */
export function dictionariesOf(languages: readonly string[], available: readonly string[]): string[] {
  const found = languages.flatMap((language) => {
    const wanted = language.toLowerCase()
    const [base = ''] = wanted.split('-')
    const one =
      available.find((tag) => tag.toLowerCase() === wanted) ??
      available.find((tag) => tag.toLowerCase() === base) ??
      available.find((tag) => tag.toLowerCase().startsWith(`${base}-`))
    return one === undefined ? [] : [one]
  })
  return [...new Set(found)].slice(0, MOST)
}
