// Texts that are made to hold the page up, in each place where a text of a model or a server can stand: an answer that is opened, one
// that streams in, a result, arguments under approval, a form, a tool's description, a log. The longest task of the page's main thread,
// in time of the processor: what else the machine does is not in it.
import { type Browser, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { type BuiltPage, openBuiltPage } from './chat/built-page.ts'
import { hostileTexts } from './chat/page/hostile-text.ts'

const promised = 100
/** Functions of the page (bench/chat/page/page.tsx). */
const places = ['open-hostile', 'stream-hostile', 'result', 'arguments', 'values', 'sampling', 'form', 'description', 'log']

interface Shown {
  readonly nodes: number
}
interface Held extends Shown {
  /** Milliseconds of the longest task. Infinity: the page did not come back at all. */
  readonly ms: number
}

interface TraceEvent {
  readonly pid: number
  readonly tid: number
  readonly name: string
  readonly ph: string
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Microseconds of the processor. */
  readonly tdur?: number
}

/** Returns the processor time of the longest task after the mark, in milliseconds, of the thread that set the mark (`longestTask` in page.tsx). */
function longestSinceMark(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] }
  const mark = traceEvents.find(({ name }) => name === 'measured')
  const own = traceEvents.filter(
    ({ ph, pid, tid, ts, dur = 0 }) => ph === 'X' && pid === mark?.pid && tid === mark.tid && ts + dur >= mark.ts,
  )
  return Math.round(own.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000)
}

async function held(browser: Browser, { url }: BuiltPage, what: string, shape: string, plain = false): Promise<Held> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(`${url}?what=${what}&shape=${encodeURIComponent(shape)}${plain ? '&plain' : ''}`)
    await browser.startTracing(page, { categories: ['-*', 'toplevel', 'blink.user_timing'] })
    const shown = await Promise.race([
      page.evaluate<Shown>('window.run()'),
      new Promise<undefined>((resolve) => setTimeout(resolve, 120_000, undefined)),
    ])
    const ms = longestSinceMark((await browser.stopTracing()).toString())
    return shown ? { ms, nodes: shown.nodes } : { ms: Number.POSITIVE_INFINITY, nodes: 0 }
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
        longest = Math.max(longest, hostile.ms)
        row[place] = hostile
        if (hostile.ms <= promised) continue
        over.push(`${name}, ${place}: ${hostile.ms}`)
        row[place] = { ...hostile, 'plain text of the same size': await held(browser, built, place, name, true) }
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
