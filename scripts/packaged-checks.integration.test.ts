// The checks of a packaged app, asked of a host under plain Node: here they prove themselves, in the app they prove Electron.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestHost } from '#main/host/host.testing.ts'
import { checkHost, prepareProfile } from './packaged-checks.ts'

test('every check of the packaged app holds for a host under Node', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assent-checks-'))
  prepareProfile(dataDir, process.execPath)
  const test = makeTestHost({ dataDir })
  const said: string[] = []
  try {
    await checkHost(
      (name, params) => test.host.request(name, params),
      (line) => said.push(line),
    )
  } finally {
    await test.remove()
    rmSync(dataDir, { recursive: true, force: true })
  }
  expect(said).toHaveLength(7)
})
