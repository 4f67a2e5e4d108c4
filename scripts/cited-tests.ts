// Tests that a document cites by path and title, and which of them are not there. A cell of its table reads
// `file`: `group › title`, `title`; `file`: … — a document (`.md`) may be cited without a title.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Of a row of a table. */
export const cells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

const literal = /(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`),/.source
const textOf = ([, single, double, template]: RegExpMatchArray): string => (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1')

/**
 * Titles of the tests in a file, and of what groups them, as they stand in its source; of tables of tests also what each
 * row begins with.
 */
function titlesIn(path: string): ReadonlySet<string> {
  const source = readFileSync(join(root, path), 'utf8')
  const titles = [...source.matchAll(new RegExp(`(?:\\b(?:it|test|describe)(?:\\.\\w+)*|\\)|\\])\\(\\s*${literal}`, 'g'))].map(textOf)
  // A row of the attacks is known by its name.
  if (path.startsWith('e2e/attacks/families/')) return new Set([...source.matchAll(new RegExp(`\\bname: ${literal}`, 'g'))].map(textOf))
  const cases = titles.some((title) => /%[sjd]/.test(title)) ? [...source.matchAll(new RegExp(`\\[\\s*${literal}`, 'g'))].map(textOf) : []
  return new Set([...titles, ...cases])
}

const named = (cited: string): { path: string; titles: string[] }[] =>
  cited.split(/; (?=`[^`]+\.(?:tsx?|md)`)/).map((part) => {
    const [path = '', ...titles] = [...part.matchAll(/`([^`]*)`/g)].map(([, text]) => text ?? '')
    return { path, titles }
  })

/** What of the citations is wrong: a file that is none of tests, one without a title, or a title that it does not have. */
export function unknownTests(cited: string): string[] {
  return named(cited).flatMap(({ path, titles }) => {
    if (!existsSync(join(root, path))) return [`${path} is not there`]
    if (path.endsWith('.md')) return []
    if (!/\.(test\.tsx?|spec\.ts)$|^e2e\/attacks\/families\//.test(path)) return [`${path} has no tests`]
    if (titles.length === 0) return [`${path}: which test?`]
    const there = titlesIn(path)
    return titles.flatMap((title) => title.split(' › ').flatMap((part) => (there.has(part) ? [] : [`${path}: ${part}`])))
  })
}
