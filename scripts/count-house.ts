// `npm run count`: sizes of the product's code as JSON, in the counts that the house is held to. Production files are the
// .ts and .tsx below app, main, renderer and preload that are no test code: neither *.test.*, *.test-*.*, *.testing.*,
// *.stories.* nor what lies in a folder `testing` or `fixtures`, nor a program of tests (testing-*.ts). Style sheets are
// counted apart.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { type ExportNamedDeclaration, type Program, parseSync, Visitor } from 'oxc-parser'
import { readImports } from './check-dependencies.ts'

interface Place {
  readonly file: string
  readonly name: string
  readonly lines: number
}

export interface HouseCounts {
  readonly productionFiles: number
  readonly lines: number
  readonly styleSheets: { readonly files: number; readonly lines: number }
  readonly medianLines: number
  readonly percentile90Lines: number
  readonly filesOver300Lines: number
  /** Each with its lines, the longest first. */
  readonly filesOver400Lines: readonly (readonly [file: string, lines: number])[]
  readonly largestFiles: readonly (readonly [file: string, lines: number])[]
  readonly singleImporterFiles: number
  readonly singleImporterFilesInSameFolder: number
  readonly foldersOver25Files: readonly (readonly [folder: string, files: number])[]
  readonly basenamesOver3: readonly (readonly [basename: string, files: number])[]
  readonly functionsOver100Lines: readonly Place[]
  readonly exportedNamesInTwoModules: readonly (readonly [name: string, modules: number])[]
  readonly docstrings: number
  readonly docstringsOnPrepositionOrPronoun: number
  /** Docstrings that say in prose, or without a type, what is thrown (STYLE.md: `@throws`). */
  readonly docstringsThrowingInProse: number
}

const tops = ['app', 'main', 'renderer', 'preload']
const support = /\.(?:test|testing|stories|spec)(?:-[a-z-]+)?\.tsx?$|(?:^|\/)(?:testing|fixtures)\/|\/testing-[a-z-]+\.ts$/
const longFunction = 100

/** Words that a docstring is not to open on (STYLE.md: it begins with a verb or a noun). */
const bareOpening = new Set(
  (
    'about above after against along among around as at before behind below beneath beside between beyond by despite down during ' +
    'except for from in inside into of off on onto out over past since through till to toward towards under until up upon via with ' +
    'within without he her hers him his i it its me mine my our ours she that their theirs them these they this those us we what ' +
    'whatever which whichever who whoever whom whose you your yours'
  ).split(' '),
)

export const isProductionFile = (file: string): boolean =>
  tops.includes(file.split('/')[0] ?? '') && /\.(?:tsx?|css)$/.test(file) && !support.test(file)

/** @throws {Error} where a file cannot be read as TypeScript. */
export function countHouse(root: string): HouseCounts {
  const files = globSync(
    tops.map((top) => `${top}/**/*.{ts,tsx,css}`),
    { cwd: root },
  )
    .map((file) => file.replaceAll('\\', '/'))
    .filter(isProductionFile)
    .toSorted()
  const [sheets, sources] = [files.filter(isStyleSheet), files.filter((file) => !isStyleSheet(file))]
  const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const sizes = [...texts].map(([file, text]) => [file, linesOf(text)] as const).toSorted(([, a], [, b]) => b - a)
  const ascending = sizes.map(([, lines]) => lines).toReversed()
  const modules = [...texts].map(([file, text]) => readModule(file, text))
  const single = singleImporters(root, files)
  const docstrings = modules.flatMap((one) => one.docstrings)
  return {
    productionFiles: sources.length,
    lines: ascending.reduce((sum, lines) => sum + lines, 0),
    styleSheets: { files: sheets.length, lines: sheets.reduce((sum, file) => sum + linesOf(readFileSync(join(root, file), 'utf8')), 0) },
    medianLines: ascending[Math.floor(ascending.length / 2)] ?? 0,
    percentile90Lines: ascending[Math.floor(ascending.length * 0.9)] ?? 0,
    filesOver300Lines: ascending.filter((lines) => lines > 300).length,
    filesOver400Lines: sizes.filter(([, lines]) => lines > 400),
    largestFiles: sizes.slice(0, 10),
    singleImporterFiles: single.length,
    singleImporterFilesInSameFolder: single.filter(([file, importer]) => dirname(file) === dirname(importer)).length,
    foldersOver25Files: moreThan(25, files.map(dirname)),
    basenamesOver3: moreThan(
      3,
      files.map((file) => posix.basename(file)),
    ),
    functionsOver100Lines: modules.flatMap((one) => one.longFunctions).toSorted((a, b) => b.lines - a.lines),
    exportedNamesInTwoModules: moreThan(
      1,
      modules.flatMap((one) => [...one.exports]),
    ),
    docstrings: docstrings.length,
    docstringsOnPrepositionOrPronoun: docstrings.filter(opensBare).length,
    docstringsThrowingInProse: docstrings.filter(throwsInProse).length,
  }
}

