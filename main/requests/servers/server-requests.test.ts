import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import { saveLog } from './server-requests.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-save-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const line = (seq: number, text: string): LogLine => ({ seq, time: 0, source: 'stderr', text })
const host = (chosen: string | null) =>
  ({
    platform: { chooseFolder: async () => chosen },
    servers: { log: () => ({ lines: [line(1, '\u001b[31mnow')], dropped: 0 }), earlierLog: async () => [line(-1, 'before')] },
  }) as unknown as Parameters<typeof saveLog>[0]

it('a log is saved whole in the folder that was chosen, under a safe name, for its owner alone', async () => {
  const path = await saveLog(host(folder), '../a b')
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path])
  expect(path).toMatch(/[\\/]a-b-[\dT-]+\.log\.txt$/)
  expect(
    readFileSync(String(path), 'utf8')
      .split('\n')
      .map((each) => each.split(' ').at(-1)),
  ).toEqual(['before', 'now', ''])
})

it('nothing is written when no folder was chosen', async () => {
  expect(await saveLog(host(null), 'a')).toBeNull()
})

it('a folder that is not there is an error that names the path', async () => {
  await expect(saveLog(host(join(folder, 'none')), 'a')).rejects.toMatchObject({ code: 'folder.not-found' })
})
