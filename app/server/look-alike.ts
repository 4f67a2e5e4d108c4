// Names of servers that a person could take for each other. Names qualify tools everywhere, so a second `github` that is
// written `g1thub` or with a Cyrillic letter is worth a word.
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

/** The same for names that look the same. */
export function skeletonOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s._-]+/g, '')
  const letters = [...plain].map((letter) => twins[twins[letter] ?? letter] ?? twins[letter] ?? letter).join('')
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** Those that look like it, and are not it. */
export const alikeAmong = (name: string, others: Iterable<string>): string[] => lookAlikes(new Set([name, ...others])).get(name) ?? []

/** By name, the other names that look like it. */
export function lookAlikes(names: Iterable<string>): Map<string, string[]> {
  const bySkeleton = Map.groupBy(names, skeletonOf)
  const result = new Map<string, string[]>()
  for (const group of bySkeleton.values())
    if (group.length > 1)
      for (const name of group)
        result.set(
          name,
          group.filter((other) => other !== name),
        )
  return result
}
