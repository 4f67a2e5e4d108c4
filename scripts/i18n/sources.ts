// Which files speak to people, and what all of them say together.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { collectSaid, type Said } from './collect.ts'

const root = resolve(import.meta.dirname, '../..')
export const CATALOGUE = resolve(root, 'app/i18n/catalogue.json')

const tests = /\.test(?:-table)?\.tsx?$|\.testing\.ts$|\/testing\/|\/fixtures\/|\.d\.ts$/

/** Paths from the project's root, in the order of their names. */
const sources = (): readonly string[] =>
  globSync(['app/**/*.ts', 'main/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: root })
    .filter((file) => !tests.test(file))
    .toSorted()

/** What each file says, by its path. */
export const readAll = (): ReadonlyMap<string, Said> =>
  new Map(sources().map((file) => [file, collectSaid(file, readFileSync(resolve(root, file), 'utf8'))]))

/** Every key with the files that say it, by key. */
export function catalogueOf(all: ReadonlyMap<string, Said>): Readonly<Record<string, readonly string[]>> {
  const places = new Map<string, Set<string>>()
  for (const [file, { keys }] of all) {
    for (const key of keys) places.set(key, (places.get(key) ?? new Set()).add(file))
  }
  return Object.fromEntries([...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, files]) => [key, [...files]]))
}
