import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Diagnosis } from '#app/server/doctor.ts'
import type { LogLine, ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeReport, makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const tool = (name: string, change: Partial<ToolEntry> = {}): ToolEntry => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  modelName: `files__${name}`,
  tokens: 100,
  enabled: true,
  fingerprint: 'f',
  ...change,
})
const catalogue = { tools: [tool('read'), tool('write')], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }
const line = (seq: number, text: string, change: Partial<LogLine> = {}): LogLine => ({ seq, time: seq, source: 'stderr', text, ...change })
const failed = (code: 'server.exited' | 'server.command-not-found', change: object = {}): ServerSummary['state'] => ({
  kind: 'failed',
  at: 1,
  attempt: 1,
  error: { code, message: 'it failed', data: { command: 'npx' } },
  diagnosis: {
    code: code === 'server.exited' ? 'crashed-at-once' : 'command-not-found',
    short: 'npx was not found',
    message: 'files doesn’t start.',
    why: 'Its last words: “no such book”.',
    remedy: 'Install it.',
    actions: [
      { kind: 'retry', label: 'Try again' },
      { kind: 'edit', label: 'Edit', field: 'command' },
      { kind: 'use-command', label: 'Use npm', command: 'npm' },
      { kind: 'wait', label: 'Wait up to 3 min', startTimeoutMs: 180_000 },
      { kind: 'environment', label: 'Reload environment variables' },
      { kind: 'copy', label: 'Copy “brew install node”', text: 'brew install node' },
      { kind: 'folders', label: 'Choose a folder' },
    ],
    tone: 'bad',
  },
  ...change,
})
const report = makeReport({
  resolved: '/usr/bin/npx',
  path: '/usr/bin:/bin',
  pathSource: 'login-shell',
  cwd: '/home/ada',
  exit: { code: 3, signal: null },
  stderr: ['\u001b[31mno such book\u001b[0m'],
  output: ['Hello!'],
  steps: [
    { name: 'find command', ms: 3, ok: true, detail: '/usr/bin/npx' },
    { name: 'initialize', ms: 40, ok: false, detail: 'no answer' },
  ],
})
const open = (servers: ServerSummary[], hash: string, answers: FakeAnswers = {}, snapshot: object = {}): FakeConnection => {
  const link = createFakeConnection({
    snapshot: { servers, ...snapshot },
    answers: { 'server.catalogue': () => catalogue, 'server.log': () => ({ lines: [], dropped: 0 }), ...answers },
  })
  renderAt(link, hash)
  return link
}
const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('what was agreed with a server', () => {
  it.each([
    [
      { era: 'legacy', protocolVersion: '2024-11-05', foundBy: 'initialize', transport: 'sse' } as const,
      [/2024-11-05 · older protocol/, /HTTP with SSE/],
    ],
    [
      { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover', transport: 'stdio' } as const,
      [/2026-07-28(?! ·)/, /Program on this computer/],
    ],
    [
      { era: 'legacy', protocolVersion: '2025-06-18', foundBy: 'remembered', transport: 'streamable-http' } as const,
      [/2025-06-18 · older protocol/, /Streamable HTTP/],
    ],
  ])('shows its revision, whether that is an older one, and what it is spoken over: %j', async (session, shown) => {
    open([makeServer({ state: { kind: 'ready', since: 1, session } })], '#/servers/files/details')
    const agreed = (await screen.findByRole('heading', { name: 'Connection' })).parentElement as HTMLElement
    for (const word of shown) expect(agreed.textContent).toMatch(word)
  })
})

describe('the servers page', () => {
  it.each([
    ['not-installed', 1],
    ['not-supported', 0],
  ] as const)('says once that this computer has no sandbox, where the person can change that: %s', async (reason, times) => {
    const sandbox = { kind: 'missing', reason, remedy: 'Install bubblewrap.' } as const
    open([makeServer({ name: 'a', sandbox }), makeServer({ name: 'b', sandbox })], '#/servers')
    await screen.findByRole('navigation', { name: 'Servers' })
    expect(screen.queryAllByText('Local servers run without a sandbox.').length).toBe(times)
    expect(screen.queryAllByText('Install bubblewrap.').length).toBe(times)
  })

  it('lists by what servers want of the person, and shows the first where none is named', async () => {
    open(
      [
        makeServer({ name: 'zeta' }),
        makeServer({ name: 'off', state: { kind: 'disabled' } }),
        makeServer({ name: 'broken', state: failed('server.exited') }),
      ],
      '#/servers',
    )
    const list = await screen.findByRole('navigation', { name: 'Servers' })
    const names = within(list)
      .getAllByRole('link')
      .map((row) => row.dataset['server'])
    expect(names).toEqual(['broken', 'zeta', 'off'])
    expect(screen.getByRole('region', { name: 'broken' })).toBeTruthy()
    expect(
      within(list)
        .getAllByRole('link')
        .filter((row) => row.ariaCurrent === 'page' || row.getAttribute('aria-current') === 'page').length,
    ).toBe(1)
  })

  it('moves between rows with the arrow keys', async () => {
    open([makeServer({ name: 'a' }), makeServer({ name: 'b' })], '#/servers')
    const list = await screen.findByRole('navigation', { name: 'Servers' })
    const [first, second] = within(list).getAllByRole('link')
    first?.focus()
    fireEvent.keyDown(first as HTMLElement, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(second)
  })

  it('keeps the one that is chosen in view, also when it moves to another group', async () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    onTestFinished(() => seen.mockRestore())
    const link = open([makeServer({ name: 'a' }), makeServer({ name: 'b' })], '#/servers/b')
    await screen.findByRole('region', { name: 'b' })
    const brought = () => seen.mock.contexts.map((row) => (row as HTMLElement).dataset['server'])
    expect(brought()).toEqual(['b'])
    link.tell('server.changed', { server: makeServer({ name: 'b', state: failed('server.exited') }) })
    await screen.findByRole('alert')
    expect(brought()).toEqual(['b', 'b'])
  })

  it('says when the server in the address is gone', async () => {
    const link = open([makeServer(), makeServer({ name: 'other' })], '#/servers/files')
    await screen.findByRole('region', { name: 'files' })
    link.tell('server.removed', { name: 'files' })
    expect(await button('Show all')).toBeTruthy()
  })

  it('offers to add one where there is none', async () => {
    open([], '#/servers')
    expect((await screen.findAllByRole('link', { name: 'Add server' })).length).toBe(1)
  })

  it('switches a tool, and back when the host refuses', async () => {
    const link = open([makeServer()], '#/servers/files')
    const read = await screen.findByRole<HTMLInputElement>('switch', { name: 'read on' })
    fireEvent.click(read)
    expect(read.checked).toBe(false)
    expect(link.paramsOf('server.setToolEnabled')).toEqual([{ name: 'files', tool: 'read', enabled: false }])
    link.answer({
      'server.setToolEnabled': () => {
        throw new HostError('disk.full', 'The disk is full.')
      },
    })
    const write = screen.getByRole<HTMLInputElement>('switch', { name: 'write on' })
    fireEvent.click(write)
    await waitFor(() => expect(write.checked).toBe(true))
  })

  it('fetches the lists again when they changed, and keeps the old ones meanwhile', async () => {
    const link = open([makeServer()], '#/servers/files')
    await screen.findByRole('switch', { name: 'read on' })
    link.answer({ 'server.catalogue': () => ({ ...catalogue, tools: [tool('fresh')] }) })
    link.tell('server.changed', { server: makeServer({ catalogueRevision: 2 }) })
    expect(await screen.findByRole('switch', { name: 'fresh on' })).toBeTruthy()
    expect(link.paramsOf('server.catalogue').length).toBe(2)
  })

  it('turns a server off by saving what is configured, masks and all', async () => {
    const definition = { ...makeServer().definition, env: { TOKEN: '••••' } } as ServerSummary['definition']
    const link = open([makeServer({ definition })], '#/servers/files')
    fireEvent.click(await screen.findByRole('switch', { name: '“files” on' }))
    expect(link.paramsOf('server.save')).toEqual([{ name: 'files', definition: { ...definition, enabled: false } }])
  })

  it('shows a failure with what mends it, and starts again on request', async () => {
    const link = open([makeServer({ state: failed('server.command-not-found', { retryAt: Date.now() + 60_000 }) })], '#/servers/files')
    const alert = await screen.findByRole('alert')
    fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
    expect(link.paramsOf('server.start')).toEqual([{ name: 'files' }])
    expect(within(alert).getByRole('link', { name: 'Choose a folder' }).getAttribute('href')).toBe('#/settings/permissions')
    fireEvent.click(within(alert).getByRole('button', { name: 'Edit' }))
    await waitFor(() => expect((document.activeElement as HTMLInputElement | null)?.value).toBe('npx'))
  })

  it('shows what looks wrong with one that is still waited for, in the list and above its tabs, with what mends it', async () => {
    const diagnosis: Diagnosis = {
      code: 'not-mcp',
      short: 'no MCP on stdout yet',
      message: '“files”: no MCP on stdout yet.',
      why: 'It wrote: “Listening”.',
      remedy: 'Check the command.',
      actions: [{ kind: 'edit', label: 'Edit', field: 'command' }],
      tone: 'warn',
    }
    const state: ServerState = { kind: 'starting', since: Date.now(), attempt: 1, step: 'negotiating', diagnosis }
    open([makeServer({ state })], '#/servers/files')
    const notice = (await screen.findByText(diagnosis.why)).closest('[role="status"]') as HTMLElement
    expect(document.querySelector('[data-server="files"]')?.textContent).toContain(diagnosis.short)
    expect([notice.querySelector('.server-name')?.textContent, notice.textContent?.includes('“files”')]).toEqual(['files', false])
    fireEvent.click(within(notice).getByRole('button', { name: 'Edit' }))
    await waitFor(() => expect((document.activeElement as HTMLInputElement | null)?.value).toBe('npx'))
  })

  it.each([
    ['Use npm', { command: 'npm' }],
    ['Wait up to 3 min', { startTimeoutMs: 180_000 }],
  ])('does what “%s” says by saving it, and starts again', async (name, change) => {
    const link = open([makeServer({ state: failed('server.exited') })], '#/servers/files', {
      'server.doctor': () => report,
      'server.save': () => ({}),
      'server.start': () => ({}),
    })
    fireEvent.click(await button(name))
    await waitFor(() => expect(link.paramsOf('server.start')).toEqual([{ name: 'files' }]))
    expect(link.paramsOf('server.save')).toMatchObject([{ name: 'files', definition: change }])
  })

  it('has the shell read again before it starts the server again, and does not start it when that fails', async () => {
    const link = open([makeServer({ state: failed('server.exited') })], '#/servers/files', {
      'server.doctor': () => report,
      'app.readEnvironment': () => Promise.reject(new HostError('environment.no-answer', 'zsh did not tell its variables.')),
    })
    const press = await button('Reload environment variables')
    fireEvent.click(press)
    expect(await screen.findByText(/zsh did not tell its variables/)).toBeTruthy()
    expect(link.paramsOf('server.start')).toEqual([])
    link.answer({ 'app.readEnvironment': () => ({ folders: 3, source: 'login-shell' }) })
    fireEvent.click(press)
    await waitFor(() => expect(link.paramsOf('server.start')).toEqual([{ name: 'files' }]))
  })

  it('shows what was tried: each step, what ran, and its last words in their colours, as text', async () => {
    open([makeServer({ state: failed('server.exited') })], '#/servers/files', { 'server.doctor': () => report })
    const words = await screen.findByText('no such book')
    expect([words.className, words.textContent]).toEqual(['ansi-red', 'no such book'])
    const page = document.body.textContent
    for (const said of ['/usr/bin/npx', '/home/ada', 'Exit3', 'Hello!', 'initialize', '2 folders', 'the PATH of the login shell'])
      expect(page).toContain(said)
  })

  it('joins the log that was with the log that comes', async () => {
    const link = open([makeServer()], '#/servers/files/log', {
      'server.log': () => ({ lines: [line(1, 'one'), line(2, 'two')], dropped: 0 }),
    })
    const log = await screen.findByRole('region', { name: 'Log' })
    link.tell('server.logged', {
      name: 'files',
      lines: [line(2, 'two'), line(3, 'three', { source: 'message', level: 'error' })],
      dropped: 0,
    })
    await within(log).findByText('three')
    expect(log.querySelectorAll('.log-line').length).toBe(3)
    fireEvent.click(screen.getByRole('radio', { name: 'Errors' }))
    await waitFor(() => expect(log.querySelectorAll('.log-line').length).toBe(1))
  })

  it('shows the question while a launch waits for the person', async () => {
    const launch = {
      id: 'l1',
      kind: 'launch' as const,
      createdAt: 1,
      server: 'files',
      why: { kind: 'first-launch' as const },
      target: { transport: 'stdio' as const, command: 'npx', args: ['-y', 'files-mcp'], envNames: [] },
      fingerprint: 'f',
    }
    const link = open([makeServer({ state: { kind: 'waiting', requestId: 'l1' } })], '#/servers/files', {}, { consentRequests: [launch] })
    await waitFor(() => expect(document.querySelector('[data-request="l1"]')).not.toBeNull())
    link.tell('consent.closed', { id: 'l1', outcome: 'denied' })
    link.tell('server.changed', { server: makeServer({ state: { kind: 'refused', at: 1 } }) })
    fireEvent.click(await button('Ask again'))
    expect(link.paramsOf('server.start')).toEqual([{ name: 'files' }])
  })

  it('removes a server and puts the file back on undo', async () => {
    const link = open([makeServer()], '#/servers/files', { 'server.remove': () => ({ text: '{ "as": "it was" }' }) })
    fireEvent.click(await button('More about files'))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
    fireEvent.click(await button('Undo'))
    expect(link.paramsOf('config.save')).toEqual([{ text: '{ "as": "it was" }' }])
  })
})

describe('the list', () => {
  const many = ['files', 'github', 'notes', 'mail', 'search', 'weather', 'tracker', 'calendar'].map((name) =>
    makeServer({
      name,
      definition: { transport: 'stdio', command: 'npx', args: [`${name}-mcp`], env: {}, enabled: true, start: 'needed', trusted: false },
    }),
  )
  const names = () => [...document.querySelectorAll('[data-server]')].map((row) => row.getAttribute('data-server'))
  const link = (servers = many) =>
    createFakeConnection({
      snapshot: { servers },
      answers: { 'server.catalogue': () => catalogue, 'server.log': () => ({ lines: [], dropped: 0 }) },
    })

  it('is filtered by name and command once it is long', async () => {
    renderAt(link(), '#/servers')
    const field = await screen.findByRole('searchbox', { name: 'Find a server' })
    fireEvent.change(field, { target: { value: 'npx trac' } })
    expect(names()).toEqual(['tracker'])
    fireEvent.change(field, { target: { value: 'nothing like it' } })
    expect([names(), screen.getByText(/Nothing found/)]).toEqual([[], expect.anything()])
  })

  it('has no filter while it is short', async () => {
    renderAt(link(many.slice(0, 3)), '#/servers')
    await screen.findAllByRole('link', { name: /files/ })
    expect(screen.queryByRole('searchbox')).toBeNull()
  })

  it('leads back to the tab of each server that was open last', async () => {
    renderAt(link(), '#/servers/files')
    fireEvent.click(await screen.findByRole('tab', { name: 'Log' }))
    const go = (hash: string): void => {
      window.location.hash = hash
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    }
    go('#/servers/github')
    await waitFor(() => expect(screen.getByRole('tab', { name: /^Tools/ }).getAttribute('aria-selected')).toBe('true'))
    go('#/servers/files')
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Log' }).getAttribute('aria-selected')).toBe('true'))
  })
})
