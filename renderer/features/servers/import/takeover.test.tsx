import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AppImportHost, AppImportServer, AppImportState } from '#app/consent/config-import.ts'
import type { ConfigImportRequest, LaunchTarget } from '#app/consent/request.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { importRows } from './import-list.tsx'

const target = (command: string): LaunchTarget => ({ transport: 'stdio', command, args: [], envNames: [] })
const server = (name: string, state: AppImportState, command = name): AppImportServer => {
  const definition: ServerDefinition = { transport: 'stdio', command, args: [], env: {}, enabled: true, start: 'needed', trusted: false }
  return { id: `${name}-${command}`, name, definition, target: target(command), secrets: [], problems: [], needs: [], state }
}
const hosts: AppImportHost[] = [
  {
    host: 'cursor',
    files: [
      {
        path: '/home/ada/.cursor/mcp.json',
        servers: [
          server('fresh', { kind: 'new' }),
          server('files', { kind: 'different', here: target('here') }, 'there'),
          server('old', { kind: 'same', as: 'older' }),
        ],
        problems: [{ file: '/home/ada/.cursor/mcp.json', line: 7, column: 3, server: 'bad', message: 'It is broken.', remedy: 'Mend it.' }],
      },
    ],
  },
  {
    host: 'zed',
    files: [
      {
        path: '/z',
        servers: [{ ...server('fresh', { kind: 'new' }), id: 'zed-fresh' }, server('fresh', { kind: 'new' }, 'other')],
        problems: [],
      },
    ],
  },
]
const request: ConfigImportRequest = {
  id: 'r1',
  kind: 'config-import',
  createdAt: 1,
  server: 'Cursor',
  why: { kind: 'person-asks' },
  servers: [{ name: 'fresh', from: 'Cursor', file: '/c', target: target('fresh'), secrets: ['KEY'] }],
}

it('chooses what is new, waits for a word on what is another here, and leaves out what is here', () => {
  const rows = importRows(hosts, ['files', 'older'], new Map())
  expect(rows.map(({ name, chosen, known }) => [name, chosen, known !== undefined])).toEqual([
    ['fresh', true, false],
    ['files-2', false, false],
    ['old', false, true],
    ['fresh', false, true],
    ['fresh-2', true, false],
  ])
})

it('refuses a name that is taken, here or in the list', () => {
  const changes = new Map([
    ['fresh-fresh', { name: 'files' }],
    ['fresh-other', { name: 'files-2' }],
    ['files-there', { chosen: true }],
  ])
  const errors = importRows(hosts, ['files'], changes).map(({ error }) => error !== undefined)
  expect(errors).toEqual([true, true, false, false, true])
})

it('marks a name that could be taken for one that is here, and waits for a word on it', () => {
  const found: AppImportHost[] = [
    {
      host: 'cursor',
      files: [{ path: '/c', servers: [server('githυb', { kind: 'new' }), server('notes', { kind: 'new' })], problems: [] }],
    },
  ]
  const rows = importRows(found, ['github'], new Map())
  expect(rows.map(({ name, chosen, alike }) => [name, chosen, alike])).toEqual([
    ['githυb', false, ['github']],
    ['notes', true, []],
  ])
  const renamed = importRows(found, ['github'], new Map([['githυb-githυb', { name: 'mine', chosen: true }]]))
  expect(renamed[0]).toMatchObject({ name: 'mine', chosen: true, alike: [] })
})

it('is offered where nothing is set up yet: the programs that have servers, each with how many', async () => {
  const link = createFakeConnection({
    snapshot: { servers: [] },
    answers: { 'appImport.look': () => ({ hosts }), 'appImport.take': () => new Promise<never>(() => undefined) },
  })
  renderAt(link, '#/servers')
  fireEvent.click(await screen.findByRole('button', { name: 'Cursor 2' }))
  const dialog = await screen.findByRole('dialog', { name: 'Import servers' })
  await within(dialog).findByRole('region', { name: 'Cursor' })
  expect(within(dialog).queryByRole('region', { name: 'Zed' })).toBeNull()
})

