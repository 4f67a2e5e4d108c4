// What must be in the app's archive, and what must not.
import { getRawHeader } from '@electron/asar'

export interface ArchiveFile {
  /** With `/` on every system, without one at the beginning. */
  readonly path: string
  readonly size: number
}

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly size?: number
}

export function listArchive(path: string): ArchiveFile[] {
  const walk = (prefix: string, entry: Entry): ArchiveFile[] =>
    Object.entries(entry.files ?? {}).flatMap(([name, child]) =>
      child.files ? walk(`${prefix}${name}/`, child) : [{ path: `${prefix}${name}`, size: child.size ?? 0 }],
    )
  return walk('', getRawHeader(path).header as Entry)
}

const needed = [
  'package.json',
  'dist/main/electron.js',
  'dist/main/demo-server.js',
  'dist/main/demo-server-port.js',
  'dist/preload/preload.cjs',
  'dist/renderer/index.html',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/diagram/frame.js',
  'resources/icons/256x256.png',
  'resources/models/catalogue.json',
  'resources/models/LICENSE',
]

const refused: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)node_modules\//, 'a package that should have been bundled'],
  [/\.map$/, 'a source map'],
  [/\.tsx?$/, 'a source file'],
  [/\.test\./, 'a test'],
  [/(^|\/)\./, 'a hidden file'],
  [/\.(db|sqlite|log|pem|key)$/, 'something that is nobody’s business'],
]

/** The whole app, in bytes; more than this means that something got in that does not belong. */
const largest = 20_000_000

/** What is wrong with an archive, a sentence each. */
export function findingsIn(files: readonly ArchiveFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return [
    ...needed.filter((path) => !paths.has(path)).map((path) => `${path} is missing.`),
    ...(files.some(({ path }) => /^dist\/renderer\/assets\/.+\.js$/.test(path)) ? [] : ['The page has no script.']),
    ...files.filter(({ size, path }) => size === 0 && needed.includes(path)).map(({ path }) => `${path} is empty.`),
    ...files.flatMap(({ path }) => refused.filter(([pattern]) => pattern.test(path)).map(([, what]) => `${path} is ${what}.`)),
    ...(bytes > largest ? [`The archive holds ${bytes} bytes, more than ${largest}.`] : []),
  ]
}
