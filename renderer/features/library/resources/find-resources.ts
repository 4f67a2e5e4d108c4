// Which resources fit what is typed: every word of it stands somewhere in the name, the title or the address.
import type { ListedResource } from '#app/server/shelf.ts'
import { inSlices } from '../in-slices.ts'
import type { Shelves } from '../list/shelves.ts'

/** Places in each server's list, in its order. */
export type Found = Readonly<Record<string, readonly number[]>>

export const queryWords = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

export const fits = (words: readonly string[], text: string): boolean => words.every((word) => text.includes(word))

/** Undefined: it was called off. */
export async function findResources(shelves: Shelves, text: string, signal: AbortSignal): Promise<Found | undefined> {
  const words = queryWords(text)
  const found: Record<string, number[]> = {}
  for (const [server, { list }] of Object.entries(shelves)) {
    if (!list) continue
    const places: number[] = []
    const look = (index: number): void => {
      if (fits(words, list.words[index] ?? '')) places.push(index)
    }
    if (!(await inSlices(list.words.length, look, signal))) return undefined
    found[server] = places
  }
  return found
}

export const at = (resources: readonly ListedResource[], index: number): ListedResource => {
  const one = resources[index]
  if (!one) throw new RangeError(`no resource ${index}`)
  return one
}
