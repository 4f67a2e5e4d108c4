// `npm run deps`: which part of the house may import which. Reads every import of the product's code (absolute, relative,
// type-only, dynamic, re-exported, `new URL`), and refuses what crosses a wall, runs up a floor, or closes a circle.
// The rules are those of ARCHITECTURE.md.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

interface Import {
  readonly from: string
  /** A path from the root for a file of ours, else a package or a module of Node. */
  readonly to: string
  readonly isOurs: boolean
}

const tops = ['app', 'main', 'renderer', 'preload']

/** What may be imported of ours, and what not of others, by the folder of the importer. */
const walls: readonly { readonly from: string; readonly ours: readonly string[]; readonly never: RegExp; readonly says: string }[] = [
  {
    from: 'app',
    ours: ['app'],
    never: /^(?:node:|electron$|electron\/|react$|react-dom$|react\/|react-dom\/)/,
    says: 'app is pure: it imports nothing of ours, of Node, of Electron or of React',
  },
  {
    from: 'renderer',
    ours: ['renderer', 'app'],
    never: /^(?:node:|electron$|electron\/|@modelcontextprotocol\/(?!ext-apps\/)|@anthropic-ai\/|openai$|ws$|undici$)/,
    says: 'the page imports app alone: no Node, no host, no protocol',
  },
  { from: 'preload', ours: ['preload', 'app'], never: /^(?!electron$)/, says: 'the preload imports app and electron alone' },
  { from: 'main', ours: ['main', 'app'], never: /^(?:react$|react-dom$)/, says: 'the host imports no page' },
]

/** From the top down; those in one row stand side by side. */
const floorsOfMain = [
  ['main/shell'],
  ['main/host.ts', 'main/host'],
  ['main/requests', 'main/platform.ts'],
  ['main/chat', 'main/install'],
  ['main/servers'],
  ['main/consent', 'main/models'],
  ['main/store'],
  ['main/policy', 'main/base'],
]
const floorsOfServers = [['lifecycle'], ['client', 'doctor'], ['auth', 'transport'], ['process'], ['config']].map((row) =>
  row.map((name) => `main/servers/${name}`),
)

/** Shells that do not know each other. */
const apart: readonly (readonly [from: string, to: string])[] = [
  ['main/shell/electron', 'main/shell/web'],
  ['main/shell/electron', 'main/shell/cli'],
  ['main/shell/web', 'main/shell/electron'],
  ['main/shell/cli', 'main/shell/electron'],
  ['main/shell/node', 'main/shell/electron'],
]

