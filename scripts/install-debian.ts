import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Runs a command without its output. Returns whether it ended well within the time, in milliseconds. */
export function runQuietly(command: string, args: readonly string[], timeoutMs: number): boolean {
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return result.status === 0
}

/** Installs packages of Debian for the tests, as root on Debian alone. Returns whether they are there then. */
export function installDebian(...packages: readonly string[]): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  process.stderr.write(`Installing the distribution’s ${packages.join(' and ')}…\n`)
  return runQuietly('apt-get', ['update', '-qq'], 300_000) && runQuietly('apt-get', ['install', '-y', '-qq', ...packages], 600_000)
}
