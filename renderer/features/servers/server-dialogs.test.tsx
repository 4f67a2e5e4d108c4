import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { navigate } from '#renderer/router.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { openAddServer } from './open-add-server.ts'

const noLists = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }
const open = (hash: string, answers: FakeAnswers = {}, server: ServerSummary = makeServer()): FakeConnection => {
  const link = createFakeConnection({
    snapshot: { servers: [server] },
    answers: { 'server.catalogue': () => noLists, 'server.log': () => ({ lines: [], dropped: 0 }), ...answers },
  })
  renderAt(link, hash)
  return link
}
const dialog = () => screen.findByRole('dialog')
const paste = async (text: string): Promise<void> => {
  fireEvent.change(within(await dialog()).getByLabelText(/Paste anything/), { target: { value: text } })
  await screen.findByText(/^Found/)
}
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name }))
}
const names = (connection: FakeConnection): string[] =>
  connection.asked.map((one) => one.name).filter((name) => name === 'server.save' || name === 'server.start')
const notes: StdioDefinition = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'notes-mcp'],
  env: {},
  enabled: true,
  start: 'needed',
  trusted: false,
}

describe('adding a server', () => {
  it('reads a command line, saves it under its name, and only then asks for its start', async () => {
    const link = open('#/servers//add')
    await paste('npx -y notes-mcp')
    expect(names(link)).toEqual([])
    await press('Continue')
    await waitFor(() => expect(names(link)).toEqual(['server.save', 'server.start']))
    expect(link.paramsOf('server.save')).toEqual([{ name: 'notes', definition: notes }])
    expect(window.location.hash).toBe('#/servers/notes')
  })

  it('lets the host read JSON, names problems with their line, and adds what is chosen', async () => {
    const servers = ['one', 'two', 'files'].map((name) => ({ name, definition: notes, secrets: [], problems: [] }))
    const problems = [{ file: 'paste', line: 7, message: 'No command.', remedy: 'Add one.' }]
    const link = open('#/servers//add', { 'config.parse': () => ({ format: 'mcp-servers', servers, inputs: [], problems }) })
    await paste('{ "mcpServers": {} }')
    await screen.findByText(/Line 7/)
    // "files" is there already, so it gets a free name; "two" is not wanted.
    fireEvent.click(screen.getByRole('checkbox', { name: 'Add two' }))
    await press('Add 2 servers')
    await waitFor(() => expect(link.paramsOf('server.start').length).toBe(2))
    expect(link.paramsOf('server.save').map(({ name }) => name)).toEqual(['one', 'files-2'])
  })

  it('looks at a site for the servers that it names when it is told to, not before', async () => {
    const definition = { ...notes, transport: 'streamable-http' as const, url: 'https://mcp.example.com/mcp', headers: {} }
    const found = { name: 'weather', definition, secrets: [], problems: [] }
    const discovered = {
      format: 'url' as const,
      servers: [found],
      inputs: [],
      problems: [{ file: 'example.com', message: 'There are more.', remedy: '' }],
    }
    const link = open('#/servers//add', { 'config.discover': () => discovered })
    await paste('example.com')
    await screen.findByText(/name servers/)
    expect(link.paramsOf('config.discover')).toEqual([])
    await press('Search')
    await screen.findByDisplayValue('weather')
    expect(link.paramsOf('config.discover')).toEqual([{ site: 'https://example.com' }])
    await screen.findByText(/There are more/)
    // Another text is another question.
    await paste('npx -y notes-mcp')
    await waitFor(() => expect(screen.queryByText(/name servers/)).toBeNull())
  })

  it('opens with what another part of the page brings, and without it the next time', async () => {
    open('#/servers')
    act(() => openAddServer({ kind: 'text', text: 'npx -y notes-mcp' }))
    await screen.findByDisplayValue('notes')
    await press('Cancel')
    act(() => openAddServer())
    await dialog()
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Paste anything/).value).toBe('')
  })

  it('does not add under a name that is taken', async () => {
    const link = open('#/servers//add')
    await paste('npx -y notes-mcp')
    fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'files' } })
    await press('Continue')
    expect(names(link)).toEqual([])
    expect(screen.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true')
  })

  it('stays open with the reason when the host refuses, and starts nothing', async () => {
    const link = open('#/servers//add', {
      'server.save': () => {
        throw new HostError('profile.unwritable', 'servers.json was not written.')
      },
    })
    await paste('npx -y notes-mcp')
    await press('Continue')
    await within(await dialog()).findByText('servers.json was not written.')
    expect(names(link)).toEqual(['server.save'])
  })

  it('goes on with the rest when one of several could not be saved', async () => {
    let refuse = true
    const servers = ['one', 'two'].map((name) => ({ name, definition: notes, secrets: [], problems: [] }))
    const link = open('#/servers//add', {
      'config.parse': () => ({ format: 'mcp-servers', servers, inputs: [], problems: [] }),
      'server.save': ({ name }) => {
        if (name === 'two' && refuse) throw new HostError('disk.full', 'The disk is full.')
        return {}
      },
    })
    await paste('{ "mcpServers": {} }')
    await press('Add 2 servers')
    await within(await dialog()).findByText('The disk is full.')
    refuse = false
    await press('Continue')
    await waitFor(() => expect(link.paramsOf('server.start')).toEqual([{ name: 'two' }]))
    expect(link.paramsOf('server.save').map(({ name }) => name)).toEqual(['one', 'two', 'two'])
  })

  it('puts focus on the first field that is wrong', async () => {
    const link = open('#/servers//add')
    await dialog()
    fireEvent.click(screen.getByRole('radio', { name: 'Fill in' }))
    fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'notes' } })
    await press('Continue')
    expect(document.activeElement).toBe(screen.getByLabelText('Program'))
    fireEvent.change(screen.getByLabelText('Program'), { target: { value: 'npx' } })
    fireEvent.change(screen.getByLabelText(/^Arguments/), { target: { value: '-y\nnotes-mcp\n' } })
    await press('Continue')
    await waitFor(() => expect(link.paramsOf('server.save')).toEqual([{ name: 'notes', definition: notes }]))
  })

  it('moves arguments that were typed into the command to where they belong', async () => {
    open('#/servers//add')
    await dialog()
    fireEvent.click(screen.getByRole('radio', { name: 'Fill in' }))
    fireEvent.change(screen.getByLabelText('Program'), { target: { value: 'npx -y "my notes"' } })
    await press(/Move the rest/)
    expect(screen.getByLabelText<HTMLInputElement>('Program').value).toBe('npx')
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Arguments/).value).toBe('-y\nmy notes')
  })
})

