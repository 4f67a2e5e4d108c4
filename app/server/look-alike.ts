// Server names that a person could confuse. Names qualify tools everywhere, so `g1thub` beside `github` is worth a warning.

const pairs = (letters: string, latin: string) => [...letters].map((letter, index) => [letter, latin[index] ?? letter] as const)
/** Letters that look like a Latin one: Cyrillic, Greek, digits and strokes. */
const twins = new Map([
  ...pairs('асеорхуіѕјԁһкмтвн', 'aceopxyisjdhkmtbh'),
  ...pairs('αορνικτυχε', 'aopviktuxe'),
  ...pairs('01357i|ı', 'olestlll'),
])
const twinOf = (letter: string): string => twins.get(letter) ?? letter

/** Maps a name to a skeleton that look-alikes share (Unicode TS 39, 4). */
export function skeletonOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s._-]+/g, '')
  const letters = [...plain].map((letter) => twinOf(twinOf(letter))).join('')
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

export const alikeAmong = (name: string, others: Iterable<string>): string[] => lookAlikes(new Set([name, ...others])).get(name) ?? []

/** Maps each name to the others that look like it. */
export function lookAlikes(names: Iterable<string>): Map<string, string[]> {
  const groups = [...Map.groupBy(names, skeletonOf).values()].filter(({ length }) => length > 1)
  return new Map(groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)])))
}