it('looks in a folder that the person names, and shows what is there alone', async () => {
  const [, zed] = hosts
  const inBooks: AppImportHost = {
    host: 'zed',
    files: [{ path: '/books/.zed/settings.json', servers: [server('here', { kind: 'new' })], problems: [], asked: true }],
  }
  const link = createFakeConnection({
    answers: { 'appImport.look': ({ place }) => ({ hosts: place === undefined || !zed ? hosts : [inBooks, zed] }) },
  })
  renderAt(link, '#/servers//takeover')
  const dialog = await screen.findByRole('dialog')
  fireEvent.change(await within(dialog).findByLabelText(/^Or choose a project/), { target: { value: '/books' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(link.paramsOf('appImport.take').at(-1)?.servers).toMatchObject([{ name: 'here' }]))
  expect(link.paramsOf('appImport.look').at(-1)).toEqual({ place: '/books' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Show those of other apps too' }))
  await waitFor(() => expect(link.paramsOf('appImport.take').at(-1)?.servers).toMatchObject([{ name: 'fresh' }, { name: 'fresh-2' }]))
})

it('asks once for what is chosen, each with its start, and goes to the server that was written', async () => {
  const answered = Promise.withResolvers<{ outcome: 'allowed'; taken: string[]; failed: [] }>()
  const link = createFakeConnection({
    snapshot: { servers: [makeServer()] },
    answers: {
      'appImport.look': () => ({ hosts }),
      'appImport.take': () => answered.promise,
      'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }),
      'server.log': () => ({ lines: [], dropped: 0 }),
    },
  })
  renderAt(link, '#/servers//takeover')
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText(/Line 7/)
  await waitFor(() => expect(link.paramsOf('appImport.take')).toHaveLength(1))
  // Another of the name is here: it takes its place only when the person says so, and then it is asked anew.
  fireEvent.click(within(dialog).getByRole('radio', { name: 'Replace' }))
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'Import “files”' }))
  await waitFor(() => expect(link.paramsOf('appImport.take')).toHaveLength(2))
  expect(link.paramsOf('appImport.take').map(({ servers }) => servers)).toEqual([
    [
      { id: 'fresh-fresh', name: 'fresh', replace: false },
      { id: 'fresh-other', name: 'fresh-2', replace: false },
    ],
    [
      { id: 'fresh-fresh', name: 'fresh', replace: false },
      { id: 'files-there', name: 'files', replace: true },
      { id: 'fresh-other', name: 'fresh-2', replace: false },
    ],
  ])
  link.tell('consent.opened', { request })
  // The command stands there once.
  expect(await within(dialog).findAllByText('Program')).toHaveLength(1)
  fireEvent.click(within(dialog).getByRole('button', { name: /Don’t import/ }))
  await waitFor(() => expect(link.paramsOf('consent.answer')).toEqual([{ id: 'r1', answer: { kind: 'deny' } }]))
  answered.resolve({ outcome: 'allowed', taken: ['fresh'], failed: [] })
  await waitFor(() => expect(window.location.hash).toBe('#/servers/fresh'))
})

it('a server that is renamed in the review is asked about anew, under a name that is free', async () => {
  const link = createFakeConnection({
    answers: { 'appImport.look': () => ({ hosts }), 'appImport.take': () => new Promise<never>(() => undefined) },
  })
  renderAt(link, '#/servers//takeover')
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(link.paramsOf('appImport.take')).toHaveLength(1))
  link.tell('consent.opened', { request })
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Rename “fresh”' }))
  const name = within(dialog).getByRole('textbox', { name: 'Name of “fresh”' })
  fireEvent.change(name, { target: { value: 'fresh-2' } })
  fireEvent.keyDown(name, { key: 'Enter' })
  expect(await within(dialog).findByText(/“fresh-2” already/)).toBeTruthy()
  fireEvent.change(name, { target: { value: 'mine' } })
  fireEvent.keyDown(name, { key: 'Enter' })
  await waitFor(() => expect(link.paramsOf('appImport.take').at(-1)?.servers[0]).toMatchObject({ name: 'mine' }))
})
