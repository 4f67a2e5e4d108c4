// The app's entry. Electron is not ready before this module has been run, with the imports that it waits for (docs/tutorial/esm.md).
import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { profilePlaces } from '#main/shell/node/data-dir.ts'
import { stayOutOfDock } from './dock.ts'
import { dataDirOption, isAgentCommand, variableAtStart } from './start-options.ts'

// Bundled as dist/main/electron.js.
const dist = resolve(import.meta.dirname, '..')
const icon = join(dist, '..', 'resources', 'icons', '256x256.png')

/** File that tells `npm start` that the app runs here. */
const told = process.env['ASSENT_SHOWN_FILE']
const onShown = (): void => {
  if (told) writeFileSync(told, '')
}
const authorities = variableAtStart('NODE_EXTRA_CA_CERTS')
if (authorities !== undefined) process.env['NODE_EXTRA_CA_CERTS'] ??= authorities
process.stdout.on('error', () => undefined) // The terminal is closed.

const args = process.argv.slice(1)
stayOutOfDock(args)
if (isAgentCommand(args)) void (await import('./agent.ts')).serveAgentHere(args)
else {
  const { failToStart, runShell } = await import('./shell.ts')
  runShell({
    dist,
    icon: existsSync(icon) ? icon : undefined,
    os: process.platform,
    args,
    folder: process.cwd(),
    env: process.env,
    stderr: process.stderr,
    process,
    onShown,
    places: profilePlaces(dataDirOption(args)),
  }).catch((error: unknown) => {
    onShown()
    failToStart(error)
  })
}
