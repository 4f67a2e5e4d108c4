import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { blobHandlers, fileNameOf } from './blob-requests.ts'
import type { HostContext } from './request-handlers.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-save-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const host = (chosen: string | null) =>
  blobHandlers({
    platform: { chooseFolder: async () => chosen },
    store: { blobs: { get: (sha256: string) => (sha256 === 'a' ? { bytes: new Uint8Array([1, 2]), mimeType: 'image/png' } : undefined) } },
    viewedContents: { get: (sha256: string) => (sha256 === 'l' ? { bytes: new Uint8Array([3]), mimeType: 'text/plain' } : undefined) },
  } as unknown as HostContext)

it('bytes are saved in the folder that was chosen, and what is there stays as it is', async () => {
  const save = host(folder)['blob.save']
  expect([await save({ sha256: 'a', name: 'plan.png' }), await save({ sha256: 'a', name: 'plan.png' })]).toEqual([
    { path: join(folder, 'plan.png') },
    { path: join(folder, 'plan 2.png') },
  ])
  expect([...readFileSync(join(folder, 'plan 2.png'))]).toEqual([1, 2])
})

it('a resource that is only looked at is saved too', async () => {
  expect(await host(folder)['blob.save']({ sha256: 'l', name: 'x' })).toEqual({ path: join(folder, 'x.txt') })
})

it('nothing is written without a folder, nor where there are no such bytes', async () => {
  expect(await host(null)['blob.save']({ sha256: 'a', name: 'x' })).toEqual({ path: null })
  await expect(host(folder)['blob.save']({ sha256: 'b', name: 'x' })).rejects.toMatchObject({ code: 'blob.unknown' })
  await expect(host(join(folder, 'none'))['blob.save']({ sha256: 'a', name: 'x' })).rejects.toMatchObject({ code: 'folder.not-found' })
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  ['../../.bashrc', 'application/octet-stream', 'bashrc.bin'],
  ['file:///etc/run.sh', 'application/octet-stream', 'run.sh.bin'],
  ['notes/run.sh', 'text/plain', 'run.txt'],
  ['invoices://2026/vendors.CSV', 'text/plain', 'vendors.CSV'],
  ['vendors.csv', 'image/png', 'vendors.png'],
  ['C:\\a\\evil.exe', 'image/png', 'evil.png'],
  ['a\u202egnp.exe', 'image/jpeg', 'agnp.jpg'],
  ['', 'application/pdf', 'file.pdf'],
  ['Übersicht 2.tar.gz', 'audio/wav', 'Übersicht 2.tar.wav'],
])('the name %j of %s becomes %j', (name, type, file) => {
  expect(fileNameOf(name, type)).toBe(file)
})
