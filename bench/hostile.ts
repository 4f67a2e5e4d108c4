// Texts that are made to hold the page up, as an answer that is opened and as one that streams in: the longest task of the page,
// beside plain text of the same size in the same run.
import { type Browser, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { type BuiltPage, openBuiltPage } from './chat/built-page.ts'
import { hostileTexts } from './chat/page/hostile-text.ts'

const promised = 200

interface Held {
  readonly longestMs: number
  /** Of the longest task, as the processor's own: what else the machine does is not in it. */
  readonly ownMs: number
  readonly nodes: number
}

interface TraceEvent {
  readonly pid: number
  readonly tid: number
  readonly name: string
  readonly ph: string
  /** Microseconds of the processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Of the tasks of the page's main thread. */
function longestOwn(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] }
  const at = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`
  const main = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(at))
  const own = traceEvents.filter((one) => one.ph === 'X' && main.has(at(one))).map(({ tdur = 0 }) => tdur)
  return Math.round(own.reduce((most, one) => Math.max(most, one), 0) / 1000)
}

/** Infinity: the page did not come back at all. */
async function held(browser: Browser, { url }: BuiltPage, what: string, shape: string): Promise<Held> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(`${url}?what=${what}&shape=${encodeURIComponent(shape)}`)
    await browser.startTracing(page, { categories: ['-*', 'toplevel'] })
    const result = await Promise.race([
      page.evaluate<Omit<Held, 'ownMs'>>('window.run()'),
      new Promise<Omit<Held, 'ownMs'>>((resolve) => setTimeout(resolve, 60_000, { longestMs: Number.POSITIVE_INFINITY, nodes: 0 })),
    ])
    return { ...result, ownMs: longestOwn((await browser.stopTracing()).toString()) }
  } finally {
    await context.close()
  }
}

/** `BENCH_SHAPE`: those alone whose name holds one of these, which a `|` parts. */
export async function benchHostile(): Promise<object> {
  const built = await openBuiltPage()
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  const only = (process.env['BENCH_SHAPE'] ?? '').split('|')
  try {
    const shapes: Record<string, object> = {}
    let longest = 0
    for (const name of Object.keys(hostileTexts).filter((one) => only.some((part) => one.includes(part)))) {
      const opened = await held(browser, built, 'open-hostile', name)
      const plain = await held(browser, built, 'open-plain', name)
      const streamed = await held(browser, built, 'stream-hostile', name)
      longest = Math.max(longest, opened.longestMs, streamed.longestMs)
      shapes[name] = {
        opened: opened.longestMs,
        streamed: streamed.longestMs,
        plain: plain.longestMs,
        own: { opened: opened.ownMs, streamed: streamed.ownMs, plain: plain.ownMs },
        nodes: opened.nodes,
      }
      process.stderr.write(`${name}: ${JSON.stringify(shapes[name])}\n`)
    }
    return { 'longest task, ms': { promised, measured: longest }, shapes }
  } finally {
    await browser.close()
    await built.close()
  }
}
