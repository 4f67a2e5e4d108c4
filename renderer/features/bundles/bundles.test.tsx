import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import type { BundleSummary } from '#app/server/bundle/bundle-summary.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { openingStore } from './open-bundle.ts'

const view: BundleSummary = {
  id: 'b1',
  file: 'notes.mcpb',
  bytes: 1000,
  files: 2,
  unpackedBytes: 5000,
  facts: {
    name: 'notes',
    displayName: 'Notes <b>bold</b>',
    version: '1.1.0',
    description: 'Keeps\u202e notes.',
    author: { name: 'Maya' },
    links: [],
    manifestVersion: '0.3',
    type: 'node',
    tools: [{ name: 'add', description: 'Adds one' }],
    toolsGenerated: true,
    prompts: [],
    promptsGenerated: false,
  },
  command: { command: 'node', args: [`\${__dirname}/i.js`], env: { TOKEN: `\${user_config.token}` } },
  concerns: [],
  fit: [{ what: 'node', fits: 'yes', has: '24.0.0' }],
  signature: { kind: 'none' },
  fields: [
    { key: 'token', type: 'string', title: 'Token', description: '', required: true, multiple: false, sensitive: true, kept: false },
    {
      key: 'folders',
      type: 'directory',
      title: 'Folders',
      description: '',
      required: false,
      multiple: true,
      sensitive: false,
      kept: false,
      value: ['/a'],
    },
    {
      key: 'limit',
      type: 'number',
      title: 'Limit',
      description: '',
      required: false,
      multiple: false,
      sensitive: false,
      kept: false,
      min: 1,
      max: 9,
      value: 3,
    },
  ],
  suggestedName: 'notes',
  updates: [],
}
const file = new File(['bytes of a bundle'], 'notes.mcpb')
const drop = (target: File = file): void => {
  const event = new Event('drop', { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { files: [target], types: ['Files'] } })
  act(() => void document.body.dispatchEvent(event))
}

beforeEach(() => openingStore.setState({ opening: { kind: 'none' }, turn: 0 }))
afterEach(cleanup)

async function open(shown: Partial<BundleSummary> = {}, more: Partial<Snapshot> = {}) {
  const link = createFakeConnection({
    snapshot: { servers: [makeServer({ name: 'taken' })], ...more },
    answers: {
      'bundle.part': () => ({}),
      'bundle.open': () => ({ ...view, ...shown }),
      'bundle.install': () => ({}),
      'bundle.update': () => ({}),
      'bundle.close': () => ({}),
      'server.start': () => ({}),
    },
  })
  renderAt(link, '#/requests')
  await screen.findByRole('heading', { name: 'Requests' })
  drop()
  await screen.findByRole('dialog', { name: /bundle/ })
  await screen.findByText('What it runs')
  return link
}
const fill = (label: RegExp, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('a bundle that is dropped on the window', () => {
  it('is shown as text, with what cannot be seen named; nothing is installed by that', async () => {
    const link = await open()
    expect([screen.getByText('Notes <b>bold</b>').tagName, document.querySelector('.bundle .reveal') !== null]).toEqual(['SPAN', true])
    expect(link.paramsOf('bundle.install')).toEqual([])
  })

  it('is installed with what was entered, and then its launch is asked for', async () => {
    const link = await open()
    fireEvent.click(screen.getByRole('button', { name: 'Install' }))
    expect(document.activeElement).toBe(screen.getByLabelText(/^Token/))
    fill(/^Token/, 's3cret')
    link.answer({ 'app.chooseFolder': () => ({ path: '/b c' }) })
    fill(/^Folders/, ' /a ')
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }))
    await screen.findByDisplayValue('/b c')
    fill(/^Limit/, '4')
    fireEvent.click(screen.getByRole('button', { name: 'Install' }))
    await waitFor(() => expect(link.paramsOf('server.start')).toEqual([{ name: 'notes' }]))
    expect(link.paramsOf('bundle.install')).toEqual([
      { id: 'b1', server: 'notes', values: { token: 's3cret', folders: ['/a', '/b c'], limit: 4 } },
    ])
  })

  it('cannot take the name of a server that is there', async () => {
    const link = await open()
    fill(/^Token/, 'x')
    fill(/^Name/, 'taken')
    fireEvent.click(screen.getByRole('button', { name: 'Install' }))
    expect([screen.getByLabelText(/^Name/).getAttribute('aria-invalid'), link.paramsOf('bundle.install')]).toEqual(['true', []])
  })

  it.each<[string, Partial<BundleSummary>]>([
    ['was changed after it was signed', { signature: { kind: 'changed' } }],
    ['does not fit', { fit: [{ what: 'system', fits: 'no', wants: 'darwin', has: 'linux' }] }],
    ['has something to read', { concerns: [{ kind: 'shell', command: 'sh' }] }],
  ])('has no filled button when it %s', async (_, shown) => {
    await open(shown)
    expect(screen.getByRole('button', { name: 'Install anyway' }).className).not.toContain('primary')
  })

  it('updates what it is of; what is from somebody else can only stand beside', async () => {
    const update = {
      version: '1.0.0',
      order: 'newer' as const,
      changes: [{ what: 'tool' as const, name: 'add', after: 'Adds' }],
      fields: [],
    }
    const link = await open({
      updates: [
        { ...update, server: 'mine', sameOrigin: true },
        { ...update, server: 'theirs', sameOrigin: false },
      ],
    })
    expect([screen.getAllByRole('radio').length, screen.getByText('Tool add: new').tagName]).toEqual([2, 'SPAN'])
    fireEvent.click(screen.getByRole('button', { name: 'Update' }))
    await waitFor(() => expect(link.paramsOf('bundle.update')).toMatchObject([{ id: 'b1', server: 'mine' }]))
  })

  it('takes paths a row each, with what each may become, and says what the host finds wrong at its field', async () => {
    const link = await open({}, { shell: { kind: 'web', os: 'linux', canChooseFolder: false, secrets: 'keyring' } })
    link.answer({
      'folder.complete': ({ typed }) => ({ folders: [`${typed}nna/`], more: false }),
      'bundle.install': () => {
        throw new HostError('bundle.values', '“Folders” has a value that cannot be used (not-whole).', {
          data: { field: 'folders', fault: 'not-whole' },
        })
      },
    })
    fill(/^Token/, 's3cret')
    fireEvent.click(screen.getByRole('button', { name: 'Add folder' }))
    fireEvent.change(screen.getByLabelText('Folders 2'), { target: { value: '/home/a' } })
    await waitFor(() => expect(document.querySelector('datalist option[value="/home/anna/"]')).not.toBeNull())
    fireEvent.click(screen.getByRole('button', { name: 'Install' }))
    await screen.findByText('Write the whole path, from / or ~/.')
    const first = screen.getByLabelText(/^Folders$/)
    expect([
      first.getAttribute('aria-invalid'),
      document.activeElement === first,
      screen.queryByText('“Folders” has a value that cannot be used (not-whole).'),
    ]).toEqual(['true', true, null])
    fireEvent.click(screen.getByRole('button', { name: 'Remove Folders 1' }))
    expect([screen.getByLabelText(/^Folders$/).getAttribute('aria-invalid'), screen.queryByLabelText('Folders 2')]).toEqual([null, null])
    link.answer({ 'bundle.install': () => ({}) })
    fireEvent.click(screen.getByRole('button', { name: 'Install' }))
    await waitFor(() => expect(link.paramsOf('bundle.install').at(-1)?.values).toMatchObject({ folders: ['/home/a'] }))
  })

  it('is let go when it is closed', async () => {
    const link = await open()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(link.paramsOf('bundle.close')).toEqual([{ id: 'b1' }])
  })
})

