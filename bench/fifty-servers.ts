// Fifty servers that all start at launch, ten of them broken, each in a way of its own. Three things in one run, by turns:
// the bare SDK connecting to the forty good ones all at once; the whole host without a page; the web shell as it is built,
// with its page in a real Chromium, with no server and with the fifty. Times of the host count from before it is made,
// those of the page from the start of the process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import type { HostEvent } from '#app/contract/events.ts'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { goodCount } from './many/good-servers.ts'
import { makeProfiles } from './many/profile.ts'
import { percentile, ratio } from './statistics.ts'
import { openWebShell } from './web-shell.ts'

const rounds = 3
/** What is promised; milliseconds, and times the bare SDK's. */
const promised = { usableMs: 600, ratio: 1.5 }

interface Measured {
  readonly readyMs: number
  readonly cpuMs: number
  readonly broken?: Readonly<Record<string, { readonly diagnosis: string; readonly ms: number; readonly overMs: number }>>
}

const median = (values: readonly number[]): number => Math.round(percentile(values, 0.5))

async function run(program: string, ...args: string[]): Promise<Measured> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'many', program), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  await once(child, 'close')
  return JSON.parse(text) as Measured
}

/** From the start of the process: when the message field could be written in, and when the page knew of the last good server. */
async function window(browser: Browser, dataDir: string, servers: number): Promise<{ usableMs: number; readyMs: number }> {
  const ready = new Set<string>()
  const all = Promise.withResolvers<number>()
  if (servers === 0) all.resolve(0)
  const shell = await openWebShell({
    dataDir,
    browser,
    onFrame(text, at) {
      const frame = JSON.parse(text) as { readonly kind: string; readonly event?: HostEvent }
      if (frame.event?.name !== 'server.changed') return
      const { name, state } = frame.event.payload.server
      if (state.kind === 'ready') ready.add(name)
      if (ready.size === servers) all.resolve(at)
    },
  })
  const readyAt = await all.promise
  await shell.close()
  return { usableMs: shell.usable - shell.begun, readyMs: readyAt - shell.begun }
}

export async function benchFiftyServers(): Promise<Record<string, unknown>> {
  await buildIfNeeded()
  const profiles = await makeProfiles()
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  const bare: Measured[] = []
  const host: Measured[] = []
  const again: Measured[] = []
  const empty: { usableMs: number }[] = []
  const fifty: { usableMs: number; readyMs: number }[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await run('bare.ts'))
      const profile = await profiles.fresh('fifty')
      host.push(await run('host.ts', profile))
      again.push(await run('host.ts', profile))
      empty.push(await window(browser, await profiles.fresh('none'), 0))
      fifty.push(await window(browser, await profiles.fresh('fifty'), goodCount))
    }
  } finally {
    await browser.close()
    await profiles.remove()
  }
  const bareMs = median(bare.map(({ readyMs }) => readyMs))
  const beside = (measured: readonly Pick<Measured, 'readyMs'>[]) => {
    const readyMs = median(measured.map((each) => each.readyMs))
    return { readyMs, ratio: ratio(readyMs, bareMs) }
  }
  const last = host.at(-1)?.broken ?? {}
  return {
    promised,
    bareSdk: { readyMs: bareMs, cpuMs: median(bare.map(({ cpuMs }) => cpuMs)) },
    wholeHost: { firstStart: beside(host), laterStart: beside(again), cpuMs: median(host.map(({ cpuMs }) => cpuMs)) },
    webShell: {
      usableMs: { noServers: median(empty.map(({ usableMs }) => usableMs)), fiftyServers: median(fifty.map(({ usableMs }) => usableMs)) },
      ...beside(fifty),
    },
    broken: Object.fromEntries(
      Object.entries(profiles.broken).map(([name, what]) => [
        name,
        { what, diagnosis: last[name]?.diagnosis, namedMs: Math.round(last[name]?.ms ?? 0), overMs: Math.round(last[name]?.overMs ?? 0) },
      ]),
    ),
  }
}
