// The page's language: the first of the person's that app/words/languages has a translation of, English otherwise.
// Imported before anything that speaks, because tables of words are read with their modules.
import { chooseLanguage } from '#app/words/choose-language.ts'
import { type Catalogue, setCatalogue } from '#app/words/translate.ts'

const translations = new Map(
  Object.entries(import.meta.glob<Catalogue['messages']>('../app/words/languages/*.json', { import: 'default' })).map(([path, read]) => [
    path.replace(/^.*\/|\.json$/gu, ''),
    read,
  ]),
)
const language = chooseLanguage([...translations.keys()], navigator.languages)
const messages = language === undefined ? undefined : await translations.get(language)?.()
if (language !== undefined && messages) {
  setCatalogue({ language, messages })
  document.documentElement.lang = language
}