const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`)
const isTest = (file: string): boolean => /\.(?:test|testing|stories)(?:-[a-z]+)?\.tsx?$|\.test\.tsx?$|\/testing\//.test(file)

/** Every import of the files of `root`, test code aside. */
export function readImports(root: string): readonly Import[] {
  const files = globSync(
    tops.map((top) => `${top}/**/*.{ts,tsx}`),
    { cwd: root },
  ).map((file) => file.replaceAll('\\', '/'))
  return files
    .filter((file) => !isTest(file))
    .toSorted()
    .flatMap((from) => specifiersOf(from, readFileSync(join(root, from), 'utf8')).map((specifier) => resolveImport(from, specifier)))
}

function specifiersOf(file: string, text: string): readonly string[] {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const quoted = ({ start, end }: { readonly start: number; readonly end: number }): string => text.slice(start + 1, end - 1)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => quoted(moduleRequest)),
    ...[...text.matchAll(/new URL\('(\.{1,2}\/[^']+\.tsx?)', import\.meta\.url\)/g)].map(([, path = '']) => path),
  ]
}

function resolveImport(from: string, specifier: string): Import {
  if (specifier.startsWith('#')) return { from, to: specifier.slice(1), isOurs: true }
  if (specifier.startsWith('.')) return { from, to: posix.normalize(posix.join(posix.dirname(from), specifier)), isOurs: true }
  return { from, to: specifier, isOurs: false }
}

/** What breaks a rule, a sentence each, in the order of the files; none: all is well. */
export function findBreaches(imports: readonly Import[]): readonly string[] {
  const ours = imports.filter(({ isOurs }) => isOurs)
  return [
    ...imports.flatMap(crossesWall),
    ...ours.flatMap(({ from, to }) => [floorsOfMain, floorsOfServers].flatMap((floors) => runsUp(floors, from, to))),
    ...fileCircles(ours),
    ...folderCircles(ours),
  ]
}

function crossesWall({ from, to, isOurs }: Import): string[] {
  const breaches = walls
    .filter((wall) => isWithin(from, wall.from))
    .filter(({ ours, never }) => (isOurs ? !ours.some((place) => isWithin(to, place)) : never.test(to)))
    .map(({ says }) => `${from} imports ${to}: ${says}.`)
  if (!isOurs && /^electron(?:\/|$)/.test(to) && isWithin(from, 'main') && !isWithin(from, 'main/shell/electron'))
    breaches.push(`${from} imports ${to}: only main/shell/electron imports electron.`)
  for (const [one, other] of apart)
    if (isOurs && isWithin(from, one) && isWithin(to, other)) breaches.push(`${from} imports ${to}: ${one} does not know ${other}.`)
  if (isOurs && isTest(to)) breaches.push(`${from} imports ${to}: the product imports no test code.`)
  return breaches
}

function runsUp(floors: readonly (readonly string[])[], from: string, to: string): string[] {
  const floorOf = (file: string): number => floors.findIndex((places) => places.some((place) => isWithin(file, place)))
  const [above, below] = [floorOf(to), floorOf(from)]
  return above >= 0 && below >= 0 && above < below ? [`${from} imports ${to}: no import runs up a floor.`] : []
}

const fileCircles = (imports: readonly Import[]): string[] =>
  circlesIn(imports.filter(({ from, to }) => from !== to).map(({ from, to }) => [from, to])).map(
    (files) => `${files.join(', ')} import each other in a circle.`,
  )

/** Folders side by side, at every level: each stands for all that lies in it. */
function folderCircles(imports: readonly Import[]): string[] {
  const byParent = new Map<string, [string, string][]>()
  for (const { from, to } of imports) {
    const [one, other] = [from.split('/'), to.split('/')]
    let level = 0
    while (one[level] === other[level] && level < one.length) level += 1
    // One of them lies in the folder that both are in.
    if (level >= one.length - 1 || level >= other.length - 1) continue
    const parent = one.slice(0, level).join('/')
    const edges = byParent.get(parent) ?? []
    byParent.set(parent, edges)
    edges.push([one.slice(0, level + 1).join('/'), other.slice(0, level + 1).join('/')])
  }
  return [...byParent.values()].flatMap(circlesIn).map((folders) => `The folders ${folders.join(', ')} import each other in a circle.`)
}

/** Strongly connected components of more than one node (Tarjan, 1972), each sorted. */
function circlesIn(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = Map.groupBy(edges, ([from]) => from)
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    low.set(node, order.get(node) ?? 0)
    stack.push(node)
    onStack.add(node)
    for (const [, to] of next.get(node) ?? []) {
      const reached = order.has(to) ? (onStack.has(to) ? order.get(to) : undefined) : visit(to)
      if (reached !== undefined) low.set(node, Math.min(low.get(node) ?? 0, reached))
    }
    if (low.get(node) === order.get(node)) {
      const members = stack.splice(stack.indexOf(node))
      for (const member of members) onStack.delete(member)
      if (members.length > 1) found.push(members.toSorted())
    }
    return low.get(node) ?? 0
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node)
  return found
}

if (import.meta.main) {
  const imports = readImports(resolve(dirname(import.meta.dirname)))
  const breaches = findBreaches(imports)
  for (const breach of breaches) process.stdout.write(`${breach}\n`)
  process.stdout.write(`${imports.length} imports, ${breaches.length} against the rules of ARCHITECTURE.md.\n`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}
