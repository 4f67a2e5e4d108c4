// One stdio server, as a person has it most of the time: how long until it is connected, called by hand and called from the
// command line, and what the host has in memory meanwhile. In the page it is timed by the page itself, from the event of
// the click to the frame that shows what came of it, and the click comes when the page is at rest: nobody finds a button
// in the tenth of a second in which it appeared. Beside each the bare SDK with the same server in the same run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { approveAll } from './many/profile.ts'
import { type Memory, memoryOf } from './one-server/memory.ts'
import { median } from './statistics.ts'
import { atRest, cli, hostEnv, openWebShell } from './web-shell.ts'

const rounds = 5
const calls = 9
const server = { command: process.execPath, args: [join(import.meta.dirname, 'server.mjs')] }
const bareScript = join(import.meta.dirname, 'one-server/bare.mjs')

interface Row {
  readonly promised: number
  /** The median, and the least of all rounds: what it takes when nothing else has the processor. */
  readonly measured: number
  readonly best: number
  readonly bareSdk?: number
  readonly bareSdkBest?: number
}

const round = (value: number): number => Math.round(value * 10) / 10
const row = (promised: number, values: readonly number[], bare?: readonly number[]): Row => ({
  promised,
  measured: round(median(values)),
  best: round(Math.min(...values)),
  ...(bare ? { bareSdk: round(median(bare)), bareSdkBest: round(Math.min(...bare)) } : {}),
})

/** Milliseconds from a click on it to the frame in which `shown`, an expression of the page, is so. */
async function timeClick(page: Page, button: Locator, shown: string): Promise<number> {
  await page.evaluate(`window.timed = new Promise((resolve) => {
    let begun
    addEventListener('click', (event) => { begun = event.timeStamp }, { capture: true, once: true })
    const painted = new MessageChannel()
    painted.port1.onmessage = () => resolve(performance.now() - begun)
    const observer = new MutationObserver(() => {
      if (begun === undefined || !(${shown})) return
      observer.disconnect()
      requestAnimationFrame(() => painted.port2.postMessage(0))
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  }); 0`)
  await button.click()
  return page.evaluate<number>('window.timed')
}

async function inThePage(browser: Browser, dataDir: string): Promise<{ connectMs: number; callMs: number[]; memory: Memory }> {
  await approveAll(dataDir, { bench: server })
  const shell = await openWebShell({ dataDir, browser })
  const { page, pid } = shell
  try {
    const { origin } = new URL(page.url())
    await page.goto(`${origin}/#/servers/bench`)
    await atRest(page)
    const connectMs = await timeClick(
      page,
      page.getByRole('button', { name: 'Start', exact: true }),
      `document.querySelector('[data-server="bench"]')?.textContent.includes('ready') && document.querySelector('[data-tool="echo"]')`,
    )
    const memory = memoryOf(pid)
    await page.goto(`${origin}/#/library/tools/bench/echo`)
    await page.getByLabel(/^word/).fill('hello')
    const callMs: number[] = []
    for (let call = 1; call <= calls; call += 1)
      callMs.push(
        await timeClick(
          page,
          page.getByRole('button', { name: 'Run echo' }),
          `document.querySelectorAll('[data-run="done"]').length === ${call} && document.querySelector('.hand-run')?.textContent.includes('hello')`,
        ),
      )
    return { connectMs, callMs, memory }
  } finally {
    await shell.close()
  }
}

function wallMs(args: readonly string[]): { readonly ms: number; readonly stdout: string } {
  const begun = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: hostEnv, encoding: 'utf8' })
  const ms = performance.now() - begun
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  return { ms, stdout }
}

export async function benchOneServer(): Promise<Record<string, Row>> {
  await buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-one-server-'))
  const configFile = join(folder, 'mcp.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers: { bench: server } }))
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    const page: Awaited<ReturnType<typeof inThePage>>[] = []
    const bare: { connectMs: number; callMs: number; rssMb: number }[] = []
    const line = { ours: [] as number[], bare: [] as number[] }
    for (let done = 0; done < rounds; done += 1) page.push(await inThePage(browser, join(folder, `profile-${done}`)))
    for (let done = 0; done <= calls; done += 1) {
      const script = wallMs([bareScript, ...server.args])
      const ours = wallMs([cli, 'call', '--config', configFile, 'bench', 'echo', '{"word":"hello"}', '--json', '--approve', 'all'])
      // The first one keeps what was compiled.
      if (done === 0) continue
      bare.push(JSON.parse(script.stdout) as (typeof bare)[number])
      line.bare.push(script.ms)
      line.ours.push(ours.ms)
    }
    const bareOf = (key: 'connectMs' | 'callMs' | 'rssMb'): number[] => bare.map((each) => each[key])
    return {
      'connect, click to shown as ready, ms': row(
        150,
        page.map(({ connectMs }) => connectMs),
        bareOf('connectMs'),
      ),
      'a call by hand, click to painted, ms': row(
        50,
        page.flatMap(({ callMs }) => callMs),
        bareOf('callMs'),
      ),
      'one echo call from the command line, ms': row(300, line.ours, line.bare),
      'host of the web shell, connected, MB RSS': row(
        110,
        page.map(({ memory }) => memory.rssMb),
        bareOf('rssMb'),
      ),
      'host of the web shell, connected, MB PSS': row(
        110,
        page.map(({ memory }) => memory.pssMb),
      ),
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
