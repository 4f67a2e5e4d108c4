// Texts that are made to hold the page up, in each place where a text of a model or a server can stand: an answer that is opened, one
// that streams in, a result, arguments under approval, a form, a tool's description, a log. The longest task of the page's main thread,
// in time of the processor: what else the machine does is not in it.
import { type Browser, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { type BuiltPage, openBuiltPage } from './chat/built-page.ts'
import { hostileTexts } from './chat/page/hostile-text.ts'

const promised = 100
/** Functions of the page (bench/chat/page/page.tsx). */
const places = [
  'open-hostile',
  'stream-hostile',
  'result',
  'arguments',
  'values',
  'result of texts',
  'arguments of texts',
  'sampling of texts',
  'form of texts',
  'launch of texts',
  'sampling',
  'form',
  'description',
  'log',
]

interface Shown {
  readonly nodes: number
}
interface Held extends Shown {
  /** Milliseconds of the longest task. Infinity: the page did not come back at all. */
  readonly ms: number
  /** Milliseconds while further cases ran, which shared the processor's caches. */
  readonly 'beside others'?: number
  readonly 'plain text of the same size'?: Held
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
    await page.goto(`${url}?what=${encodeURIComponent(what)}&shape=${encodeURIComponent(shape)}${plain ? '&plain' : ''}`)
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

interface Case {
  readonly shape: string
  readonly place: string
}
/** Most of a case is waiting for frames and for rest, so that several run at once, each in a browser of its own. */
const browsersAtOnce = 4

async function inBrowser<T>(play: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    return await play(browser)
  } finally {
    await browser.close()
  }
}

/** Measures all cases, several at once. Those over the promise are measured anew, alone. */
async function measured(built: BuiltPage, cases: readonly Case[]): Promise<ReadonlyMap<Case, Held>> {
  const first = new Map<Case, Held>()
  const rest = cases.values()
  const lane = async (browser: Browser): Promise<void> => {
    for (const one of rest) {
      const result = await held(browser, built, one.place, one.shape)
      first.set(one, result)
      process.stderr.write(`${one.shape}, ${one.place}: ${result.ms} ms\n`)
    }
  }
  await Promise.all(Array.from({ length: browsersAtOnce }, () => inBrowser(lane)))
  return inBrowser(async (browser) => {
    const rows = new Map<Case, Held>(first)
    for (const [one, { ms }] of first) {
      if (ms <= promised) continue
      const alone = await held(browser, built, one.place, one.shape)
      process.stderr.write(`alone: ${one.shape}, ${one.place}: ${alone.ms} ms\n`)
      const plain = alone.ms <= promised ? {} : { 'plain text of the same size': await held(browser, built, one.place, one.shape, true) }
      rows.set(one, { ...alone, 'beside others': ms, ...plain })
    }
    return rows
  })
}

export async function benchHostile(): Promise<object> {
  const built = await openBuiltPage()
  try {
    const cases = wanted('BENCH_SHAPE', Object.keys(hostileTexts)).flatMap((shape) =>
      wanted('BENCH_PLACE', places).map((place): Case => ({ shape, place })),
    )
    const shapes: Record<string, Record<string, object>> = {}
    const over: string[] = []
    let longest = 0
    for (const [{ shape, place }, row] of await measured(built, cases)) {
      const { ms } = row
      longest = Math.max(longest, ms)
      if (ms > promised) over.push(`${shape}, ${place}: ${ms}`)
      shapes[shape] = { ...shapes[shape], [place]: row }
    }
    return { 'longest task, ms': { promised, measured: longest }, over, shapes }
  } finally {
    await built.close()
  }
}
