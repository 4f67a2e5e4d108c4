// `npm run e2e`: the specs over the web shell in Chromium. `npm run e2e:electron`: the same specs over real Electron,
// which fails plainly where its binary is not. Further arguments go to Playwright.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { findBrowser, keepPriority } from './browser.ts'
import { buildIfNeeded } from './build-if-needed.ts'
import { electronBinary } from './electron-binary.ts'

const given = process.argv.slice(2)
const named = given.indexOf('--shell')
const shell = named === -1 ? 'web' : given[named + 1]
const forPlaywright = named === -1 ? given : given.toSpliced(named, 2)
if (shell !== 'web' && shell !== 'electron') {
  process.stderr.write('--shell is followed by web or electron.\n')
  process.exit(2)
}
await buildIfNeeded()
if (shell === 'electron') {
  if (!electronBinary()) {
    process.stderr.write('Not run: Electron’s binary is not here. `npx install-electron` fetches it.\n')
    process.exit(1)
  }
} else {
  const browser = findBrowser()
  process.env['E2E_CHROMIUM'] = browser.executablePath
  process.stderr.write(`Chromium: ${browser.executablePath} (${browser.how})\n`)
}
const [command = '', ...args] = [...keepPriority(), process.execPath, 'node_modules/@playwright/test/cli.js', 'test', ...forPlaywright]
const result = spawnSync(command, args, {
  stdio: 'inherit',
  env: {
    NODE_COMPILE_CACHE: resolve('test-results/.compiled'),
    ...process.env,
    ASSENT_SHELL: shell,
    XDG_STATE_HOME: resolve('test-results/.state'),
  },
})
process.exit(result.status ?? 1)
