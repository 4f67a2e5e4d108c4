// Texts that are made to hold the page up, in each place where a text of a model or a server can stand: an answer that is opened, one
// that streams in, a result, arguments under approval, a form, a tool's description, a log. The longest task of the page, beside plain
// text of the same size in the same place and run.
import { type Browser, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { type BuiltPage, openBuiltPage } from './chat/built-page.ts'
import { hostileTexts } from './chat/page/hostile-text.ts'

const promised = 100
/** Functions of the page (bench/chat/page/page.tsx). */
const places = ['open-hostile', 'stream-hostile', 'result', 'arguments', 'form', 'description', 'log']

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
async function held(browser: Browser, { url }: BuiltPage, what: string, shape: string, plain = false): Promise<Held> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(`${url}?what=${what}&shape=${encodeURIComponent(shape)}${plain ? '&plain' : ''}`)
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

/** `BENCH_SHAPE`, `BENCH_PLACE`: those alone whose name holds one of these, which a `|` parts. */
const wanted = (variable: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => (process.env[variable] ?? '').split('|').some((part) => name.includes(part)))

export async function benchHostile(): Promise<object> {
  const built = await openBuiltPage()
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    const shapes: Record<string, object> = {}
    const over: string[] = []
    let longest = 0
    for (const name of wanted('BENCH_SHAPE', Object.keys(hostileTexts))) {
      const row: Record<string, object> = {}
      for (const place of wanted('BENCH_PLACE', places)) {
        const hostile = await held(browser, built, place, name)
        const plain = await held(browser, built, place, name, true)
        // A task that the machine interrupts for others is longer than it holds the page by itself.
        const ms = Math.min(hostile.longestMs, hostile.ownMs)
        longest = Math.max(longest, ms)
        if (ms > promised) over.push(`${name}, ${place}: ${ms}`)
        row[place] = {
          ms: hostile.longestMs,
          ownMs: hostile.ownMs,
          nodes: hostile.nodes,
          plain: { ms: plain.longestMs, ownMs: plain.ownMs },
        }
      }
      shapes[name] = row
      process.stderr.write(`${name}: ${JSON.stringify(row)}\n`)
    }
    return { 'longest task, ms': { promised, measured: longest }, over, shapes }
  } finally {
    await browser.close()
    await built.close()
  }
}
