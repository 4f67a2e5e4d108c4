// What must be in the app's archive and in what updates are made of, and what must not.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawHeader } from '@electron/asar'
import { parse } from 'yaml'

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
  'resources/tray/tray.png',
  'resources/tray/trayTemplate.png',
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

interface UpdateFile {
  readonly version?: string
  readonly releaseNotes?: string
  readonly files?: readonly { readonly url: string; readonly sha512: string; readonly size?: number }[]
}

/** What is wrong with the files by which installed apps find an update (`latest*.yml`), beside the installers that they name. */
export function updateFindings(folder: string, version: string): string[] {
  const names = readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name))
  if (names.length === 0) return ['There is no latest*.yml.']
  return names.flatMap((name) => {
    const info = parse(readFileSync(join(folder, name), 'utf8')) as UpdateFile
    const ofFiles = (info.files ?? []).flatMap(({ url, sha512, size }) => {
      const path = join(folder, url)
      // As main/shell/electron/updates.ts takes them.
      if (!/^assent-[\w.-]+$/.test(url)) return [`names “${url}”, which the app refuses`]
      if (!existsSync(path)) return [`names ${url}, which is missing`]
      const bytes = readFileSync(path)
      const isSame = createHash('sha512').update(bytes).digest('base64') === sha512 && (size ?? bytes.length) === bytes.length
      return isSame ? [] : [`has another SHA-512 or size than ${url}`]
    })
    const wrong = [
      ...(info.version === version ? [] : [`is of version ${info.version}`]),
      ...(info.files?.length ? [] : ['names no file']),
      ...(info.releaseNotes ? [] : ['has no release notes']),
      ...ofFiles,
    ]
    return wrong.map((what) => `${name} ${what}.`)
  })
}

/** What is wrong with the address of updates in a packed app (`app-update.yml`). */
export function feedFindings(text: string): string[] {
  const { provider, owner, repo, updaterCacheDirName, token } = parse(text) as Readonly<Record<string, unknown>>
  return [
    ...(provider === 'github' && owner && repo ? [] : ['app-update.yml names no repository of GitHub.']),
    ...(updaterCacheDirName ? [] : ['app-update.yml names no folder for downloads.']),
    ...(token === undefined ? [] : ['app-update.yml holds a token.']),
  ]
}

/** Text of a version in a change log; before it is released, that of the next one. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? sections.find((text) => text.startsWith('[Unreleased]'))
  return `${(section ?? '').replace(/^.*\n/, '').trim()}\n`
}
