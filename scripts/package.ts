// `npm run package`: the installers of this system, in release/. `-- --check`: packs for real, but around a stub in place
// of Electron's binary, and looks at what is in the archive; it needs no network. Other arguments go to electron-builder
// (`--dir`: unpacked, without installers). `-- --verify FOLDER`: compares the files of updates there with the installers that they name.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getCurrentFuseWire } from '@electron/fuses'
import { makeElectronStub } from './electron-stub.ts'
import { wrongFuses } from './fuses.ts'
import { feedFindings, findingsIn, listArchive, releaseNotes, updateFindings } from './package-contents.ts'

const root = resolve(import.meta.dirname, '..')

function run(script: string, args: readonly string[]): void {
  const { status, error } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

function builder(args: readonly string[]): void {
  writeFileSync(join(root, 'dist/release-notes.md'), releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version))
  run('node_modules/electron-builder/cli.js', [...args, '--publish', 'never'])
}
const build = (): void => run('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'])

function report(findings: readonly string[]): void {
  for (const finding of findings) process.stdout.write(`✗ ${finding}\n`)
  if (findings.length > 0) process.exitCode = 1
}

async function check(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'assent-package-'))
  try {
    const stub = join(scratch, 'electron')
    const output = join(scratch, 'release')
    await makeElectronStub(stub, join(root, 'node_modules/electron'))
    builder(['--linux', 'dir', '--x64', `-c.electronDist=${stub}`, `-c.directories.output=${output}`])
    const unpacked = join(output, 'linux-unpacked')
    const feed = readFileSync(join(unpacked, 'resources', 'app-update.yml'), 'utf8')
    const files = listArchive(join(unpacked, 'resources', 'app.asar'))
    const findings = [...findingsIn(files), ...feedFindings(feed), ...wrongFuses(await getCurrentFuseWire(join(unpacked, 'assent')))]
    report(findings)
    process.stdout.write(`${JSON.stringify({ files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), findings })}\n`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const args = process.argv.slice(2)
const verified = args.indexOf('--verify')
const built = verified >= 0 || args.includes('--no-build')
const rest = args.filter((arg) => arg !== '--check' && arg !== '--no-build')
if (!built) build()
if (verified >= 0) report(updateFindings(resolve(args[verified + 1] ?? ''), version))
else if (args.includes('--check')) await check()
else builder(rest)
