import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWatchdog } from '#main/servers/process/watchdog.ts'
import { launchBuiltin } from './node-platform.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-builtin-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.skipIf(process.platform === 'win32')('the demo server is watched by the guard, so that it ends with a host that is killed', async () => {
  const guard = createWatchdog()
  const server = launchBuiltin('demo', { ASSENT_DEMO_DIR: folder }, { watches: [guard] })
  await server.transport.start()
  await guard.dispose()
  expect(await server.exited).toMatchObject({ code: null, signal: 'SIGTERM' })
})
