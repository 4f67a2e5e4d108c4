import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { LinkedApp } from '#app/contract/gate-requests.ts'
import { HostError } from '#app/errors.ts'
import type { GateClientSummary } from '#app/gate.ts'
import { asDefined } from '#app/server/candidate.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { OtherAppsTab } from './other-apps-tab.tsx'

afterEach(cleanup)

const cursor: LinkedApp = {
  ...{ id: 'a1', host: 'cursor', path: '/home/me/.cursor/mcp.json', state: 'absent' },
  servers: [
    { name: 'notes', here: true },
    { name: 'github', here: false },
  ],
}
const claude: GateClientSummary = { id: 'g1', name: 'Claude Code', app: 'claude-code', servers: 'all', createdAt: 1, connections: [] }

async function show(apps: readonly LinkedApp[], answers: FakeAnswers = {}, clients: GateClientSummary[] = []) {
  let previews = 0
  const link = createFakeConnection({
    snapshot: { servers: [makeServer({ name: 'files' }), makeServer({ name: 'notes' })] },
    answers: {
      'appLink.list': () => ({ apps: [...apps] }),
      'appLink.preview': () => ({
        change: `c${++previews}`,
        path: '/home/me/.cursor/mcp.json',
        before: '{}',
        after: '{ "assent" }',
        exact: false,
      }),
      'appLink.apply': () => ({ client: 'g1' }),
      'gate.list': () => ({ clients, http: {} }),
      ...answers,
    },
  })
  await renderWith(<OtherAppsTab />, link)
  return link
}
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name }))
  await act(settle)
}
const confirm = async (name: string): Promise<void> => {
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
  await act(settle)
}

describe('apps on this computer', () => {
  it('says that there are none, and why they could not be looked for', async () => {
    const link = await show([])
    await screen.findByText('Nothing found.')
    link.answer({
      'appLink.list': () => {
        throw new HostError('internal', 'No.')
      },
    })
    act(() => link.tell('gate.changed', { clients: [] }))
    await waitFor(() => expect(screen.getAllByText('No.')).toHaveLength(1))
  })

  it.each<[LinkedApp['state'], string[]]>([
    ['absent', ['Connect Cursor']],
    ['connected', ['New token for Cursor', 'Disconnect Cursor']],
    ['changed', ['Connect Cursor', 'Disconnect Cursor']],
    ['refused', []],
  ])('offer what their state allows: %s', async (state, wanted) => {
    await show([{ ...cursor, state }])
    await screen.findByText('Cursor')
    expect(screen.queryAllByRole('button', { name: /Cursor$/ }).map((one) => one.getAttribute('aria-label'))).toEqual(wanted)
  })

  it('are connected by the change that is shown, and nothing is written before', async () => {
    const link = await show([cursor])
    await press('Connect Cursor')
    expect([document.querySelectorAll('.diff .add').length, link.paramsOf('appLink.apply')]).toEqual([1, []])
    await confirm('Connect')
    expect(link.paramsOf('appLink.apply')).toEqual([{ change: 'c1' }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows the change anew for servers that move, and asks about those that are new here first', async () => {
    const found = { kind: 'new' as const }
    const server = { id: 's1', name: 'github', state: found, secrets: [], problems: [], needs: [] }
    const definition: ServerDefinition = { ...asDefined, transport: 'stdio', command: 'gh', args: [], env: {} }
    const link = await show([cursor], {
      'appImport.look': () => ({
        hosts: [{ host: 'cursor', files: [{ path: cursor.path, servers: [{ ...server, definition }], problems: [] }] }],
      }),
      'appImport.take': () => ({ outcome: 'allowed', taken: ['github'], failed: [] }),
    })
    await press('Connect Cursor')
    for (const name of ['notes', 'github']) fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(name) }))
    await act(settle)
    expect(link.paramsOf('appLink.preview').at(-1)).toEqual({ app: 'a1', to: 'connect', move: ['notes', 'github'] })
    await confirm('Connect')
    expect(link.paramsOf('appImport.take')).toEqual([{ servers: [{ id: 's1', name: 'github', replace: false }] }])
    expect(link.paramsOf('appLink.apply')).toEqual([{ change: 'c3' }])
  })

  it('writes nothing when the import is denied', async () => {
    const link = await show([cursor], {
      'appImport.look': () => ({ hosts: [] }),
      'appImport.take': () => ({ outcome: 'denied', taken: [], failed: [] }),
    })
    link.answer({ 'appImport.look': () => Promise.reject(new HostError('internal', 'No.')) })
    await press('Connect Cursor')
    fireEvent.click(screen.getByRole('checkbox', { name: /github/ }))
    await act(settle)
    await confirm('Connect')
    expect([link.paramsOf('appLink.apply'), screen.getByRole('dialog').tagName]).toEqual([[], 'DIV'])
  })

  it('says why a change was not written, and shows it anew', async () => {
    const link = await show([cursor], {
      'appLink.apply': () => Promise.reject(new HostError('app-file.refused', 'The file has changed meanwhile.')),
    })
    await press('Connect Cursor')
    await confirm('Connect')
    await waitFor(() => expect(screen.getByText('The file has changed meanwhile.')).not.toBeNull())
    expect(link.paramsOf('appLink.preview')).toHaveLength(2)
  })
})

