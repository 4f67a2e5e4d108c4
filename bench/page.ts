// What a person waits for, in the page of the built web shell in a real Chromium, and at the command line; beside each,
// what is promised. In the page it is timed by the page itself: from the click to the frame after the one that shows it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { goodServer } from './many/good-servers.ts'
import { approveAll } from './many/profile.ts'
import { percentile } from './statistics.ts'
import { cli, composerOf, hostEnv, openWebShell, type WebShell } from './web-shell.ts'

const rounds = 5
const one = { command: process.execPath, args: [goodServer, 'one'] }
const manyTools = { command: process.execPath, args: [join(import.meta.dirname, 'many/many-tools.mjs')] }

interface Row {
  readonly promised: number | string
  readonly measured: number | string
}
const median = (values: readonly number[]): number => Math.round(percentile(values, 0.5))

/** Presses what `click` names, or does nothing if it is empty; milliseconds until something fits `done` and is painted. */
const timeClick = (page: Page, click: string, done: string): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const begun = performance.now()
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)))
    const look = () => (${done} ? painted() : requestAnimationFrame(look))
    const element = ${click}
    element.click()
    look()
  })`)
const button = (words: string): string =>
  `[...document.querySelectorAll('button')].find((each) => each.textContent.trim().startsWith('${words}'))`

async function connectAndCall(shell: WebShell): Promise<{ connectMs: number; callMs: number; memoryMb: number }> {
  const { page, pid } = shell
  await page.goto(`${new URL(page.url()).origin}/#/servers/one`)
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  const connectMs = await timeClick(page, button('Start'), `document.querySelector('[data-tool="echo"]')`)
  const memoryMb = residentMb(pid)
  await page.goto(`${new URL(page.url()).origin}/#/chat`)
  await composerOf(page).fill('echo the message hello')
  await composerOf(page).press('Enter')
  await page
    .locator('section.ask button:not([aria-disabled="true"])')
    .filter({ hasText: /^Allow once/ })
    .first()
    .waitFor()
  const callMs = await timeClick(page, button('Allow once'), `/you, once/.test(document.querySelector('.call-box')?.textContent ?? '')`)
  return { connectMs, callMs, memoryMb }
}

/** Linux alone tells it so. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

async function openManyTools(page: Page) {
  const origin = new URL(page.url()).origin
  await page.goto(`${origin}/#/servers`)
  await page
    .locator('[data-server="many-tools"]')
    .filter({ hasText: '5000' })
    .or(page.locator('[data-server="many-tools"]').filter({ hasText: '5,000' }))
    .waitFor()
  await page.evaluate('window.longTasks.length = 0')
  const shownMs = await timeClick(page, `document.querySelector('[data-server="many-tools"]')`, `document.querySelector('[data-tool]')`)
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
  const search = page.getByRole('searchbox', { name: 'Find a tool' })
  await search.focus()
  const begun = performance.now()
  await page.keyboard.type('number 4321')
  await page.waitForFunction(
    `document.querySelectorAll('[data-tool]').length === 1 && document.querySelector('[data-tool="tool_4321"]')`,
    undefined,
    { polling: 'raf' },
  )
  const filterMs = performance.now() - begun
  const longTasks = await page.evaluate<number>('window.longTasks.filter((ms) => ms > 100).length')
  return { shownMs, nodes, filterMs, longTasks }
}

function callFromCommandLine(configFile: string): number {
  const begun = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    [cli, 'call', '--config', configFile, 'one', 'echo', '{"message":"hello"}', '--json', '--approve', 'all'],
    { env: hostEnv, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The call failed: ${stderr}`)
  return performance.now() - begun
}

/** What the same run pays without Assent: Node alone, and the server alone, whose stdin is at its end at once. */
function bareRun(args: readonly string[]): number {
  const begun = performance.now()
  const { status } = spawnSync(process.execPath, args, { env: hostEnv, input: '' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed`)
  return performance.now() - begun
}

async function eachRound<T>(browser: Browser, dataDirs: () => Promise<string>, work: (shell: WebShell) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = await dataDirs()
    const shell = await openWebShell({ dataDir, browser })
    try {
      results.push(await work(shell))
    } finally {
      await shell.close()
    }
  }
  return results
}

export async function benchPage(): Promise<Record<string, Row>> {
  await buildIfNeeded()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-page-'))
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  let made = 0
  const profile = (servers: Parameters<typeof approveAll>[1]) => async (): Promise<string> => {
    made += 1
    const dataDir = join(folder, `profile-${made}`)
    await approveAll(dataDir, servers)
    return dataDir
  }
  const configFile = join(folder, 'mcp.json')
  writeFileSync(configFile, JSON.stringify({ mcpServers: { one } }))
  try {
    const starts = await eachRound(browser, profile({}), async ({ usable, begun }) => usable - begun)
    const calls = await eachRound(browser, profile({ one }), connectAndCall)
    const lists = await eachRound(browser, profile({ first: one, 'many-tools': { ...manyTools, start: 'launch' } }), ({ page }) =>
      openManyTools(page),
    )
    const bareNode: number[] = []
    const bareServer: number[] = []
    const lines = Array.from({ length: rounds }, () => {
      bareNode.push(bareRun(['-e', '0']))
      bareServer.push(bareRun(one.args))
      return callFromCommandLine(configFile)
    })
    return {
      'start to first usable control, ms': { promised: 600, measured: median(starts) },
      'host memory with one server connected, MB RSS': { promised: 110, measured: median(calls.map(({ memoryMb }) => memoryMb)) },
      'connect one stdio server, click to shown, ms': { promised: 150, measured: median(calls.map(({ connectMs }) => connectMs)) },
      'tool call, click to painted, ms': { promised: 50, measured: median(calls.map(({ callMs }) => callMs)) },
      'one echo call from the command line, ms': { promised: 300, measured: median(lines) },
      'bare: node -e 0, ms': { promised: '', measured: median(bareNode) },
      'bare: the echo server alone, to its end, ms': { promised: '', measured: median(bareServer) },
      '5,000 tools shown, ms': { promised: 400, measured: median(lists.map(({ shownMs }) => shownMs)) },
      '5,000 tools, DOM nodes': { promised: 1500, measured: median(lists.map(({ nodes }) => nodes)) },
      '5,000 tools, filtered with typing, ms': { promised: 1000, measured: median(lists.map(({ filterMs }) => filterMs)) },
      '5,000 tools, tasks over 100 ms': { promised: 0, measured: median(lists.map(({ longTasks }) => longTasks)) },
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
