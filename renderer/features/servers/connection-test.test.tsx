// A test run in the add screen, from its question to what it comes to.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { LaunchRequest } from '#app/consent/request.ts'
import type { ConnectionTestPhase, ConnectionTestSummary } from '#app/server/connection-test.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { Diagnosis } from '#app/server/doctor.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { makeReport } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { openAddServer } from './open-add-server.ts'

const definition: StdioDefinition = {
  transport: 'stdio',
  command: 'nopx',
  args: ['notes'],
  env: { TOKEN: inputReference('token') },
  enabled: true,
  start: 'needed',
  trusted: false,
}
const request: LaunchRequest = {
  id: 'q1',
  createdAt: 1,
  server: 'notes',
  kind: 'launch',
  why: { kind: 'first-launch' },
  fingerprint: 'f',
  connectionTest: true,
  target: { transport: 'stdio', command: 'nopx', args: ['-y', 'notes-mcp'], envNames: ['TOKEN'] },
}
const diagnosis: Diagnosis = {
  code: 'command-not-found',
  short: '',
  message: 'nopx was not found.',
  why: '',
  remedy: 'Is it npx?',
  tone: 'bad',
  actions: [{ kind: 'use-command', label: 'Use npx', command: 'npx' }],
}

/** A host whose test runs go as the test says. */
function open(names = ['notes']): { readonly link: FakeConnection; readonly next: (phase: ConnectionTestPhase, over?: boolean) => void } {
  let answer: ((view: ConnectionTestSummary) => void) | undefined
  let revision = 0
  const waiting: ConnectionTestSummary[] = []
  const link = createFakeConnection({
    answers: {
      'server.testConnection': () => ({ id: 't1' }),
      'server.watchTest': () => {
        const ready = waiting.shift()
        return ready ?? new Promise((resolve) => (answer = resolve))
      },
    },
  })
  renderAt(link, '#/servers')
  const inputs = [{ id: 'token', password: true, description: 'The token of notes' }]
  act(() =>
    openAddServer({
      kind: 'found',
      from: 'the registry',
      inputs,
      servers: names.map((name) => ({ name, definition: { ...definition, args: [name] }, secrets: [], problems: [] })),
    }),
  )
  return {
    link,
    next(phase, over = false) {
      const view: ConnectionTestSummary = { revision: ++revision, phase, over, report: makeReport({ server: 'notes' }) }
      if (answer) answer(view)
      else waiting.push(view)
      answer = undefined
    },
  }
}
const press = async (name: string | RegExp): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name }))
}

describe('a test run before saving', () => {
  it('asks in place, says what is wrong, mends the form, tries again, and is handed to the save', async () => {
    const { link, next } = open()
    await screen.findByText('From the registry.')
    // It asks for a value: continuing leads to where that is entered, and saves nothing.
    await press('Continue')
    fireEvent.change(await screen.findByLabelText(/The token of notes/), { target: { value: 't0p' } })
    await press('Test')
    const dialog = await screen.findByRole('dialog')
    act(() => link.tell('consent.opened', { request }))
    next({ kind: 'waiting', requestId: 'q1' })
    await within(dialog).findByText(/without a shell/)
    next({ kind: 'failed', error: { code: 'server.command-not-found', message: '' }, diagnosis }, true)
    await within(dialog).findByText('nopx was not found.')
    await press('Use npx')
    expect(screen.getByLabelText<HTMLInputElement>('Program').value).toBe('npx')
    await within(dialog).findByText('outdated')
    await press('Test')
    next({
      kind: 'works',
      offers: {
        session: { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover' },
        tools: [{ name: 'add_note' }],
        counts: { tools: 1, resources: 0, prompts: 2 },
        tokens: 40,
        warnings: [],
      },
    })
    await within(dialog).findByText(/1 tool, 0 resources, 2 prompts/)
    next({ kind: 'called-off' }, true)
    expect(link.paramsOf('server.testConnection').map((one) => [one.definition, one.values])).toEqual([
      [definition, { token: 't0p' }],
      [{ ...definition, command: 'npx' }, { token: 't0p' }],
    ])
    expect(link.paramsOf('server.save')).toEqual([])
    await press('Continue')
    await waitFor(() => expect(link.paramsOf('server.start')).toEqual([{ name: 'notes' }]))
    expect(link.paramsOf('server.save')).toMatchObject([{ name: 'notes', connectionTests: ['t1', 't1'], values: { token: 't0p' } }])
    expect(window.location.hash).toBe('#/servers/notes')
  })

  it('of one of several counts when they are added, though its screen was left, and until the whole screen is', async () => {
    const { link, next } = open(['notes', 'other'])
    await press('Set up “other”')
    await press('Test')
    next({ kind: 'refused' }, true)
    await screen.findByText('Not allowed. Nothing ran.')
    await press('Done')
    expect(link.paramsOf('server.forgetTests')).toEqual([])
    await press('Add 2 servers')
    await waitFor(() => expect(link.paramsOf('server.forgetTests')).toEqual([{ connectionTests: ['t1'] }]))
    expect(link.paramsOf('server.save')).toMatchObject([
      { name: 'notes', connectionTests: ['t1'] },
      { name: 'other', connectionTests: ['t1'] },
    ])
  })

  it('ends with the screen that it is in, also when its id comes late', async () => {
    const { link } = open()
    await press('Set up “notes”')
    let late: (begun: { id: string }) => void = () => undefined
    link.answer({ 'server.testConnection': () => new Promise((resolve) => (late = resolve)) })
    await press('Test')
    await press('Back')
    late({ id: 't9' })
    await waitFor(() => expect(link.paramsOf('server.endTest')).toEqual([{ id: 't9' }]))
    expect(link.paramsOf('server.watchTest')).toEqual([])
  })

  it('is called off by its own button', async () => {
    const { link, next } = open()
    await press('Set up “notes”')
    await press('Test')
    next({ kind: 'starting', step: 'negotiating' })
    await screen.findByText(/Agreeing on a protocol revision/)
    await press('Stop')
    await waitFor(() => expect(link.paramsOf('server.endTest')).toEqual([{ id: 't1' }]))
    expect(screen.queryByRole('region', { name: 'Test run' })).toBeNull()
  })
})

describe('what is here already', () => {
  it('is not replaced by something that is brought, until the person says so', async () => {
    open()
    fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'mine' } })
    act(() => openAddServer({ kind: 'text', text: 'npx -y other-mcp' }))
    await screen.findByText('Another link arrived.')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('mine')
    await press('Show it')
    expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Paste anything/)).value).toBe('npx -y other-mcp')
  })

  it('is asked for before it is lost', async () => {
    open()
    fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'mine' } })
    await press('Close')
    await press('Stay here')
    expect(screen.queryByRole('dialog')).not.toBeNull()
    await press('Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
