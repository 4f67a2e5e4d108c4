// The Permissions tab of a server: what was blocked and its answers, the grants, what was reached, and why there is no sandbox.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { AnswerEffect, ListedAttempt } from '#app/server/sandbox/sandbox-report.ts'
import { noGrants, type ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { BlockedAtCall } from '#renderer/features/sandbox/blocked-attempts.tsx'
import { sandboxWord } from '#renderer/features/sandbox/sandbox-word.tsx'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { ServerPermissions } from './server-permissions.tsx'

afterEach(cleanup)

const grants = { ...noGrants, read: ['/home/ada/notes'], hosts: ['api.example', 'old.example'] }
const on: ServerSandbox = { kind: 'on', grants }
const seen = (attempt: Partial<ListedAttempt> & Pick<ListedAttempt, 'kind' | 'target'>): ListedAttempt => ({
  refused: 'not-granted',
  count: 1,
  firstAt: 1000,
  lastAt: 1000,
  allowance: 'click',
  ...attempt,
})
const reached = (target: string, port: number): ListedAttempt => ({
  ...{ kind: 'host', target, port, count: 3, firstAt: 1000, lastAt: 1000, allowance: 'never' },
})

async function open(server: ServerSummary, attempts: readonly ListedAttempt[] = [], answers: FakeAnswers = {}) {
  const edited: (string | undefined)[] = []
  const link = createFakeConnection({
    snapshot: { servers: [server] },
    answers: { 'server.sandboxAttempts': () => ({ attempts: [...attempts], lost: 0 }), ...answers },
  })
  const page = (of: ServerSummary) => <ServerPermissions server={of} onEdit={(field) => edited.push(field)} />
  const view = await renderWith(page(server), link)
  await act(settle)
  const show = (of: ServerSummary): void => view.rerender(<StoresProvider stores={view.stores}>{page(of)}</StoresProvider>)
  return { ...view, edited, show }
}
const notes = (sandbox: ServerSandbox | undefined, more: Partial<ServerSummary> = {}): ServerSummary =>
  makeServer({ name: 'notes', ...(sandbox ? { sandbox } : {}), ...more })
const blockedRows = (): (string | null)[] =>
  within(screen.getByRole('region', { name: /^Blocked/ }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }))
  await act(settle)
}

