// What is written beside the conversations while a host lives: the servers file, a draft, a setting, each with a number that
// grows. After a kill each has the last number that was acknowledged, or one that was asked for since.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './page.ts'

interface Kind {
  write(page: Page, number: number): Promise<unknown>
  /** Undefined: what is there is nothing that was ever written. */
  read(page: Page): Promise<number | undefined>
}

export interface Written {
  /** Resolves when one of them, by `draw` from 0 to 1, is acknowledged. */
  write(page: Page, draw: number): Promise<void>
  /** What is not as it should be, in words. */
  wrong(page: Page): Promise<string[]>
}

const draftOf = (number: number): string => `draft ${number} `.repeat(300)
const leastTimeoutMs = 60_000

export function createWritten(dataDir: string, fileOf: (version: number) => string): Written {
  const kinds: Readonly<Record<string, Kind>> = {
    'servers file': {
      write: (page, number) => page.request('config.save', { text: fileOf(number) }),
      async read(page) {
        const text = readFileSync(join(dataDir, 'servers.json'), 'utf8')
        const number = Number(/^\/\/ version (\d+)\n/.exec(text)?.[1])
        const { problems } = await page.request('config.get', {})
        return text === fileOf(number) && problems.length === 0 ? number : undefined
      },
    },
    draft: {
      write: (page, number) => page.request('draft.set', { text: draftOf(number) }),
      async read(page) {
        const text = (await page.request('app.snapshot', {})).drafts[''] ?? draftOf(0)
        const number = Number(/^draft (\d+) /.exec(text)?.[1])
        return text === draftOf(number) ? number : undefined
      },
    },
    setting: {
      write: (page, number) => page.request('settings.set', { callTimeoutMs: leastTimeoutMs + number }),
      read: async (page) => (await page.request('app.snapshot', {})).settings.callTimeoutMs - leastTimeoutMs,
    },
  }
  const names = Object.keys(kinds)
  const asked = new Map<string, number>()
  const kept = new Map<string, number>()
  return {
    async write(page, draw) {
      const name = names[Math.floor(draw * names.length)] ?? ''
      const number = (asked.get(name) ?? 0) + 1
      asked.set(name, number)
      await kinds[name]?.write(page, number)
      kept.set(name, number)
    },
    async wrong(page) {
      const wrong: string[] = []
      for (const [name, kind] of Object.entries(kinds)) {
        const number = await kind.read(page)
        if (number === undefined || number < (kept.get(name) ?? 0) || number > (asked.get(name) ?? 0))
          wrong.push(`the ${name} is ${number === undefined ? 'broken' : `number ${number}, and ${kept.get(name)} was acknowledged`}`)
      }
      return wrong
    },
  }
}
