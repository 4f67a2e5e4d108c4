import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { FolderOwner } from '#app/shared-folders.ts'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { FolderList, useFolders } from './folder-list.tsx'

afterEach(cleanup)

const owner: FolderOwner = { kind: 'server', name: 'files' }
function List() {
  return <FolderList folders={useFolders(owner)} title="Folders" none="None." />
}

async function offering(
  paths: readonly string[],
  answers: FakeAnswers = {},
  { gone = '', canChooseFolder = false } = {},
): Promise<FakeConnection> {
  const { shell } = makeSnapshot()
  const link = createFakeConnection({
    snapshot: { shell: { ...shell, canChooseFolder } },
    answers: {
      'folder.list': () => ({ folders: paths.map((path) => ({ path, there: path !== gone })), told: [] }),
      'folder.set': () => ({}),
      'folder.complete': () => ({ folders: [], more: false }),
      ...answers,
    },
  })
  await renderWith(<List />, link)
  await waitFor(() => expect(link.paramsOf('folder.list')).toHaveLength(1))
  return link
}
const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Folder' })
const set = (connection: FakeConnection, paths: readonly string[]) =>
  waitFor(() => expect(connection.paramsOf('folder.set')).toEqual([{ owner, paths }]))

it('are added by typing where there is no picker', async () => {
  const link = await offering(['/home/maya/books'])
  await screen.findByText('/home/maya/books')
  fireEvent.change(await field(), { target: { value: '/home/maya/invoices' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  await set(link, ['/home/maya/books', '/home/maya/invoices'])
  await waitFor(async () => expect((await field()).value).toBe(''))
})

it('lists what a path may become, and asks for nothing before it is a path', async () => {
  const link = await offering([], { 'folder.complete': () => ({ folders: ['/home/maya/a\u202eb/'], more: true }) })
  fireEvent.change(await field(), { target: { value: 'ho' } })
  fireEvent.change(await field(), { target: { value: '/home/maya/' } })
  await waitFor(() => expect(document.querySelector('datalist option')?.getAttribute('value')).toBe('/home/maya/a\u202eb/'))
  expect(document.querySelector('datalist option')?.getAttribute('label')).not.toContain('\u202e')
  expect(link.paramsOf('folder.complete')).toEqual([{ typed: '/home/maya/' }])
})

it('that are not there are refused in place, and what was typed stays', async () => {
  await offering([], {
    'folder.set': () => {
      throw new HostError('folder.not-found', 'There is no folder /nowhere.')
    },
  })
  fireEvent.change(await field(), { target: { value: '/nowhere' } })
  fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBe('true'))
  expect((await field()).value).toBe('/nowhere')
})

it('are chosen where there is a picker', async () => {
  const link = await offering([], { 'app.chooseFolder': () => ({ path: '/home/maya/chosen' }) }, { canChooseFolder: true })
  fireEvent.click(await screen.findByRole('button', { name: 'Add folder' }))
  await set(link, ['/home/maya/chosen'])
  expect(screen.queryByRole('combobox')).toBeNull()
})

it('are removed', async () => {
  const link = await offering(['/a', '/b'])
  fireEvent.click(await screen.findByRole('button', { name: 'Remove /a' }))
  await set(link, ['/b'])
})

it('that vanished are marked, and stay until they are removed', async () => {
  await offering(['/a', '/b'], {}, { gone: '/b' })
  const [here, gone] = await screen.findAllByRole('listitem')
  expect([here?.querySelector('.err'), gone?.querySelector('.err')?.textContent]).toEqual([null, expect.any(String)])
})