describe('what was blocked', () => {
  it('lists what the sandbox refused, and nothing that it did not', async () => {
    await open(notes(on), [
      seen({ kind: 'host', target: 'telemetry.example', port: 8443, count: 41, tool: 'sync' }),
      seen({ kind: 'write', target: '/home/ada/archive' }),
      seen({ kind: 'host', target: 'nowhere.example', port: 443, refused: 'not-found' }),
      seen({ kind: 'host', target: 'ads.example', port: 443, refused: 'denied' }),
      reached('api.example', 443),
    ])
    const [host, folder, kept, ...more] = blockedRows()
    expect(more).toEqual([])
    expect(host).toMatch(
      /^Reach telemetry\.example:8443 41 times · .*during syncAllow once telemetry\.example:8443AlwaysKeep blocked telemetry\.example:8443$/,
    )
    expect(folder).toMatch(/^Write in \/home\/ada\/archive 1 time/)
    expect(kept).toMatch(/ads\.example.*It stays blocked\.Allow once ads\.exampleAlways$/)
  })

  it.each<[RegExp, 'once' | 'always' | 'keep']>([
    [/^Allow once a\.example/, 'once'],
    [/^Always a\.example/, 'always'],
    [/^Keep blocked a\.example/, 'keep'],
  ])('answers with %s', async (name, answer) => {
    const { link } = await open(notes(on), [seen({ kind: 'host', target: 'a.example', port: 443 })], {
      'server.answerSandboxAttempt': () => ({ holds: 'now' }),
    })
    await press(name)
    expect(link.paramsOf('server.answerSandboxAttempt')).toEqual([
      { name: 'notes', attempt: { kind: 'host', target: 'a.example', port: 443 }, answer },
    ])
    expect(link.paramsOf('server.sandboxAttempts')).toHaveLength(2)
    expect(screen.queryByText(/Changes apply when/)).toBeNull()
  })

  it('offers a restart where an answer holds from the next start on', async () => {
    const { link } = await open(notes(on), [seen({ kind: 'read', target: '/home/ada/more' })], {
      'server.answerSandboxAttempt': (): AnswerEffect => ({ holds: 'next-start' }),
    })
    await press(/^Always /)
    await press('Restart')
    expect(link.paramsOf('server.restart')).toEqual([{ name: 'notes' }])
    expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull()
  })

  it('offers one restart for all that waits for one, and none once it restarts', async () => {
    const next: ServerSandbox = { kind: 'on', grants: { ...grants, hosts: [] } }
    const { show } = await open(notes(on, { nextSandbox: next }), [seen({ kind: 'read', target: '/home/ada/more' })], {
      'server.answerSandboxAttempt': (): AnswerEffect => ({ holds: 'next-start' }),
    })
    await press(/^Allow once /)
    expect(screen.getAllByRole('button', { name: 'Restart' })).toHaveLength(1)
    show(notes(on, { state: { kind: 'starting', since: 2000, attempt: 1, step: 'launching', starts: [2000] } }))
    expect(screen.queryByText(/Changes apply when/)).toBeNull()
    show(notes(on))
    expect(screen.queryByText(/Changes apply when/)).toBeNull()
  })

  it('allows a secret place only from its review', async () => {
    const { link } = await open(notes(on), [seen({ kind: 'read', target: '/home/ada/.ssh/config', allowance: 'review' })], {
      'server.answerSandboxAttempt': (): AnswerEffect => ({ holds: 'next-start' }),
    })
    expect(screen.queryByRole('button', { name: /^(Allow once|Always)/ })).toBeNull()
    await press(/^Review /)
    expect(screen.getByRole('group', { name: /^Review/ }).textContent).toContain('Your keys are there')
    await press(/^Always /)
    expect(link.paramsOf('server.answerSandboxAttempt')).toEqual([
      { name: 'notes', attempt: { kind: 'read', target: '/home/ada/.ssh/config' }, answer: 'always', reviewed: true },
    ])
  })

  it('says why what no answer allows is not allowed, and why an answer failed', async () => {
    await open(
      notes(on),
      [
        seen({ kind: 'host', target: 'intranet.example', port: 443, refused: 'private-address', allowance: 'never' }),
        seen({ kind: 'host', target: 'b.example', port: 443 }),
      ],
      {
        'server.answerSandboxAttempt': () => {
          throw new HostError('server.sandbox-attempt', 'It was refused nothing of that name.')
        },
      },
    )
    expect(blockedRows()[0]).toContain('is on this computer or its network')
    expect(screen.queryByRole('button', { name: /intranet.*once|once.*intranet/ })).toBeNull()
    await press(/^Allow once b/)
    expect(blockedRows()[1]).toContain('It was refused nothing of that name.')
  })

  it('is read again at each event, and says when there is nothing, or no answer', async () => {
    const { link } = await open(notes(on))
    screen.getAllByText('None')
    link.answer({ 'server.sandboxAttempts': () => ({ attempts: [seen({ kind: 'host', target: 'c.example', port: 443 })], lost: 2 }) })
    link.tell('server.sandboxAttempt', { name: 'notes', attempts: [] })
    await act(settle)
    expect(blockedRows()).toHaveLength(1)
    screen.getByText(/Only some are listed/)
    await press('Clear')
    expect(link.paramsOf('server.clearSandboxAttempts')).toEqual([{ name: 'notes' }])
    link.answer({
      'server.sandboxAttempts': () => {
        throw new HostError('internal', 'It broke.')
      },
    })
    link.tell('server.sandboxAttempt', { name: 'notes', attempts: [] })
    await act(settle)
    screen.getByText('It broke.')
    expect(blockedRows()).toHaveLength(1)
    await press('Try again')
    expect(link.paramsOf('server.sandboxAttempts')).toHaveLength(4)
  })
})

