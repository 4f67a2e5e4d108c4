// `unit`: pure and quick, part of `npm run check`. `integration`: real processes, sockets, SQLite and servers.
import { defineConfig } from 'vitest/config'

const ignored = ['**/node_modules/**', '**/dist/**', 'e2e/**/*.spec.ts']
const integration = [
  'main/**/*.integration.test.ts',
  'e2e/**/*.test.ts',
  'resources/**/*.integration.test.ts',
  'scripts/**/*.integration.test.ts',
]

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{app,main,preload,scripts,resources}/**/*.test.ts'],
          exclude: [...ignored, ...integration],
        },
      },
      {
        extends: true,
        test: { name: 'page', environment: 'happy-dom', include: ['renderer/**/*.test.{ts,tsx}'], exclude: ignored },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: integration,
          exclude: ignored,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
