// The chat in the page, beside the libraries that people would otherwise take, in the same run and the same Chromium. Script
// time is Chromium's own count (`Performance.getMetrics`); each figure is the median of the rounds.
import { type Browser, chromium, type Page } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { openBuiltPage } from './chat/built-page.ts'
import { median, percentile } from './statistics.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const answerLength = 200_000

interface Mark {
  readonly scriptMs: number
  readonly frames: number
  readonly heapMb: number
}
interface Measured {
  readonly marks: readonly Mark[]
  readonly result: Readonly<Record<string, number | boolean>>
  readonly keyMs: readonly number[]
}

/** A page of its own. `typing`: keys are pressed all the while, and how long each takes to be painted is kept. */
async function measure(browser: Browser, url: string, what: string, size: number, typing = false): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    const marks: Mark[] = []
    await page.exposeBinding('mark', async (_source, frames: number) => {
      const { metrics } = await session.send('Performance.getMetrics')
      const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? Number.NaN
      marks.push({ scriptMs: metric('ScriptDuration') * 1000, frames, heapMb: metric('JSHeapUsedSize') / 1e6 })
    })
    await page.goto(`${url}?what=${what}&size=${size}`)
    const running = page.evaluate<Measured['result']>('window.run()')
    const keyMs = typing ? await typeWhile(page, running) : []
    return { marks, result: await running, keyMs }
  } finally {
    await context.close()
  }
}

async function typeWhile(page: Page, running: Promise<unknown>): Promise<number[]> {
  let over = false
  const end = (): void => {
    over = true
  }
  running.then(end, end)
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.focus()
  await page.evaluate(`(() => {
    window.keyMs = []
    document.addEventListener('input', (event) => requestAnimationFrame(() => setTimeout(() => window.keyMs.push(performance.now() - event.timeStamp))), true)
  })()`)
  while (!over) {
    await page.keyboard.press('a')
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  return await page.evaluate<number[]>('window.keyMs')
}

const scriptOf = ({ marks }: Measured): number => (marks.at(-1)?.scriptMs ?? Number.NaN) - (marks[0]?.scriptMs ?? Number.NaN)

/** Script time a frame in a quarter of the stream, counted from 1. */
function perFrame({ marks }: Measured, quarter: number): number {
  const [from, to] = [marks[quarter - 1], marks[quarter]]
  return from && to ? (to.scriptMs - from.scriptMs) / Math.max(1, to.frames - from.frames) : Number.NaN
}

const round = (value: number): number => Math.round(value * 1000) / 1000
const middle = (all: readonly Measured[], of: (one: Measured) => number): number => median(all.map(of))

async function streaming(browser: Browser, url: string): Promise<object> {
  const ours: Measured[] = []
  const theirs: Measured[] = []
  const theirsPaced: Measured[] = []
  for (let index = 0; index < rounds; index++) {
    ours.push(await measure(browser, url, 'stream-assent', answerLength))
    theirs.push(await measure(browser, url, 'stream-streamdown', answerLength))
    theirsPaced.push(await measure(browser, url, 'stream-streamdown-50', answerLength))
  }
  const typed = await measure(browser, url, 'stream-assent', answerLength, true)
  return {
    'script ms': {
      assent: round(middle(ours, scriptOf)),
      streamdown: round(middle(theirs, scriptOf)),
      'streamdown, a commit every 50 ms as ours': round(middle(theirsPaced, scriptOf)),
    },
    'script time beside streamdown': { promised: 0.25, measured: round(middle(ours, scriptOf) / middle(theirs, scriptOf)) },
    'script time beside streamdown at our pace': round(middle(ours, scriptOf) / middle(theirsPaced, scriptOf)),
    'last quarter beside the first, per frame': {
      promised: 1.5,
      measured: round(middle(ours, (one) => perFrame(one, 4) / perFrame(one, 1))),
    },
    'selection survives': {
      inText: ours.every(({ result }) => result['selectionInText']),
      inCode: ours.every(({ result }) => result['selectionInCode']),
    },
    'typing, key to painted, ms': {
      p50: round(percentile(typed.keyMs, 0.5)),
      p95: round(percentile(typed.keyMs, 0.95)),
      keys: typed.keyMs.length,
    },
  }
}

async function opening(browser: Browser, url: string): Promise<object> {
  const sizes = { ten: 10, thousands: 2000, most: 10_000 }
  const ours: Record<keyof typeof sizes, Measured[]> = { ten: [], thousands: [], most: [] }
  const theirs: Measured[] = []
  for (let index = 0; index < rounds; index++) {
    for (const name of Object.keys(sizes) as (keyof typeof sizes)[])
      ours[name].push(await measure(browser, url, 'open-assent', sizes[name]))
    theirs.push(await measure(browser, url, 'open-react-markdown', sizes.thousands))
  }
  const scrolled = await measure(browser, url, 'scroll-assent', sizes.thousands)
  const ms = (one: Measured): number => Number(one.result['ms'])
  return {
    ms: {
      '10 messages': round(middle(ours.ten, ms)),
      '2,000 messages': round(middle(ours.thousands, ms)),
      '10,000 messages': round(middle(ours.most, ms)),
      '2,000 messages, react-markdown, not virtualised': round(middle(theirs, ms)),
    },
    'DOM nodes at 2,000': { assent: ours.thousands[0]?.result['nodes'], 'react-markdown': theirs[0]?.result['nodes'] },
    '2,000 beside react-markdown': { promised: 0.06, measured: round(middle(ours.thousands, ms) / middle(theirs, ms)) },
    '10,000 beside 10': { promised: 1.5, measured: round(middle(ours.most, ms) / middle(ours.ten, ms)) },
    'heap after 2,000 messages scrolled, MB': {
      before: round(scrolled.marks[0]?.heapMb ?? Number.NaN),
      after: round(scrolled.marks.at(-1)?.heapMb ?? Number.NaN),
      nodes: scrolled.result['nodes'],
    },
  }
}

export async function benchChat(): Promise<object> {
  const built = await openBuiltPage()
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    return { streaming: await streaming(browser, built.url), opening: await opening(browser, built.url) }
  } finally {
    await browser.close()
    await built.close()
  }
}
