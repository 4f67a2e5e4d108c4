import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mostCompletions } from '#app/shared-folders.ts'
import { completeFolder } from '../../requests/personal-requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'assent-complete-'))
for (const name of ['Notes', 'notices', 'other', '.hidden', 'many']) mkdirSync(join(folder, name))
for (let i = 0; i <= mostCompletions; i += 1) mkdirSync(join(folder, 'many', `n${String(i).padStart(3, '0')}`))
writeFileSync(join(folder, 'notes.txt'), '')
symlinkSync(join(folder, 'other'), join(folder, 'not-a-copy'), 'junction')
symlinkSync(join(folder, 'notes.txt'), join(folder, 'not-a-folder'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('completeFolder', () => {
  it.each<[string, string[]]>([
    ['no', ['not-a-copy', 'Notes', 'notices']],
    ['NOTI', ['notices']],
    ['', ['many', 'not-a-copy', 'Notes', 'notices', 'other']],
    ['.', ['.hidden']],
    ['nothing-begins-so', []],
    ['notes.txt/', []],
    ['gone/x', []],
  ])('%j becomes the folders that begin so, and nothing else', async (typed, names) => {
    expect(await completeFolder(`${folder}/${typed}`)).toEqual({ folders: names.map((name) => `${folder}/${name}/`), more: false })
  })

  it('has files too where one is asked for', async () => {
    const { folders } = await completeFolder(`${folder}/not`, true)
    expect(folders).toEqual(['not-a-copy/', 'not-a-folder', 'notes.txt', 'Notes/', 'notices/'].map((name) => `${folder}/${name}`))
  })

  it('is bounded, and says that there are more', async () => {
    const { folders, more } = await completeFolder(`${folder}/many/n`)
    expect([folders.length, folders[0], more]).toEqual([mostCompletions, `${folder}/many/n000/`, true])
  })

  it.each(['', 'no', 'main/', './', '~nobody/'])('%j is not the beginning of a whole path', async (typed) => {
    expect(await completeFolder(typed)).toEqual({ folders: [], more: false })
  })

  it('takes ~ for the person’s own, and leaves it as it was typed', async () => {
    const { folders } = await completeFolder('~/')
    expect(folders.every((path) => path.startsWith('~/'))).toBe(true)
    expect((await completeFolder(`${homedir()}/`)).folders).toHaveLength(folders.length)
  })
})
