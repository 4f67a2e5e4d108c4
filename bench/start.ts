// From the start of the web shell's process to a message field that can be written in, with an empty profile and with one of a million
// messages, by turns. ASSENT_BENCH_MESSAGES makes it fewer; ASSENT_BENCH_PROFILE names a folder in which the full profile is kept between runs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../scripts/browser.ts'
import { buildIfNeeded } from '../scripts/build-if-needed.ts'
import { fullProfileMessages, keptProfile } from './chats/kept.ts'
import { fillProfile } from './chats/profile.ts'
import { ratio, summarise } from './statistics.ts'
import { openWebShell } from './web-shell.ts'

const ROUNDS = 7

export async function benchStart(): Promise<object> {
  await buildIfNeeded()
  const messages = fullProfileMessages()
  const folder = mkdtempSync(join(tmpdir(), 'assent-bench-start-'))
  const kept = keptProfile(messages)
  const full = kept ?? join(folder, 'full')
  const browser = await chromium.launch({ executablePath: findBrowser().executablePath, args: [...browserArgs] })
  try {
    if (!kept) fillProfile(full, messages)
    const usable = { empty: [] as number[], full: [] as number[] }
    const linked = { empty: [] as number[], full: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const which of ['empty', 'full'] as const) {
        const shell = await openWebShell({ dataDir: which === 'full' ? full : join(folder, 'empty'), browser })
        usable[which].push(shell.usable - shell.begun)
        linked[which].push(shell.linked - shell.begun)
        await shell.close()
      }
    }
    return {
      messages,
      empty: { linkPrinted: summarise(linked.empty), usable: summarise(usable.empty) },
      full: { linkPrinted: summarise(linked.full), usable: summarise(usable.full) },
      'full beside empty': ratio(summarise(usable.full).p50Ms, summarise(usable.empty).p50Ms),
    }
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
