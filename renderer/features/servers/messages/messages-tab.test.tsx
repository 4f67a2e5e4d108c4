import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WireMessage } from '#app/server/wire-message.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const wire = (seq: number, change: Partial<WireMessage> = {}): WireMessage => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: seq, method: change.method ?? 'ping' })
  return { seq, time: seq, direction: 'sent', kind: 'request', id: seq, size: text.length, text, cut: false, ...change }
}
const callText = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: { say: "it's" } } })
const conversation = [
  wire(1, { method: 'initialize' }),
  wire(2, {
    method: 'tools/call',
    text: callText,
    http: { line: 'POST https://a.example/mcp', headers: [{ name: 'authorization', value: 'Bearer •••' }] },
  }),
  wire(3, { direction: 'received', kind: 'http', of: 2, ms: 3, text: '', size: 0, http: { line: '200 OK', headers: [] } }),
  wire(4, { direction: 'received', kind: 'notification', method: 'notifications/progress', of: 2, ms: 4 }),
  wire(5, {
    direction: 'received',
    kind: 'error',
    method: 'tools/call',
    of: 2,
    ms: 12,
    text: '{"error":"\u202eno"}',
    cut: true,
    size: 9_000_000,
  }),
]
const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }

function openMessages(messages: readonly WireMessage[], inspecting: 'on' | 'off' = 'on', shell: 'web' | 'electron' = 'web') {
  const server = makeServer({
    definition: { transport: 'streamable-http', url: 'https://a.example/mcp', headers: {}, enabled: true, start: 'needed', trusted: false },
    ...(inspecting === 'on' ? { inspecting } : {}),
  })
  const held = [...messages]
  const link = createFakeConnection({
    snapshot: { servers: [server], shell: { kind: shell, os: 'linux', canChooseFolder: false, secrets: 'keyring' } },
    answers: {
      'server.catalogue': () => empty,
      'server.log': () => ({ lines: [], dropped: 0, earlier: [] }),
      'server.messages': ({ after }) => ({
        messages: held.filter(({ seq }) => seq > after).slice(0, 200),
        first: held[0]?.seq ?? 1,
        last: held.at(-1)?.seq ?? 0,
      }),
      'server.inspect': () => ({}),
      'server.clearMessages': () => ({}),
      'server.saveMessages': () => ({ path: '/home/maya/files messages.jsonl' }),
    },
  })
  renderAt(link, '#/servers/files/messages')
  return { link, held }
}
const list = () => screen.findByRole('listbox', { name: 'Messages' })
/** Without a window nothing is in sight, and so nothing is drawn: what would be, by how many there are. */
const press = async (key: string): Promise<void> => void fireEvent.keyDown(await list(), { key })
const detail = () => screen.findByRole('region', { name: 'Message' })
const headline = async () => within(await detail()).getByRole('heading').textContent
afterEach(() => vi.restoreAllMocks())

