// Server names that a person could confuse. Names qualify tools everywhere, so `g1thub` beside `github` is worth a warning.

const twins: Readonly<Record<string, string>> = {
  а: 'a',
  с: 'c',
  е: 'e',
  о: 'o',
  р: 'p',
  х: 'x',
  у: 'y',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  һ: 'h',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  ι: 'i',
  κ: 'k',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ε: 'e',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '7': 't',
  i: 'l',
  '|': 'l',
  ı: 'l',
}

/** Maps a name to a skeleton that look-alikes share (Unicode TS 39, 4). */
export function skeletonOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s._-]+/g, '')
  const letters = [...plain].map((letter) => twins[twins[letter] ?? letter] ?? twins[letter] ?? letter).join('')
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** Lists the other names that look like `name`. */
export const alikeAmong = (name: string, others: Iterable<string>): string[] => lookAlikes(new Set([name, ...others])).get(name) ?? []

/** Maps each name to the others that look like it. */
export function lookAlikes(names: Iterable<string>): Map<string, string[]> {
  const groups = [...Map.groupBy(names, skeletonOf).values()].filter(({ length }) => length > 1)
  return new Map(groups.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)])))
}
