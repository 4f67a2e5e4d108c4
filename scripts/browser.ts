// Finds a Chromium for the end-to-end tests: E2E_CHROMIUM, Playwright's own, the system's; on Debian as root the
// distribution's is installed; else Playwright is asked to fetch its own. Says which it was.
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { installDebian, runQuietly } from './install-debian.ts'

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
  if (installDebian('chromium')) {
    const installed = systemBrowser()
    if (installed) return { executablePath: installed, how: 'installed from Debian’s packages' }
  }
  process.stderr.write('Asking Playwright to fetch its Chromium…\n')
  if (runQuietly(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], 600_000) && existsSync(own))
    return { executablePath: own, how: 'fetched by Playwright' }
  throw new Error('No Chromium was found and none could be installed. Install one, or set E2E_CHROMIUM to its path.')
}

/** What a command begins with so that Chromium does not put itself before the hosts and servers that a test waits for: as root it sets its nice value to -8. */
export function keepPriority(): readonly string[] {
  const can = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv')
  return can ? ['/usr/bin/setpriv', '--bounding-set=-sys_nice', '--inh-caps=-sys_nice'] : []
}

/** What Playwright turns off by itself, as `chromiumSwitches.ts` of its server has it: of this option Chromium reads the last one alone. */
export const offByPlaywright = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['TcpPortRandomizationWin', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...['msForceBrowserSignIn', 'msEdgeUpdateLaunchServicesPreferredVersion'],
]

/** Pages of Chromium’s own that stand behind the address bar: a process of 0.4 s of processor time for each window. */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** What a Chromium needs to run headless as root, and to stay off the network. */
export const browserArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...offByPlaywright, ...addressBarPages].join()}`,
]
