// Builds when something that goes into the build is newer than the last one, or the build is not there. Quiet: one line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const sources = ['app', 'main', 'preload', 'renderer', 'resources', 'vite.config.ts', 'package.json', 'package-lock.json']
const results = [
  'dist/main/cli.js',
  'dist/main/electron.js',
  'dist/main/demo-server.js',
  'dist/renderer/index.html',
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

/** Rejects when it does not build. What it says goes to stderr: stdout belongs to what is started afterwards. */
export async function buildIfNeeded(root = resolve(import.meta.dirname, '..')): Promise<void> {
  if (isBuilt(root)) return
  const started = Date.now()
  const stamp = stampOf(root)
  // A process of its own: the build is for production, wherever it is asked for.
  const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  const [code] = await once(vite, 'exit')
  if (code !== 0) throw new Error('It does not build: what is wrong stands above.')
  writeFileSync(join(root, stampFile), stamp)
  process.stderr.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildIfNeeded()