describe('the grants', () => {
  it('names hosts that nobody used, and what was reached', async () => {
    await open(notes(on), [reached('api.example', 443)])
    const hosts = within(screen.getByRole('group', { name: 'Reach hosts' })).getAllByRole('listitem')
    expect(hosts.map(({ textContent }) => textContent)).toEqual(['api.example', 'old.examplenot used in 7 days', 'Add host'])
    expect(screen.getByText(/^Reached in/).parentElement?.textContent).toContain('api.example3 times')
  })

  it('sends each change at once, whole', async () => {
    const { link } = await open(notes(on))
    await press('Remove host old.example')
    expect(link.paramsOf('server.setSandbox')).toEqual([
      { name: 'notes', sandbox: { kind: 'on', grants: { ...grants, hosts: ['api.example'] } } },
    ])
    expect(screen.queryByText('old.example')).toBeNull()
  })

  it('says which grant the host refused, and that nothing was changed', async () => {
    await open(notes(on), [], {
      'server.setSandbox': () => {
        throw new HostError('server.sandbox-grant', 'No server may use /usr.', { data: { path: '/usr' } })
      },
    })
    const row = screen.getByRole('group', { name: 'Write folders' })
    fireEvent.click(within(row).getByRole('button', { name: 'Add folder' }))
    const field = within(row).getByRole('combobox')
    fireEvent.change(field, { target: { value: '/usr' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    await act(settle)
    expect(within(row).getByText('No server may use /usr.').closest('li')?.textContent).toContain('/usr')
  })

  it('offers the restart that they wait for', async () => {
    const next: ServerSandbox = { kind: 'on', grants: { ...grants, hosts: [] } }
    const { link } = await open(notes(on, { nextSandbox: next }))
    expect(screen.getByRole('group', { name: 'Reach hosts' }).textContent).toContain('None')
    await press('Restart')
    expect(link.paramsOf('server.restart')).toEqual([{ name: 'notes' }])
  })

  it('turns the sandbox off after a question alone, and on at once', async () => {
    const { link } = await open(notes(on))
    const toggle = (): HTMLElement => screen.getByRole('switch', { name: 'Run “notes” in a sandbox' })
    fireEvent.click(toggle())
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    fireEvent.click(toggle())
    fireEvent.click(await screen.findByRole('button', { name: 'Run without sandbox' }))
    await act(settle)
    expect(link.paramsOf('server.setSandbox')).toEqual([{ name: 'notes', sandbox: { kind: 'off' } }])
    cleanup()
    const off = await open(notes({ kind: 'off', by: 'person' }))
    fireEvent.click(toggle())
    await act(settle)
    expect(off.link.paramsOf('server.setSandbox')).toEqual([{ name: 'notes', sandbox: { kind: 'on', grants: noGrants } }])
  })

  it('leads to its variables', async () => {
    const { edited } = await open(notes(on))
    await press('Edit variables…')
    expect(edited).toEqual(['env'])
  })
})

const remote: ServerSummary['definition'] = {
  ...{ transport: 'streamable-http', url: 'https://a.example/mcp', headers: {}, enabled: true, start: 'needed', trusted: false },
}

it.each<[string, ServerSandbox | undefined, RegExp, Partial<ServerSummary>?]>([
  ['not known yet', undefined, /Start the server to see its sandbox/],
  ['not approved yet', { kind: 'on' }, /You are asked at its next start/],
  ['turned off by its entry', { kind: 'off', by: 'entry' }, /Remove “sandboxEnabled” from its entry/],
  ['turned off by the person', { kind: 'off', by: 'person' }, /you chose so/],
  ['turned off for this run', { kind: 'off', by: 'option' }, /--sandbox off/],
  ['approved before', { kind: 'off', by: 'earlier' }, /You are asked at its next start/],
  ['without an engine', { kind: 'missing', reason: 'not-installed', remedy: 'Install it.' }, /no sandbox on this computer.*Install it/],
  ['in a container', { kind: 'not-needed', because: 'container' }, /it runs in a container/],
  ['remote', { kind: 'not-needed', because: 'remote' }, /it runs elsewhere/, { definition: remote }],
  ['part of Assent', { kind: 'not-needed', because: 'builtin' }, /part of Assent/],
])('says why there are no grants where a server is %s', async (_what, sandbox, words, more = {}) => {
  const { link, container } = await open(notes(sandbox, more))
  expect(container.textContent).toMatch(words)
  expect(screen.queryByRole('group', { name: 'Read folders' })).toBeNull()
  expect(link.paramsOf('server.sandboxAttempts')).toHaveLength(sandbox?.kind === 'on' ? 1 : 0)
})

it.each<[ServerSandbox | undefined, number | undefined, string | undefined]>([
  [on, undefined, 'sandboxed'],
  [on, 3, 'sandboxed · 3 blocked'],
  [{ kind: 'off', by: 'entry' }, undefined, 'not sandboxed'],
  [{ kind: 'missing', reason: 'refused', remedy: '' }, undefined, 'not sandboxed'],
  [{ kind: 'not-needed', because: 'remote' }, undefined, 'remote'],
  [{ kind: 'not-needed', because: 'container' }, undefined, 'in a container'],
  [{ kind: 'not-needed', because: 'builtin' }, undefined, undefined],
  [undefined, undefined, undefined],
])('%j with %s blocked is “%s” in the list', (sandbox, blocked, word) => {
  expect(sandboxWord({ ...(sandbox && { sandbox }), ...(blocked && { blocked }) })?.word).toBe(word)
})

describe('at a call', () => {
  const attempts = [
    seen({ kind: 'host', target: 'mine.example', port: 443, callId: 'call1' }),
    seen({ kind: 'host', target: 'other.example', port: 443, callId: 'call2' }),
    seen({ kind: 'host', target: 'kept.example', port: 443, callId: 'call1', refused: 'denied' }),
  ]
  const at = async (blocked: number | undefined) => {
    const link = createFakeConnection({
      snapshot: { servers: [notes(on, blocked ? { blocked } : {})] },
      answers: {
        'server.sandboxAttempts': () => ({ attempts, lost: 0 }),
        'server.answerSandboxAttempt': (): AnswerEffect => ({ holds: 'now' }),
      },
    })
    const view = await renderWith(<BlockedAtCall server="notes" callId="call1" />, link)
    await act(settle)
    return view
  }

  it('shows what was blocked in its course, and says that an answer holds', async () => {
    const { link } = await at(2)
    expect(within(screen.getByRole('region', { name: 'Blocked by the sandbox' })).getAllByRole('listitem')).toHaveLength(1)
    link.answer({ 'server.sandboxAttempts': () => ({ attempts: [], lost: 0 }) })
    await press(/^Allow once mine\.example/)
    expect(screen.getByRole('region', { name: 'Blocked by the sandbox' }).textContent).toBe('Allowed from the next call on.')
  })

  it('asks the host nothing where nothing was blocked', async () => {
    const { link, container } = await at(undefined)
    expect([link.paramsOf('server.sandboxAttempts'), container.textContent]).toEqual([[], ''])
  })
})
