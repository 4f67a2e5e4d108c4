// The specs take the app as a fixture (e2e/fixtures/app.ts): the web shell in Chromium, or real Electron.
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e/specs',
  // What is waited for ends a wait: no walk is timed, on a busy machine neither.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  // More than there are processors: a walk waits for its servers, and for cards that arm, a third of the time.
  workers: 3,
  retries: 0,
  // Of the matrix of consent, each cell that both eras have in one of them: e2e/fixtures/matrix.ts.
  ...(process.env['ASSENT_MATRIX'] === 'half' ? { grepInvert: /@other-era/ } : {}),
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  outputDir: 'test-results/e2e',
  // A trace costs a fifth of the time: asked for where a failure has to be looked into.
  use: { trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off', screenshot: 'only-on-failure' },
})
