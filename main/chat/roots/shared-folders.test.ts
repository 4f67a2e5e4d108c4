import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkedFolders } from './shared-folders.ts'

const here = import.meta.dirname

describe('checkedFolders', () => {
  it('takes folders that are there, absolute and each once', () => {
    expect(checkedFolders([`${here}/`, join(here, '..', 'roots'), tmpdir(), '~'], [])).toEqual([here, resolve(tmpdir()), homedir()])
  })

  it('keeps what was offered before, be it away for now', () => {
    expect(checkedFolders(['/no/such/drive', here], ['/no/such/drive'])).toEqual(['/no/such/drive', here])
  })

  it.each(['main/chat', join(here, 'nothing-here'), join(here, 'shared-folders.ts'), '~nobody', ''])('refuses %j', (path) => {
    expect(() => checkedFolders([path], [])).toThrow(expect.objectContaining({ code: 'folder.not-found', data: { path } }))
  })
})
