// The language of what this process says to people. Its words are read from `app/words/languages`, and only where somebody
// wants another language than English. One a process: `t` has no host to ask. What was said before stays as it was said.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '#app/json.ts'
import { chooseLanguage, chooseLocale } from '#app/words/choose-language.ts'
import { setFormats } from '#app/words/formats.ts'
import { type Catalogue, setCatalogue } from '#app/words/translate.ts'

export interface Spoken {
  /** Languages, BCP 47, the most wanted first. */
  readonly wanted: readonly string[]
  /** Of the person's system, the same: how numbers and times are written. */
  readonly system: readonly string[]
  /** Holds a file `<tag>.json` a language. */
  readonly folder: string
}

let last: Spoken | undefined
/** For a thread of ours, whose words are its own. Undefined: English as it is. */
export const spoken = (): Spoken | undefined => last

/** From now on; undefined for English as it is. A language whose file cannot be read is not there. */
export function speak(said: Spoken | undefined): void {
  last = said
  const found = said && readWanted(said)
  setCatalogue(found)
  setFormats(said && chooseLocale(found?.language, said.system))
}

function readWanted({ wanted, folder }: Spoken): Catalogue | undefined {
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

function readMessages(path: string): Catalogue['messages'] | undefined {
  try {
    const messages: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(messages) ? (messages as Catalogue['messages']) : undefined
  } catch {
    return // A translator's slip must keep nobody from their chats: English it is.
  }
}
