// Text like people's, made from a seed: words of a vocabulary in which the n-th is met about 1/n as often as the first.
import { seeded } from '#app/testing/seeded.ts'

export interface Random {
  /** At least 0, below `end`. */
  below(end: number): number
}

/** The same for the same seed. */
export function randomFrom(seed: number): Random {
  const next = seeded(seed)
  return { below: (end) => Math.floor(next() * end) }
}

const SYLLABLES =
  'ba be bi bo bu da de di do ka ke ki ko la le li lo lu ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi'.split(
    ' ',
  )

/** The n-th commonest: the commoner the shorter, as in languages. */
export function wordOf(rank: number): string {
  let word = ''
  for (let left = rank + 1; left > 0; left = Math.floor(left / SYLLABLES.length)) word += SYLLABLES[(left * 17 + 5) % SYLLABLES.length]
  return word
}

const VOCABULARY = 120_000

/** Ranks by Zipf's law with exponent 1, by inversion: quick, and close enough. */
export function rankFrom(random: Random): number {
  return Math.min(VOCABULARY - 1, Math.floor(Math.exp((random.below(1_000_000) / 1_000_000) * Math.log(VOCABULARY))) - 1)
}

export function sentence(random: Random, words: number): string {
  const parts: string[] = []
  for (let count = 0; count < words; count += 1) parts.push(wordOf(rankFrom(random)))
  return `${parts.join(' ')}.`
}
