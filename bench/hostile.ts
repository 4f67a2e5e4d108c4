// Texts that are made to hold the page up, as an answer that is opened and as one that streams in: the longest task of the page,
// beside plain text of the same size in the same run.
import { type Browser, chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { type BuiltPage, openBuiltPage } from './chat/built-page.ts'
import { hostileTexts } from './chat/page/hostile-text.ts'

const promised = 200

interface Held {
  readonly longestMs: number
  readonly nodes: number
}

/** Infinity: the page did not come back at all. */
async function held(browser: Browser, { url }: BuiltPage, what: string, shape: string): Promise<Held> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(`${url}?what=${what}&shape=${encodeURIComponent(shape)}`)
    return await Promise.race([
      page.evaluate<Held>('window.run()'),
      new Promise<Held>((resolve) => setTimeout(resolve, 60_000, { longestMs: Number.POSITIVE_INFINITY, nodes: 0 })),
    ])
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
      shapes[name] = { opened: opened.longestMs, streamed: streamed.longestMs, plain: plain.longestMs, nodes: opened.nodes }
      process.stderr.write(`${name}: ${JSON.stringify(shapes[name])}\n`)
    }
    return { 'longest task, ms': { promised, measured: longest }, shapes }
  } finally {
    await browser.close()
    await built.close()
  }
}
