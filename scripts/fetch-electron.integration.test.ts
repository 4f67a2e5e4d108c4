import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FetchOptions, fetchElectron } from './fetch-electron.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assent-fetch-'))
  mkdirSync(join(root, 'node_modules'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** `installer`: the body of a program that stands in for Electron's own. It leaves a mark when it runs. */
function fetchWith(installer: string, options: Partial<FetchOptions> = {}) {
  const script = join(root, 'install.cjs')
  writeFileSync(script, `require('fs').writeFileSync('ran', ''); ${installer}`)
  rmSync(join(root, 'ran'), { force: true })
  return fetchElectron({ root, env: {}, installer: script, ...options })
}
const ran = (): boolean => existsSync(join(root, 'ran'))

it('fetches', async () => {
  expect([await fetchWith('process.exit(0)'), ran()]).toEqual([{ kind: 'fetched' }, true])
})

it('remembers a failed try for a day, then tries again', async () => {
  expect((await fetchWith('process.exit(1)')).kind).toBe('not')
  expect([(await fetchWith('process.exit(0)')).kind, ran()]).toEqual(['not', false])
  const tomorrow = Date.now() + 25 * 60 * 60 * 1000
  expect([(await fetchWith('process.exit(0)', { now: tomorrow })).kind, ran()]).toEqual(['fetched', true])
})

it('gives up on a download that hangs', async () => {
  expect((await fetchWith('setInterval(() => {}, 1000)', { limitMs: 500 })).kind).toBe('not')
})

it.each(['ASSENT_NO_DOWNLOAD', 'CI'])('does not try when %s is set', async (name) => {
  expect([(await fetchWith('process.exit(0)', { env: { [name]: '1' } })).kind, ran()]).toEqual(['not', false])
})