describe('agents', () => {
  it('are listed with who is connected, and where', async () => {
    const connection = {
      client: 'g1',
      name: 'Claude Code',
      folder: '/home/me/web',
      verified: true,
      id: 'x',
      since: 1,
      transport: 'stdio',
    } as const
    const link = await show([], {}, [claude])
    await screen.findByText('Claude Code')
    link.answer({ 'gate.list': () => ({ clients: [{ ...claude, connections: [connection] }], http: {} }) })
    act(() => link.tell('gate.changed', { clients: [] }))
    await waitFor(() => expect(screen.getByText('/home/me/web')).not.toBeNull())
    expect(screen.getByRole('link', { name: 'Activity' }).getAttribute('href')).toMatch(/^#\/activity\/+g1$/)
  })

  it('are offered the servers that are chosen', async () => {
    const link = await show([], { 'gate.change': ({ draft }) => ({ client: { ...draft, id: 'g1', createdAt: 1 } }) }, [claude])
    await press('Edit Claude Code')
    fireEvent.click(screen.getByRole('switch', { name: 'All servers' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'notes' }))
    await confirm('Save')
    expect(link.paramsOf('gate.change')).toEqual([{ id: 'g1', draft: { name: 'Claude Code', app: 'claude-code', servers: ['files'] } }])
  })

  it('that are added get their token once, in the file of each app to copy', async () => {
    const link = await show([], {
      'appLink.snippets': ({ token }) => ({
        snippets: [
          { host: 'cursor', text: `{ "${token}" }` },
          { host: 'codex', text: `# ${token}` },
        ],
      }),
      'gate.add': ({ draft }) => ({ client: { ...draft, id: 'g2', createdAt: 1 }, token: 'assent_mcp_once' }),
    })
    await press('Add an agent')
    fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Build' } })
    await confirm('Add')
    const shown = (): string | null | undefined => document.querySelector('.code pre')?.textContent
    await waitFor(() => expect(shown()).toBe('{ "assent_mcp_once" }'))
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'codex' } })
    expect([shown(), link.paramsOf('appLink.snippets')[0]]).toEqual(['# assent_mcp_once', { token: 'assent_mcp_once' }])
  })

  it.each([
    ['set up by hand', undefined, true],
    ['of an app, whose file has the token', 'claude-code', false],
  ])('%s: whether its token is renewed in its dialog', async (_, app, renews) => {
    const { app: __, ...byHand } = claude
    const link = await show(
      [],
      {
        'gate.renewToken': () => ({ token: 'assent_mcp_new' }),
        'appLink.snippets': () => ({ snippets: [{ host: 'cursor', text: 'new' }] }),
      },
      [{ ...byHand, ...(app === undefined ? {} : { app }) }],
    )
    await press('Edit Claude Code')
    const button = screen.queryByRole('button', { name: 'New token for Claude Code' })
    if (button) fireEvent.click(button)
    await act(settle)
    expect([button !== null, link.paramsOf('gate.renewToken')]).toEqual([renews, renews ? [{ id: 'g1' }] : []])
  })
  it('connect over HTTP once that is on, at the port that is chosen, with an entry of its own to copy', async () => {
    const url = 'http://127.0.0.1:6284/mcp'
    const link = await show([], {
      'appLink.snippets': () => ({ snippets: [{ host: 'cursor', text: '{ "mcpServers": { "assent": {} } }' }] }),
      'gate.add': ({ draft }) => ({ client: { ...draft, id: 'g2', createdAt: 1 }, token: 'assent_mcp_once' }),
    })
    fireEvent.click(screen.getByRole('switch', { name: /Streamable HTTP/ }))
    await act(settle)
    expect(link.paramsOf('settings.set')).toEqual([{ gateHttp: true }])
    link.answer({ 'gate.list': () => ({ clients: [], http: { url } }) })
    act(() => link.tell('gate.changed', { clients: [] }))
    act(() => link.tell('settings.changed', { settings: { ...defaultSettings, gateHttp: true } }))
    await waitFor(() => expect(screen.getByText(url)).not.toBeNull())
    // A port is a name: its digits stand as they are typed.
    expect(screen.getByRole('textbox', { name: 'Port' })).toHaveProperty('value', '6284')
    await press('Add an agent')
    fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'Build' } })
    await confirm('Add')
    await waitFor(() => expect(document.querySelectorAll('.code pre')).toHaveLength(2))
    const entries = [...document.querySelectorAll('.code pre')].map((pre) => JSON.parse(pre.textContent ?? '').mcpServers.assent)
    expect(entries[1]).toEqual({ type: 'http', url, headers: { Authorization: 'Bearer assent_mcp_once' } })
  })
})
