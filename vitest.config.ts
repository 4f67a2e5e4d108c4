// `unit`: pure and quick, part of `npm run check`. `integration`: real processes, sockets, SQLite and servers.
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { fullOnly } from './e2e/full-only.ts'
import { leftOutHere } from './e2e/posix-only.ts'
import { realTemporary } from './scripts/memory-folder.ts'
import { lazyZod } from './vite.config.ts'

/** `npm test` leaves these to `npm run test:full`. */
const leftOut = process.env['ASSENT_TESTS'] === 'quick' ? fullOnly.flatMap(({ file, titles }) => (titles ? [] : [file])) : []
const ignored = ['**/node_modules/**', '**/dist/**', 'e2e/**/*.spec.ts', ...leftOut, ...leftOutHere()]
const integration = [
  'main/**/*.integration.test.ts',
  'e2e/**/*.test.ts',
  'resources/**/*.integration.test.ts',
  'scripts/**/*.integration.test.ts',
]

/** What stands on a fake of `electron`, or on what a page does as it loads: each file has modules of its own. */
const isolated = ['main/shell/electron/**/*.test.ts', 'preload/**/*.test.ts', 'renderer/host-connection/page-key.test.ts']

export default defineConfig({
  plugins: [lazyZod()],
  test: {
    ...(process.platform === 'win32' && { setupFiles: [resolve('e2e/windows-cleanup.ts')] }),
    reporters: ['default'],
    // Vitest would leave one processor free for the page that shows its results.
    maxWorkers: '100%',
    // What is transformed once is not again, by the next step or the next run.
    fsModuleCache: true,
    // What is waited for ends a wait: no test is timed, on a busy machine neither.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Keys that sign permissions, where there is no keyring: never in the folder of whoever runs the tests. No test asks a registry of the
    // world: a launch that is reviewed looks its package up.
    env: {
      ...realTemporary(),
      XDG_STATE_HOME: resolve('test-results/.state'),
      LOCALAPPDATA: resolve('test-results/.state'),
      npm_config_registry: 'http://127.0.0.1:9/',
      PIP_INDEX_URL: 'http://127.0.0.1:9/',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // Pure and without mocks, so files share what they import: most of the time went into importing it anew.
          isolate: false,
          include: ['{app,main,scripts,resources}/**/*.test.ts'],
          exclude: [...ignored, ...integration, ...isolated],
        },
      },
      {
        extends: true,
        test: { name: 'isolated', environment: 'node', include: isolated, exclude: [...ignored, ...integration] },
      },
      {
        extends: true,
        test: {
          name: 'page',
          environment: 'happy-dom',
          // A link to a file that is saved would be followed, and every relative address of the files that share the window with it fail.
          environmentOptions: {
            happyDOM: { settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } } },
          },
          isolate: false,
          include: ['renderer/**/*.test.{ts,tsx}'],
          exclude: [...ignored, ...isolated],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          // A whole host is hundreds of modules: each worker reads them once.
          isolate: false,
          include: integration,
          exclude: ignored,
          // Real processes take their time on a busy machine: what is waited for ends a wait, not the first second.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // More than there are processors: each waits for its servers some of the time.
          maxWorkers: 3,
          // Which it may only have as a group of its own.
          sequence: { groupOrder: 1 },
          // The programs that the tests start are compiled once (docs/notes/test-time.md).
          env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? resolve('test-results/.compiled') },
        },
      },
    ],
  },
})
