// `?words=marked` in the harness: every message of ours in brackets, so that words which go round the catalogue are seen at once.
// `?words=right`: written from the right, as Arabic and Hebrew are: what does not turn round shows.
// `?words=long`: longer by a third, with accents above and below, as other languages are: what is clipped or overflows shows.
// Each needs the catalogue, which `npm run words` writes.
import { directionOf } from '#app/i18n/choose-language.ts'
import { setFormats } from '#app/i18n/format-values.ts'
import { setCatalogue } from '#app/i18n/translate.ts'

const accented: Readonly<Record<string, string>> = {
  ...{ a: 'å', c: 'ç', d: 'ð', e: 'é', g: 'ğ', h: 'ĥ', i: 'î', j: 'ĵ', k: 'ķ', l: 'ļ', n: 'ñ', o: 'ö', r: 'ŕ', s: 'š', t: 'ţ', u: 'û' },
  ...{ A: 'Å', B: 'ß', C: 'Ç', D: 'Ð', E: 'É', G: 'Ğ', I: 'Î', L: 'Ļ', N: 'Ñ', O: 'Ö', R: 'Ŕ', S: 'Š', T: 'Ţ', U: 'Û', W: 'Ŵ', Y: 'Ý' },
}
/** Every third word twice as long; the places of values stay as they are. */
const longer = (message: string): string =>
  message
    .split(/(\{\d+\})/u)
    .map((part) => (/^\{/.test(part) ? part : part.replace(/[A-Za-z]/gu, (letter) => accented[letter] ?? letter)))
    .join('')
    .split(' ')
    .map((word, index) => (index % 3 === 0 && !word.includes('{') ? word + word.toLowerCase().slice(0, 6) : word))
    .join(' ')

/** In letters that are written from the right. */
const fromTheRight = (message: string): string =>
  message.replace(/[a-z]/giu, (letter) => String.fromCodePoint(0x05_d0 + ((letter.toLowerCase().codePointAt(0) ?? 0) % 22)))

const ways: Readonly<Record<string, (message: string) => string>> = {
  marked: (message) => `⟦${message}⟧`,
  long: longer,
  right: fromTheRight,
}
const [catalogue] = Object.values(
  import.meta.glob<Readonly<Record<string, readonly string[]>>>('../../app/i18n/catalogue.json', { import: 'default', eager: true }),
)
const name = new URLSearchParams(window.location.search).get('words') ?? ''
const way = ways[name]
if (way) {
  if (!catalogue) throw new Error('`npm run words` writes the messages that `?words=` changes.')
  setCatalogue({
    language: 'en',
    messages: Object.fromEntries(Object.keys(catalogue).map((key) => [key, way(key.replaceAll(/\{[^{}|]*\|([^{}|]*)\}/gu, '$1'))])),
  })
  // So that what is not formatted by the locale shows too.
  setFormats('de')
  if (name === 'right') document.documentElement.dir = directionOf('he')
}
