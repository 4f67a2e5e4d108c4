// Installs the libraries that the chat is measured beside. They are a package of their own, with its own lock, so that the
// product's `npm ci` does not bring their 120 packages. React is not among them: they share the product's (`.npmrc`).
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const command = 'npm ci --prefix bench/chat/peers'

/** Does nothing where the exact versions of `package.json` are there. @throws where npm cannot install them. */
export function installPeers(): void {
  if (areInstalled()) return
  process.stderr.write(`Installing what the chat is measured beside: ${command}\n`)
  // Found by the shell: on Windows npm is a script. What npm prints goes to the error output, since the report is the other.
  const { status } = spawnSync('npm ci --no-audit --no-fund', { cwd: folder, shell: true, stdio: ['ignore', 2, 2] })
  if (status !== 0 || !areInstalled())
    throw new Error(`The libraries that the chat is measured beside are not installed. Run \`${command}\`, which needs the network.`)
}

function areInstalled(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join(folder, 'node_modules', name, 'package.json')
    return existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version === version
  })
}
