// Text that a person could take for another: names of servers (`g1thub` beside `github`), labels, commands, packages and hosts. Letters are
// folded by Unicode's data of confusable characters (UTS #39, 4), which the package `unhomoglyph` holds.
import unhomoglyph from 'unhomoglyph'

const ASCII = /^\p{ASCII}*$/u
const otherLetter = /[^\P{L}\p{ASCII}]|[^\P{N}\p{ASCII}]/u

/** Letters that the data leaves as small capitals, and that are read as Latin ones all the same. */
const twins = new Map([...'ᴛʜĸᴋᴍʙꞓƅɢɪʟɴʀꜱʏᴀᴄᴅᴇᴊᴏᴘᴜᴠᴡᴢ'].map((letter, index) => [letter, 'thkkmbebgilnrsyacdejopuvwz'[index] ?? letter]))

/** Replaces letters of other alphabets by the Latin ones that they look like, without marks and invisible characters. */
const latinised = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    // The data also has `rn` for m and O for 0, which are no other alphabet's.
    .replace(/\P{ASCII}+/gu, unhomoglyph)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')

/** Folds text to small letters as it reads: once as it is, and once as its small letters look. ASCII text is only made small. */
export function foldLetters(text: string): readonly string[] {
  if (ASCII.test(text)) return [text.toLowerCase()]
  const folded = [text, text.toLowerCase()].map((one) =>
    [...latinised(one).toLowerCase()].map((letter) => twins.get(letter) ?? letter).join(''),
  )
  return [...new Set(folded)]
}

const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', 3: 'e', 5: 's', 7: 't', i: 'l', '|': 'l' }

/** Maps a name to a skeleton that look-alikes share. */
export function skeletonOf(name: string): string {
  const [folded = ''] = foldLetters(name.toLowerCase())
  const letters = [...folded.replace(/[\s._-]+/g, '')].map((letter) => digits[letter] ?? letter).join('')
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** Letter of another alphabet, of the phonetic one, or of another form (full width, mathematical). */
const isForeign = remembered(
  (letter) =>
    /[^\p{Script=Latin}\p{M}\p{N}\p{ASCII}]|[\u0250-\u02af]/u.test(letter) || letter.normalize('NFKD') !== letter.normalize('NFD'),
)
const readsAsAscii = remembered((letter) => foldLetters(letter).some((one) => ASCII.test(one)))

/** Remembers what is so of single letters: a text has many of few. */
function remembered(isSo: (letter: string) => boolean): (letter: string) => boolean {
  const known = new Map<string, boolean>()
  return (letter) => {
    const was = known.get(letter)
    if (was !== undefined) return was
    if (known.size === 5000) known.clear()
    const is = isSo(letter)
    known.set(letter, is)
    return is
  }
}

/** UTF-16 units of a disguised text that are told as they read. */
const LONGEST_TOLD = 1000

/** Returns how a text, or its beginning, reads in which letters of another alphabet pass for Latin ones (`сurl`: `curl`). */
export function disguisedAs(text: string): string | undefined {
  if (!otherLetter.test(text)) return undefined
  const isDisguised = (word: string): boolean => {
    const foreign = ASCII.test(word) ? [] : [...word].filter(isForeign)
    if (foreign.length === 0) return false
    const mixed = /[a-z]/i.test(word) && foreign.some(readsAsAscii)
    return mixed || ASCII.test(latinised(word))
  }
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).some(isDisguised) ? foldLetters(text.slice(0, LONGEST_TOLD))[0] : undefined
}

export const alikeAmong = (name: string, others: Iterable<string>): string[] => lookAlikes(new Set([name, ...others])).get(name) ?? []

/** Maps each name to the others that look like it. */
export function lookAlikes(names: Iterable<string>): Map<string, string[]> {
  const groups = [...Map.groupBy(names, skeletonOf).values()].filter(({ length }) => length > 1)
  return new Map(groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)])))
}

/** Returns the name, or the first of "notes-2", "notes-3" … that is not taken. `fold`: gives the same text to names that count as one. */
export function freeName(name: string, taken: Iterable<string>, fold = (text: string): string => text): string {
  const used = new Set([...taken].map(fold))
  let next = name
  for (let count = 2; used.has(fold(next)); count++) next = `${name.slice(0, 60)}-${count}`
  return next
}
