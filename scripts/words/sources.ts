// Which files speak to people, and what all of them say together.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { collectSaid, type Said } from './collect.ts'

const root = resolve(import.meta.dirname, '../..')
export const CATALOGUE = resolve(root, 'app/words/catalogue.json')

const tests = /\.test(?:-table)?\.tsx?$|test-support|\/testing\/|\.d\.ts$/

/** Paths from the project's root, in the order of their names. */
export const sources = (): readonly string[] =>
  globSync(['app/**/*.ts', 'main/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root })
    .filter((file) => !tests.test(file))
    .toSorted()

export const readSaid = (file: string): Said => collectSaid(file, readFileSync(resolve(root, file), 'utf8'))

/** Every key with the files that say it, by key. */
export function catalogue(): Readonly<Record<string, readonly string[]>> {
  const places = new Map<string, Set<string>>()
  for (const file of sources()) for (const key of readSaid(file).keys) places.set(key, (places.get(key) ?? new Set()).add(file))
  return Object.fromEntries([...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, files]) => [key, [...files]]))
}
