// `npm run package`: the installers of this system, in release/. `-- --check`: packs for real, but around a stub in place
// of Electron's binary, and looks at what is in the archive; it needs no network. Other arguments go to electron-builder
// (`--dir`: unpacked, without installers).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getCurrentFuseWire } from '@electron/fuses'
import { makeElectronStub } from './electron-stub.ts'
import { wrongFuses } from './fuses.ts'
import { findingsIn, listArchive } from './package-contents.ts'

const root = resolve(import.meta.dirname, '..')

function run(script: string, args: readonly string[]): void {
  const { status, error } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

const builder = (args: readonly string[]): void => run('node_modules/electron-builder/cli.js', [...args, '--publish', 'never'])
const build = (): void => run('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'])

async function check(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'assent-package-'))
  try {
    const stub = join(scratch, 'electron')
    const output = join(scratch, 'release')
    await makeElectronStub(stub, join(root, 'node_modules/electron'))
    builder(['--linux', 'dir', '--x64', `-c.electronDist=${stub}`, `-c.directories.output=${output}`])
    const unpacked = join(output, 'linux-unpacked')
    const files = listArchive(join(unpacked, 'resources', 'app.asar'))
    const findings = [...findingsIn(files), ...wrongFuses(await getCurrentFuseWire(join(unpacked, 'assent')))]
    for (const finding of findings) process.stdout.write(`✗ ${finding}\n`)
    process.stdout.write(`${JSON.stringify({ files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), findings })}\n`)
    if (findings.length > 0) process.exitCode = 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const args = process.argv.slice(2)
const built = args.includes('--no-build')
const rest = args.filter((arg) => arg !== '--check' && arg !== '--no-build')
if (!built) build()
if (args.includes('--check')) await check()
else builder(rest)