const isStyleSheet = (file: string): boolean => file.endsWith('.css')
const linesOf = (text: string): number => text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)

/** What occurs more than `most` times, with how often, the most frequent first. */
function moreThan(most: number, all: readonly string[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(all, (one) => one)]
    .map(([one, found]) => [one, found.length] as const)
    .filter(([, count]) => count > most)
    .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
}

/** Files that exactly one other production file imports, with that file. */
function singleImporters(root: string, files: readonly string[]): readonly (readonly [file: string, importer: string])[] {
  const importers = new Map<string, Set<string>>()
  for (const { from, to, isOurs } of readImports(root))
    if (isOurs && from !== to && isProductionFile(from)) importers.set(to, (importers.get(to) ?? new Set()).add(from))
  return files.flatMap((file) => {
    const [first, ...others] = importers.get(file) ?? []
    return first !== undefined && others.length === 0 ? [[file, first] as const] : []
  })
}

interface Module {
  readonly exports: ReadonlySet<string>
  readonly longFunctions: readonly Place[]
  readonly docstrings: readonly string[]
}

function readModule(file: string, text: string): Module {
  const { program, comments, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  return {
    exports: exportedNames(program),
    longFunctions: longFunctions(file, text, program),
    docstrings: comments
      .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
      .map(({ value }) => value.replace(/^[*\s]+/, '').trim()),
  }
}

/** Names that a module declares and exports; what it passes on from another counts there. */
function exportedNames(program: Program): ReadonlySet<string> {
  return new Set(
    program.body
      .filter((statement) => statement.type === 'ExportNamedDeclaration')
      .filter(({ source }) => source === null)
      .flatMap(namesOf),
  )
}

function namesOf({ declaration, specifiers }: ExportNamedDeclaration): readonly string[] {
  if (declaration === null) return specifiers.map(({ exported }) => ('name' in exported ? exported.name : exported.value))
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return 'id' in declaration && declaration.id !== null && 'name' in declaration.id ? [declaration.id.name] : []
}

/** Functions of more lines than lint allows, from their first line to their last, blank lines and comments counted. */
function longFunctions(file: string, text: string, program: Program): readonly Place[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1
  const found: Place[] = []
  const names = new Map<number, string>()
  const look = (node: { readonly start: number; readonly end: number; readonly id?: unknown }): void => {
    if (node.end - node.start < longFunction) return
    const lines = lineAt(node.end - 1) - lineAt(node.start) + 1
    const { id } = node
    const own = typeof id === 'object' && id !== null && 'name' in id ? String(id.name) : undefined
    if (lines > longFunction) found.push({ file, name: own ?? names.get(node.start) ?? `line ${lineAt(node.start)}`, lines })
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) names.set(init.start, id.name)
    },
    FunctionDeclaration: look,
    FunctionExpression: look,
    ArrowFunctionExpression: look,
  }).visit(program)
  return found
}

const throwsInProse = (docstring: string): boolean =>
  /(?:^|[.;] )(?:throws|rejects|fails) (?!to\b)|@throws (?!\{)/i.test(docstring.replace(/\s*\n\s*\* ?/g, ' '))

/** Whether the text of a docstring opens on a bare preposition or pronoun. */
export const opensBare = (docstring: string): boolean => bareOpening.has((/^[A-Za-z]+/.exec(docstring)?.[0] ?? '').toLowerCase())

if (import.meta.main) process.stdout.write(`${JSON.stringify(countHouse(resolve(import.meta.dirname, '..')), undefined, 2)}\n`)
