// `?words=marked` in the harness: every message of ours in brackets, so that words which go round the catalogue are seen at once.
// `?words=long`: longer by a third, with accents above and below, as other languages are: what is clipped or overflows shows.
import messages from '#app/words/catalogue.json'
import { setFormats } from '#app/words/formats.ts'
import { setCatalogue } from '#app/words/translate.ts'

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

const ways: Readonly<Record<string, (message: string) => string>> = { marked: (message) => `⟦${message}⟧`, long: longer }
const way = ways[new URLSearchParams(window.location.search).get('words') ?? '']
if (way) {
  setCatalogue({ language: 'en', messages: Object.fromEntries(Object.keys(messages).map((key) => [key, way(key)])) })
  // So that what is not formatted by the locale shows too.
  setFormats('de')
}
