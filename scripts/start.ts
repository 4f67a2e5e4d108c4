// `npm start`: builds if needed, then opens the app: Electron where its binary is there or can be fetched and there is a
// display, else the web shell, with one line that says why. An Electron that ends before it has a window is as good as none.
// Options go on to the shell that is started.
import { resolve } from 'node:path'
import { buildIfNeeded } from './build-if-needed.ts'
import { electronBinary } from './electron-binary.ts'
import { fetchElectron } from './fetch-electron.ts'
import { fileModule } from './module-address.ts'
import { runElectron } from './run-electron.ts'

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

/** In this very process: one signal, one shutdown. */
async function runWeb(why: string): Promise<void> {
  process.stderr.write(`In the browser, since ${why}.\n`)
  const cli = resolve(root, 'dist/main/cli.js')
  process.argv = [process.execPath, cli, 'serve', ...options]
  await import(fileModule(cli))
}

await buildIfNeeded(root)
const found = await findElectron()
if ('binary' in found) {
  const ran = await runElectron(found.binary, [root, ...options])
  if (ran.kind === 'ran') process.exit(ran.code)
  await runWeb(ran.why)
} else await runWeb(found.why)
