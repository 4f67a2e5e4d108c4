// The app's entry. Nothing is awaited at the top: Electron is not ready before this module has been run.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { failToStart, runShell } from './shell.ts'

// Bundled as dist/main/electron.js.
const dist = resolve(import.meta.dirname, '..')
const icon = join(dist, '..', 'resources', 'icons', '256x256.png')

runShell({
  dist,
  icon: existsSync(icon) ? icon : undefined,
  os: process.platform,
  args: process.argv.slice(1),
  env: process.env,
  stderr: process.stderr,
  onUnhandled: (listener) => process.on('unhandledRejection', listener),
}).catch(failToStart)
