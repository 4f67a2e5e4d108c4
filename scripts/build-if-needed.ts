// Builds when something that goes into the build is newer than the last one, or the build is not there. Quiet: one line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lockFolder } from './folder-lock.ts'

const sources = [
  'app',
  'main',
  'preload',
  'renderer',
  'resources',
  'vite.config.ts',
  'scripts/third-party.ts',
  'package.json',
  'package-lock.json',
]
const results = [
  'dist/main/cli.js',
  'dist/main/electron.js',
  'dist/main/demo-server.js',
  'dist/renderer/index.html',
  'dist/diagram/frame.js',
  'dist/preload/preload.cjs',
]
const stampFile = 'dist/.built'

/** What changes when a source is edited, added or taken away: how many there are, and when the newest changed. */
export function stampOf(root: string): string {
  let newest = 0
  let count = 0
  const look = (path: string): void => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return
    if (stat.isDirectory()) {
      for (const name of readdirSync(path)) if (!name.startsWith('.')) look(join(path, name))
    } else if (!path.endsWith('.test.ts') && !path.endsWith('.test.tsx')) {
      count += 1
      newest = Math.max(newest, stat.mtimeMs)
    }
  }
  for (const source of sources) look(join(root, source))
  return `${count} ${newest} ${process.versions.node}`
}

export function isBuilt(root: string): boolean {
  const stamp = join(root, stampFile)
  return results.every((path) => existsSync(join(root, path))) && existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(root)
}

/**
 * Rejects when it does not build. What it says goes to stderr: stdout belongs to what is started afterwards. One build at
 * a time: whoever finds one under way waits for it, and is content with it. `always`: builds also what is there.
 */
export async function buildIfNeeded(root = resolve(import.meta.dirname, '..'), { always = false } = {}): Promise<void> {
  if (!always && isBuilt(root)) return
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const unlock = await lockFolder(join(dist, '.lock'), (pid) => process.stderr.write(`Waiting for the build of process ${pid}\n`))
  try {
    if (always || !isBuilt(root)) await build(root)
  } finally {
    unlock()
  }
}

/** Beside what is there, and put in its place when it is whole: what runs from the last build goes on meanwhile. */
async function build(root: string): Promise<void> {
  const started = Date.now()
  const stamp = stampOf(root)
  const dist = join(root, 'dist')
  for (const name of readdirSync(dist)) if (name.startsWith('.next-')) rmSync(join(dist, name), { recursive: true, force: true })
  const next = join(dist, `.next-${process.pid}`)
  // A process of its own: the build is for production, wherever it is asked for.
  const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ASSENT_OUT_DIR: next },
    stdio: ['ignore', 2, 2],
  })
  const [code] = await once(vite, 'exit')
  if (code !== 0) throw new Error('It does not build: what is wrong stands above.')
  for (const name of readdirSync(next)) {
    rmSync(join(dist, name), { recursive: true, force: true })
    renameSync(join(next, name), join(dist, name))
  }
  rmSync(next, { recursive: true, force: true })
  // Compiled code of what was there before (`main/shell/cli/compile-cache.ts`); a run may be writing to it just now.
  rmSync(join(dist, '.cache'), { recursive: true, force: true, maxRetries: 3 })
  writeFileSync(join(root, stampFile), stamp)
  process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildIfNeeded(undefined, { always: process.argv.includes('--always') })
