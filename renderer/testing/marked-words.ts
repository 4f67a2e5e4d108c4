// `?words=marked` in the harness: every message of ours in brackets, so that words which go round the catalogue are seen at once.
import messages from '#app/words/catalogue.json'
import { setCatalogue } from '#app/words/translate.ts'

if (new URLSearchParams(window.location.search).get('words') === 'marked')
  setCatalogue({ language: 'en', messages: Object.fromEntries(Object.keys(messages).map((key) => [key, `⟦${key}⟧`])) })
