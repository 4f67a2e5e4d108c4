// Finds a Chromium for the end-to-end tests: E2E_CHROMIUM, Playwright's own, the system's; on Debian as root the
// distribution's is installed; else Playwright is asked to fetch its own. Says which it was.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

interface Browser {
  readonly executablePath: string
  readonly how: string
}

const systemNames = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const systemBrowser = (): string | undefined => systemNames.find((path) => existsSync(path))

function run(command: string, args: readonly string[], timeoutMs: number): boolean {
  const result = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return result.status === 0
}

function installDebian(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  process.stderr.write('No Chromium is here. Installing the distribution’s…\n')
  return run('apt-get', ['update', '-qq'], 300_000) && run('apt-get', ['install', '-y', '-qq', 'chromium'], 600_000)
}

/** Throws with what to do when no browser can be had. */
export function findBrowser(): Browser {
  const named = process.env['E2E_CHROMIUM']
  if (named) {
    if (!existsSync(named)) throw new Error(`E2E_CHROMIUM names ${named}, which is not there.`)
    return { executablePath: named, how: 'E2E_CHROMIUM' }
  }
  const own = chromium.executablePath()
  if (own && existsSync(own)) return { executablePath: own, how: 'Playwright’s own' }
  const before = systemBrowser()
  if (before) return { executablePath: before, how: 'the system’s' }
  if (installDebian()) {
    const installed = systemBrowser()
    if (installed) return { executablePath: installed, how: 'installed from Debian’s packages' }
  }
  process.stderr.write('Asking Playwright to fetch its Chromium…\n')
  if (run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], 600_000) && existsSync(own))
    return { executablePath: own, how: 'fetched by Playwright' }
  throw new Error('No Chromium was found and none could be installed. Install one, or set E2E_CHROMIUM to its path.')
}

/** What a Chromium needs to run headless as root, and to stay off the network. */
export const browserArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
