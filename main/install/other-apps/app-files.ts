// Config files of other programs into which Assent's own server is written: which one each program reads, and the entry in its form. A file
// is read whole, and written only while it is what was read: never behind a link that leaves the home folder, never one of another account.
import { createHash } from 'node:crypto'
import { constants, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { lstat, mkdir, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { HostId } from '#app/server/import/app-names.ts'
import { createFileAtomically, replaceFileAtomically } from '#main/base/atomic-write.ts'
import { addServer, applySplices, type ServerMap } from './edit-config.ts'
import { filesAt, largestConfigFile } from './find-config-files.ts'
import { type AppSystem, appConfigLocations } from './known-apps.ts'

/** Command of `assent mcp` for one client of the gate. */
export interface GateLaunch {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Name of Assent’s server in the files of others. */
export const ours = 'assent'

interface AppForm {
  /** Files that it is written into; absent: the first of its files that is no folder. */
  readonly file?: RegExp
  /** Name of a file of its own, in a folder where the program reads all. */
  readonly own?: string
  readonly keys?: readonly string[]
  readonly entry?: (launch: GateLaunch) => JsonObject
}

const plain = ({ command, args, env }: GateLaunch): JsonObject => ({ command, args, env })
const typed = (launch: GateLaunch): JsonObject => ({ type: 'stdio', ...plain(launch) })
const local = ({ command, args, env }: GateLaunch): JsonObject => ({
  type: 'local',
  command: [command, ...args],
  environment: env,
  enabled: true,
})

/** Forms of the programs whose files are written, by the pages that `knownApps` names. */
const forms: Partial<Record<HostId, AppForm>> = {
  'claude-code': { entry: typed },
  'claude-desktop': { file: /claude_desktop_config\.json$/ },
  cursor: {},
  vscode: { file: /User[\\/]mcp\.json$/, keys: ['servers'], entry: typed },
  windsurf: {},
  cline: {},
  zed: { keys: ['context_servers'], entry: (launch) => ({ source: 'custom', ...plain(launch) }) },
  goose: {
    keys: ['extensions'],
    entry: ({ command, args, env }) => ({ name: 'Assent', type: 'stdio', cmd: command, args, envs: env, enabled: true, timeout: 300 }),
  },
  'lm-studio': {},
  continue: { own: 'assent.json' },
  codex: { keys: ['mcp_servers'], entry: plain },
  'gemini-cli': {},
  'qwen-code': {},
  opencode: { keys: ['mcp'], entry: local },
  kiro: {},
  'copilot-cli': { entry: (launch) => ({ type: 'local', ...plain(launch), tools: ['*'] }) },
  'amazon-q': { file: /amazonq[\\/]mcp\.json$/ },
  warp: {},
  'roo-code': {},
  'kilo-code': { file: /kilo\.jsonc?$/, keys: ['mcp'], entry: local },
  junie: {},
  amp: { keys: ['amp.mcpServers'] },
  crush: { keys: ['mcp'], entry: typed },
}

/** File of a program that reads Assent's server from it; it may not be there yet. */
export interface AppFile {
  readonly host: HostId
  readonly path: string
  readonly map: ServerMap
  readonly isThere: boolean
}

export const appEntry = (host: HostId, launch: GateLaunch): JsonObject => (forms[host]?.entry ?? plain)(launch)

/** Whole file of each program with Assent's server in it, for one that is set up by hand. */
export const appSnippets = (launch: GateLaunch): { readonly host: HostId; readonly text: string }[] =>
  (Object.keys(forms) as (keyof typeof forms)[]).map((host) => {
    const format = host === 'codex' ? 'toml' : host === 'goose' ? 'yaml' : 'json'
    const map: ServerMap = { format, keys: forms[host]?.keys ?? ['mcpServers'] }
    return { host, text: applySplices('', addServer('', map, ours, appEntry(host, launch))) }
  })

const formatOf = (path: string): ServerMap['format'] => (/\.toml$/.test(path) ? 'toml' : /\.ya?ml$/.test(path) ? 'yaml' : 'json')

/** Files of the programs on this computer: those that are there, and the first where a program keeps its own folder and has none yet. */
export async function findAppFiles(system: AppSystem): Promise<AppFile[]> {
  const found: AppFile[] = []
  for (const { host, path, within } of appConfigLocations(system)) {
    const form = forms[host]
    if (!form || (form.own !== undefined && within?.[0] !== '*.json')) continue
    const paths =
      form.own === undefined
        ? within && !form.file
          ? []
          : await filesAt({ host, path, ...(within ? { within } : {}) })
        : [join(path, form.own)]
    for (const one of paths.filter((each) => form.file?.test(each) ?? true)) {
      const isThere = await exists(one)
      const folder = form.own === undefined ? dirname(one) : dirname(path)
      if (!isThere && (folder === system.home || !(await exists(folder)))) continue
      const other = found.findIndex((each) => each.host === host && dirname(each.path) === dirname(one))
      const file = { host, path: one, isThere, map: { format: formatOf(one), keys: form.keys ?? ['mcpServers'] } }
      if (other === -1) found.push(file)
      else if (isThere && !found[other]?.isThere) found[other] = file
    }
  }
  return found
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Reasons why a file is not written. `changed`: it is not what was shown. `busy`: its program holds its lock. */
export type AppFileProblem = 'link' | 'shared' | 'account' | 'unreadable' | 'changed' | 'busy'

export class AppFileError extends Error {
  readonly problem: AppFileProblem

  constructor(problem: AppFileProblem) {
    super(problem)
    this.problem = problem
  }
}

export interface AppText {
  /** Undefined: there is no file. */
  readonly text: string | undefined
  /** Path without links, inside of the home folder where there was one. */
  readonly target: string
}

/** Reads a file whose text may be replaced. @throws {AppFileError} */
export async function readAppText(path: string, home: string): Promise<AppText> {
  const target = await targetOf(path, home)
  let file: Awaited<ReturnType<typeof open>>
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer; what came in place of the file is not followed.
    file = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: undefined, target }
    throw new AppFileError('unreadable')
  }
  try {
    const { size, nlink, uid, isFile } = await file.stat().then((at) => ({ ...at, isFile: at.isFile() }))
    if (!isFile || size > largestConfigFile) throw new AppFileError('unreadable')
    // The other names of a file would keep the old text.
    if (nlink > 1) throw new AppFileError('shared')
    if (process.getuid && uid !== process.getuid()) throw new AppFileError('account')
    const bytes = await file.readFile()
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes)) throw new AppFileError('unreadable')
    return { text, target }
  } finally {
    await file.close()
  }
}

