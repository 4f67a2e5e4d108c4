// Sets the page's language: that of the settings, else the first of the person's languages with a translation, else English.
// Imported before every module with texts.
import { chooseLanguage, chooseLocale, directionOf, systemLanguage } from '#app/i18n/choose-language.ts'
import { setFormats } from '#app/i18n/format-values.ts'
import { setCatalogue } from '#app/i18n/translate.ts'
import { keptLanguage, translations } from './translations.ts'

const kept = keptLanguage()
const language = chooseLanguage([...translations.keys()], kept === systemLanguage ? navigator.languages : [kept])
const messages = language === undefined ? undefined : translations.get(language)
if (language !== undefined && messages) {
  setCatalogue({ language, messages })
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
setFormats(chooseLocale(language, navigator.languages))