describe('the messages of a server', () => {
  it('are not recorded until somebody says so, now or from the next start', async () => {
    const { link } = openMessages([], 'off')
    fireEvent.click(await screen.findByRole('button', { name: 'Record messages' }))
    fireEvent.click(screen.getByRole('button', { name: 'From its next start' }))
    expect(link.paramsOf('server.inspect')).toEqual([
      { name: 'files', mode: 'on' },
      { name: 'files', mode: 'next-start' },
    ])
  })

  it('are gone through by keyboard, and go from a request to what belongs to it and back', async () => {
    openMessages(conversation)
    await press('Home')
    await press('ArrowDown')
    expect(await headline()).toBe('tools/call request')
    const shown = within(await detail())
    expect(shown.getByText('POST https://a.example/mcp')).toBeTruthy()
    expect(shown.getByText(/answered in 12 ms/)).toBeTruthy()
    expect(shown.getByRole('button', { name: 'Progress + 4 ms' })).toBeTruthy()
    fireEvent.click(shown.getByRole('button', { name: 'Error' }))
    expect(await headline()).toBe('tools/call error')
    expect(within(await detail()).getByText(/Only its beginning is kept/)).toBeTruthy()
    expect(within(await detail()).getByText('right-to-left override').className).toBe('reveal')
    fireEvent.click(within(await detail()).getByRole('button', { name: 'Request' }))
    expect(await headline()).toBe('tools/call request')
    // HTTP is hidden at first.
    fireEvent.click(within(await detail()).getByRole('button', { name: 'HTTP answer + 3 ms' }))
    expect(await headline()).toBe('200 OK HTTP')
  })

  it('are filtered by way, kind, method and words', async () => {
    openMessages(conversation)
    const last = async () => {
      await press('End')
      return headline()
    }
    expect(await last()).toBe('tools/call error')
    fireEvent.click(screen.getByRole('radio', { name: 'Sent' }))
    expect(await last()).toBe('tools/call request')
    fireEvent.change(screen.getByRole('combobox', { name: 'Method' }), { target: { value: 'initialize' } })
    expect(await last()).toBe('initialize request')
    fireEvent.change(screen.getByRole('combobox', { name: 'Method' }), { target: { value: '' } })
    fireEvent.click(screen.getByRole('radio', { name: 'All' }))
    fireEvent.change(screen.getByRole('combobox', { name: 'Kind' }), { target: { value: 'notification' } })
    expect(await last()).toBe('notifications/progress notification')
    fireEvent.change(screen.getByRole('combobox', { name: 'Kind' }), { target: { value: 'all' } })
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value: 'BEARER' } })
    expect(await last()).toBe('tools/call request')
  })

  it('give a call as a line for a terminal, and all of them as JSON Lines', async () => {
    const written: string[] = []
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void written.push(text))
    openMessages(conversation)
    await press('Home')
    await press('ArrowDown')
    fireEvent.click(screen.getByRole('button', { name: 'Copy as assent call' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy for PowerShell' }))
    await waitFor(() => expect(written).toEqual([`assent call files echo '{"say":"it''s"}' --json`]))
    fireEvent.click(screen.getByRole('button', { name: 'Copy, save or clear' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: /^Copy shown/ }))
    await waitFor(() => expect(written.length).toBe(2))
    const lines = (written[1] ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ seq }) => seq)).toEqual([1, 2, 4, 5])
    expect([lines[1].message.params.name, lines[3].message, lines[3].cut]).toEqual(['echo', undefined, true])
  })

  it('are saved as JSON Lines: by the page as a file of its own, in the app by the host', async () => {
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:messages'
    })
    const save = async (): Promise<void> => {
      await list()
      fireEvent.click(screen.getByRole('button', { name: 'Copy, save or clear' }))
      fireEvent.click(await screen.findByRole('menuitem', { name: 'Save as a file' }))
    }
    const page = openMessages(conversation)
    await save()
    await waitFor(() => expect(saved).toHaveLength(1))
    const lines = ((await saved[0]?.text()) ?? '').trimEnd().split('\n')
    expect([lines.map((line) => JSON.parse(line).seq), page.link.paramsOf('server.saveMessages')]).toEqual([[1, 2, 3, 4, 5], []])
    cleanup()
    const app = openMessages(conversation, 'on', 'electron')
    await save()
    await screen.findByText(/files messages\.jsonl/)
    expect([app.link.paramsOf('server.saveMessages'), saved.length]).toEqual([[{ name: 'files' }], 1])
  })

  it('are fetched as the host says that there are more, and go with it what it cleared', async () => {
    const { link, held } = openMessages(conversation)
    await list()
    held.push(wire(6, { method: 'resources/list' }))
    act(() => link.tell('server.messaged', { name: 'files', last: 6 }))
    await waitFor(() =>
      expect([...screen.getByRole<HTMLSelectElement>('combobox', { name: 'Method' }).options].map(({ value }) => value)).toContain(
        'resources/list',
      ),
    )
    expect(link.paramsOf('server.messages').at(-1)).toEqual({ name: 'files', after: 5 })
    held.splice(0, held.length, wire(7, { method: 'ping' }))
    act(() => link.tell('server.messaged', { name: 'files', last: 7 }))
    await screen.findByText('Older messages are not kept.')
  })
})