it('a file that is no bundle is told why, and other files are left to others', async () => {
  const link = createFakeConnection({
    answers: {
      'bundle.part': () => ({}),
      'bundle.open': () => {
        throw new HostError('bundle.unreadable', 'The bundle was refused: it is no zip archive.')
      },
    },
  })
  renderAt(link, '#/requests')
  await screen.findByRole('heading', { name: 'Requests' })
  drop(new File(['x'], 'picture.png'))
  expect(screen.queryByRole('dialog')).toBe(null)
  drop()
  await screen.findByText('The bundle was refused: it is no zip archive.')
})

describe('what asks from outside', () => {
  const config = encodeURIComponent(JSON.stringify({ command: 'npx', args: ['-y', 'x'] }))
  const items = (...texts: readonly string[]) => texts.map((text, index) => ({ kind: 'link' as const, id: `o${index}`, text }))

  it('waits in a bar, one at a time, and takes no focus', async () => {
    const link = createFakeConnection({
      snapshot: { outside: items('assent://evil/run', 'assent://other') },
      answers: { 'deepLink.dismiss': () => ({}) },
    })
    renderAt(link, '#/requests')
    await screen.findByRole('heading', { name: 'Requests' })
    const before = document.activeElement
    expect(screen.getAllByRole('button', { name: 'Dismiss' }).length).toBe(1)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    act(() => link.tell('deepLinks.changed', { items: items(`assent://install?name=a&config=${config}`) }))
    expect([link.paramsOf('deepLink.dismiss'), document.activeElement, screen.queryByRole('dialog')]).toEqual([
      [{ id: 'o0' }],
      before,
      null,
    ])
  })

  it('leads, at a press, to the screen that adds a server, with exactly what the link carries and nothing done', async () => {
    const text = `assent://install?name=a&config=${config}`
    const link = createFakeConnection({ answers: { 'deepLink.dismiss': () => ({}) } })
    renderAt(link, '#/requests')
    await screen.findByRole('heading', { name: 'Requests' })
    act(() => link.tell('deepLinks.changed', { items: items(text) }))
    fireEvent.click(await screen.findByRole('button', { name: 'Review…' }))
    act(() => link.tell('deepLinks.changed', { items: [] }))
    const dialog = await screen.findByRole('dialog', { name: 'Add server' })
    expect(dialog.textContent).toMatch(/a link that another program opened.*npx -y x/s)
    expect([screen.queryByRole('button', { name: 'Review…' }), link.paramsOf('deepLink.dismiss')]).toEqual([null, [{ id: 'o0' }]])
    const done = link.asked.map(({ name }) => name).filter((name) => name === 'server.save' || name === 'server.start')
    expect(done).toEqual([])
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() =>
      expect(link.paramsOf('server.save')).toMatchObject([{ name: 'a', definition: { command: 'npx', args: ['-y', 'x'] } }]),
    )
  })
})
