// Starts a packaged app as a person would and looks at it through Chromium's own debugging port (the fuses close Node's):
// the page is there, isolated, the built-in server runs in its utility process out of the archive, and the host does what
// packaged-checks.ts asks of it; then it quits in time. For the release workflow, where Electron's binary is: `node scripts/start-packaged.ts release/linux-unpacked/assent`.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getCurrentFuseWire } from '@electron/fuses'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { PreloadBridge } from '#app/contract/host-connection.ts'
import type { DesktopState, Snapshot } from '#app/contract/snapshot.ts'
import { fromErrorValue } from '#app/errors.ts'
import { withoutScreen } from '#main/shell/electron/start-options.ts'
import { wrongFuses } from './fuses.ts'
import { type Ask, checkHost, prepareProfile } from './packaged-checks.ts'

const startLimit = 60_000
const quitLimit = 7000

const program = process.argv[2] ?? ''
if (!existsSync(program)) {
  process.stderr.write(`There is no program at “${program}”. Usage: node scripts/start-packaged.ts PROGRAM\n`)
  process.exit(2)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Polls until `look` finds something; throws with `what` after the limit. */
async function find<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + startLimit
  for (;;) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`Not within ${startLimit / 1000} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const says = (line: string): void => void process.stdout.write(`✓ ${line}\n`)
function must(holds: boolean, line: string): void {
  if (!holds) throw new Error(`Not so: ${line}`)
  says(line)
}

/** Opens the quick entry as the jump list does, by a second start, and leaves it by a link. */
async function checkQuickEntry(connected: Browser, page: Page): Promise<void> {
  spawn(program, ['--data-dir', dataDir, '--quick-entry'], { stdio: 'ignore', env: { ...process.env, ASSENT_NO_KEYRING: '1' } })
  const quick = await find('the quick entry', async () =>
    connected
      .contexts()
      .flatMap((context) => context.pages())
      .find((candidate) => candidate.url() === 'app://assent/#/quick'),
  )
  await quick.getByRole('textbox').waitFor({ timeout: startLimit })
  await find('a window as high as its page', async () => {
    const beyond = await quick.evaluate('innerHeight - Math.max(96, document.documentElement.offsetHeight)')
    return Math.abs(Number(beyond)) <= 2 ? true : undefined
  })
  await quick.evaluate("location.hash = '#/settings/desktop'")
  await page.waitForURL(/#\/settings\/desktop$/, { timeout: startLimit })
  await quick.waitForURL(/#\/quick$/, { timeout: startLimit })
  says('the quick entry opens, is as high as its page, and leaves for the main window')
}

/** Asks as an agent does, over pipes and without a display, who is connected. On Windows Electron writes an empty line first. */
async function checkAgent(): Promise<void> {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env
  const args = [...withoutScreen(process.platform), 'mcp', '--status', '--data-dir', dataDir]
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: startLimit })
  must((JSON.parse(stdout) as { readonly running?: boolean }).running === true, 'it answers an agent’s process, which has no display')
  must(/[^\r\n]\n$/.test(stdout), 'its lines end in LF alone')
}

const dataDir = mkdtempSync(join(tmpdir(), 'assent-packaged-'))
const port = await freePort()
prepareProfile(dataDir, process.execPath)
const child = spawn(program, [`--remote-debugging-port=${port}`, '--data-dir', dataDir, '--sandbox', 'off'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  // Were the fuses as Electron ships them, this would keep the app from starting at all.
  env: { ...process.env, ASSENT_NO_KEYRING: '1', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere' },
})
const ended = once(child, 'exit')
let browser: Browser | undefined
try {
  const wrong = wrongFuses(await getCurrentFuseWire(program))
  must(wrong.length === 0, `the fuses are set ${wrong.join(' ')}`)
  const connected = await find('its debugging port', () => chromium.connectOverCDP(`http://127.0.0.1:${port}`))
  browser = connected
  const page = await find('its page', async () =>
    connected
      .contexts()
      .flatMap((context) => context.pages())
      .find((candidate) => candidate.url().startsWith('app://assent/')),
  )
  await page.getByRole('textbox').first().waitFor({ timeout: startLimit })
  says('the page is shown, with something to write in')
  const around = await page.evaluate(() => ['require', 'process', 'module', 'Buffer'].filter((name) => name in globalThis))
  must(around.length === 0, `the page has nothing of Node’s ${around.join(' ')}`)
  const ask = async (name: string, params: unknown): Promise<unknown> => {
    const bridge = (of: readonly [string, unknown]) => (globalThis as unknown as { assent: PreloadBridge }).assent.request(...of)
    const answer = (await page.evaluate(bridge, [name, params] as const)) as Awaited<ReturnType<PreloadBridge['request']>>
    if ('error' in answer) throw fromErrorValue(answer.error)
    return answer.result
  }
  await find('the built-in server', async () => {
    const { servers } = (await ask('app.snapshot', {})) as Snapshot
    return servers.find(({ name, state }) => name === 'demo' && state.kind === 'ready')
  })
  says('the built-in server runs')
  await checkHost(ask as Ask, says)
  must(readdirSync(dataDir).includes('assent.db'), 'the profile is where it was told to be')
  await checkQuickEntry(connected, page)
  await checkAgent()
  const { failures, folder } = (await ask('app.desktop', {})) as DesktopState
  must(failures.length === 0 && existsSync(folder), 'nothing crashed, and reports have their folder')
  await connected.close()
  if (process.platform !== 'win32') {
    const before = Date.now()
    child.kill('SIGTERM')
    const late = new Promise((resolve) => setTimeout(resolve, quitLimit, 'late').unref())
    must((await Promise.race([ended, late])) !== 'late', `it quits in time (${Date.now() - before} ms)`)
  }
} finally {
  await browser?.close().catch(() => undefined)
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
  for (const folder of [dataDir, `${dataDir}.agents`]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
