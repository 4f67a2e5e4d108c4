// `npm start`: builds if needed, then opens the app: Electron where its binary is there or can be fetched and there is a
// display, else the web shell, with one line that says why. Options go on to the shell that is started.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { buildIfNeeded } from './build-if-needed.ts'
import { electronBinary } from './electron-binary.ts'
import { fetchElectron } from './fetch-electron.ts'
import { fileModule } from './module-address.ts'

const root = resolve(import.meta.dirname, '..')
const options = process.argv.slice(2)

/** Options that only the web shell has: whoever types them wants it. */
const wantsWeb = options.find((option) => /^--(no-open|port|config|roots)(=|$)/.test(option))

async function findElectron(): Promise<{ readonly binary: string } | { readonly why: string }> {
  if (wantsWeb !== undefined) return { why: `${wantsWeb.split('=')[0]} was given` }
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return { why: 'there is no display' }
  const here = electronBinary(root)
  if (here !== undefined) return { binary: here }
  const fetched = await fetchElectron({ root, env: process.env })
  const binary = fetched.kind === 'fetched' ? electronBinary(root) : undefined
  if (binary !== undefined) return { binary }
  return { why: `Electron’s binary is not here: ${fetched.kind === 'not' ? fetched.why : 'its installer left nothing'}` }
}

/** The window, until it is closed. Signals reach it through its own group, or from here. */
function runElectron(binary: string): void {
  const child = spawn(binary, [root, ...options], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  const ended = (code: number | null, why: string): void => {
    for (const signal of signals) process.off(signal, passOn)
    // 127: the system's loader lacks a library that it needs.
    if (code === 127) void runWeb(why)
    else process.exit(code ?? 1)
  }
  child.once('error', (error) => ended(127, `Electron does not start here (${error.message})`))
  child.once('exit', (code) => ended(code, 'Electron lacks libraries of the system'))
}

/** In this very process: one signal, one shutdown. */
async function runWeb(why: string): Promise<void> {
  process.stderr.write(`In the browser, since ${why}.\n`)
  const cli = resolve(root, 'dist/main/cli.js')
  process.argv = [process.execPath, cli, 'serve', ...options]
  await import(fileModule(cli))
}

await buildIfNeeded(root)
const found = await findElectron()
if ('binary' in found) runElectron(found.binary)
else await runWeb(found.why)