/** Follows links, as those of people who keep such files in one folder, but not out of the home folder. */
async function targetOf(path: string, home: string): Promise<string> {
  const [real, realHome] = await Promise.all([realPath(path), realPath(home)])
  const inside = relative(home, path)
  const unlinked = inside.startsWith('..')
    ? await realPath(dirname(path)).then((folder) => join(folder, basename(path)))
    : join(realHome, inside)
  const leaves = relative(realHome, real)
  if (real !== unlinked && (leaves.startsWith('..') || leaves === real)) throw new AppFileError('link')
  return real
}

/** Path without links, of the nearest folder that is there. @throws {AppFileError} for a link to nothing */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    if (
      await lstat(path).then(
        () => true,
        () => false,
      )
    )
      throw new AppFileError('link')
    const folder = dirname(path)
    return folder === path ? path : join(await realPath(folder), basename(path))
  }
}

/** Milliseconds after which a lock is left behind (`proper-lockfile`, by which Claude Code guards its file). */
const staleLock = 10_000

/** Writes a file if it still has the text that was shown; undefined: there is none, or there shall be none. @throws {AppFileError} */
export async function writeAppText(path: string, home: string, shown: string | undefined, next: string | undefined): Promise<void> {
  const now = await readAppText(path, home)
  if (now.text !== shown) throw new AppFileError('changed')
  const unlock = shown === undefined ? () => undefined : await lock(`${now.target}.lock`)
  try {
    if (!put(now.target, shown, next)) throw new AppFileError('changed')
  } finally {
    unlock()
  }
}

function put(target: string, shown: string | undefined, next: string | undefined): boolean {
  if (shown === undefined) return next === undefined || createFileAtomically(target, next)
  if (next !== undefined) return replaceFileAtomically(target, shown, next)
  if (orElse(() => readFileSync(target, 'utf8'), undefined) !== shown) return false
  rmSync(target)
  return true
}

async function lock(path: string): Promise<() => void> {
  const at = await stat(path).catch(() => undefined)
  if (at) {
    if (Date.now() - at.mtimeMs < staleLock) throw new AppFileError('busy')
    return () => undefined
  }
  await mkdir(path).catch((error: unknown) => {
    throw new AppFileError((error as NodeJS.ErrnoException).code === 'EEXIST' ? 'busy' : 'unreadable')
  })
  return () => orElse(() => rmdirSync(path), undefined)
}

export const appTextDigest = (text: string): string => createHash('sha256').update(text).digest('hex')