describe('editing a server', () => {
  const secret = makeServer({ definition: { ...notes, env: { TOKEN: '••••', LANG: 'en' } } })
  const edit = async (): Promise<void> => {
    fireEvent.click(await screen.findByRole('button', { name: 'More about files' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await dialog()
  }

  it('never shows a secret, keeps it when untouched, and renames', async () => {
    const link = open('#/servers/files', {}, secret)
    await edit()
    const value = screen.getByLabelText<HTMLInputElement>('Value of TOKEN')
    expect({ value: value.value, type: value.type }).toEqual({ value: '', type: 'password' })
    fireEvent.change(screen.getByLabelText(/^Name(?! of)/), { target: { value: 'papers' } })
    await press('Save')
    await waitFor(() =>
      expect(link.paramsOf('server.save')).toEqual([{ name: 'papers', previousName: 'files', definition: secret.definition }]),
    )
  })

  it('saves nothing while nothing changed, and asks before changes are lost', async () => {
    const link = open('#/servers/files', {}, secret)
    await edit()
    await press('Save')
    expect(link.paramsOf('server.save')).toEqual([])
    fireEvent.change(screen.getByLabelText('Value of LANG'), { target: { value: 'de' } })
    await press('Close')
    // The answer that loses nothing is the one under the focus, and Escape's.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Stay here'))
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('Value of LANG').value).toBe('de')
    await press('Close')
    await press('Leave without saving')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('goes to another address only after a yes', async () => {
    open('#/servers/files', {}, secret)
    await edit()
    const { hash } = window.location
    fireEvent.change(screen.getByLabelText('Value of LANG'), { target: { value: 'de' } })
    for (const answer of ['Stay here', 'Leave without saving']) {
      act(() => navigate({ page: 'requests' }))
      await press(answer)
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
      if (answer === 'Stay here') expect([window.location.hash, screen.queryByRole('dialog') !== null]).toEqual([hash, true])
    }
    expect(window.location.hash).toBe('#/requests')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
