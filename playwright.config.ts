// The specs take the app as a fixture (e2e/fixtures/app.ts): the web shell in Chromium, or real Electron.
import { relative, resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { fullOnly } from './e2e/full-only.ts'
import { leftOutHere } from './e2e/posix-only.ts'
import './e2e/windows-cleanup.ts'

/** `npm test`: without what e2e/full-only.ts lists, and of the matrix of consent with one cell in five of those that both eras have. */
const quick = process.env['ASSENT_TESTS'] === 'quick'
const specs = fullOnly.filter(({ file }) => file.startsWith('e2e/specs/'))
const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const leftOut = [
  /@full-cell/,
  ...specs.flatMap(({ file, titles = [] }) =>
    titles.map((title) => new RegExp(`${literally(relative('e2e/specs', file))}.* ${literally(title)}`)),
  ),
]

export default defineConfig({
  testDir: 'e2e/specs',
  // What is waited for ends a wait: no walk is timed, on a busy machine neither.
  timeout: 600_000,
  // A server may take as long to start beside all other tests.
  expect: { timeout: 120_000 },
  fullyParallel: true,
  // More than there are processors: a walk waits for its servers, and for cards that arm, a third of the time.
  workers: 3,
  retries: 0,
  testIgnore: [...(quick ? specs.filter(({ titles }) => !titles).map(({ file }) => file) : []), ...leftOutHere()].map((file) =>
    resolve(file),
  ),
  ...(quick ? { grepInvert: leftOut } : {}),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: 'test-results/e2e',
  // A trace costs a fifth of the time: asked for where a failure has to be looked into.
  use: { trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off', screenshot: 'only-on-failure' },
})
