// Electron's binary does not come with `npm ci`; its own installer fetches it at the first start. A network that lets
// nothing through must not cost a minute at every start: there is a time limit, and a failed try is remembered for a day.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LIMIT_MS = 60_000
const FORGET_MS = 24 * 60 * 60 * 1000

type Fetched = { readonly kind: 'fetched' } | { readonly kind: 'not'; readonly why: string }

export interface FetchOptions {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now?: number
  readonly limitMs?: number
  /** The installer's script; for tests. */
  readonly installer?: string
}

export async function fetchElectron({ root, env, now = Date.now(), limitMs = LIMIT_MS, installer }: FetchOptions): Promise<Fetched> {
  if (env['ASSENT_NO_DOWNLOAD']) return { kind: 'not', why: 'ASSENT_NO_DOWNLOAD is set' }
  if (env['CI']) return { kind: 'not', why: 'CI is set' }
  const memory = join(root, 'node_modules', '.cache', 'assent', 'electron-not-fetched')
  const failed = statSync(memory, { throwIfNoEntry: false })
  if (failed && now - failed.mtimeMs < FORGET_MS)
    return { kind: 'not', why: 'it could not be fetched earlier today (`npx install-electron` tries again)' }

  process.stderr.write('Fetching Electron, once…\n')
  const why = await run(installer ?? join(root, 'node_modules', 'electron', 'install.js'), root, env, limitMs)
  if (why === undefined) {
    rmSync(memory, { force: true })
    return { kind: 'fetched' }
  }
  mkdirSync(dirname(memory), { recursive: true })
  writeFileSync(memory, `${why}\n`)
  return { kind: 'not', why }
}

/** Undefined: it worked. */
function run(script: string, cwd: string, env: FetchOptions['env'], limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script], { cwd, env: { ...env }, stdio: 'ignore' })
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, limitMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      resolve(`its installer does not start (${error.message})`)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(undefined)
      else resolve(late ? `the download took longer than ${Math.round(limitMs / 1000)} s` : 'the download failed')
    })
  })
}
