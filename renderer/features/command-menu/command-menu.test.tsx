import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ListedTool } from '#app/chat/tools/tool-overview.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { ModelInfo } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeConversation, makeServer, makeToolRequest, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

const commandKey = { key: 'k', code: 'KeyK', metaKey: true }

async function open(options: Parameters<typeof createFakeConnection>[0] = {}, at = '#/chat') {
  const link = createFakeConnection(options)
  const stores = renderAt(link, at)
  await act(settle)
  fireEvent.keyDown(window, commandKey)
  const field = await screen.findByRole('combobox', { name: 'Commands, chats and servers' })
  return { link, stores, field }
}

const type = async (field: HTMLElement, text: string): Promise<void> => {
  fireEvent.change(field, { target: { value: text } })
  await act(settle)
}
const rows = (): (string | null)[] => screen.queryAllByRole('option').map((row) => row.textContent)
const press = (field: HTMLElement, key: string, more: object = {}): boolean => fireEvent.keyDown(field, { key, ...more })

/** What the page of a server asks for. */
const serverPage: FakeAnswers = {
  'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 0 }),
  'server.log': () => ({ lines: [], dropped: 0 }),
}

describe('the command menu', () => {
  it('opens by its keys, has the field focused, and closes by Escape', async () => {
    const { field } = await open()
    await waitFor(() => expect(document.activeElement).toBe(field))
    press(field, 'Escape')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('goes to what is typed', async () => {
    const { field } = await open()
    await type(field, 'models')
    expect(rows()[0]).toBe('Models and keys')
    await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id))
    press(field, 'Enter')
    await waitFor(() => expect(window.location.hash).toBe('#/settings/models'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('lists what waits first, leads there, and has nothing that answers it', async () => {
    const request = makeToolRequest({ conversationId: 'c1' })
    const { field, link } = await open({ snapshot: { conversations: [makeConversation()], consentRequests: [request] } })
    expect(rows()[0]).toContain('“files” wants to')
    await type(field, 'allow')
    expect(rows().filter((row) => row?.includes('llow'))).toEqual([expect.stringContaining('Search messages')])
    await type(field, '')
    fireEvent.click(screen.getAllByRole('option')[0] as HTMLElement)
    await waitFor(() => expect(window.location.hash).toBe('#/chat/c1'))
    expect(link.paramsOf('consent.answer')).toEqual([])
  })

  it('asks for the server that a verb needs, and Backspace goes back', async () => {
    const servers = [makeServer({ name: 'files' }), makeServer({ name: 'mail', state: { kind: 'stopped', reason: 'user' } })]
    const { field, link } = await open({ snapshot: { servers }, answers: { 'server.restart': () => ({}), ...serverPage } })
    await type(field, 'restart')
    press(field, 'Enter')
    const inner = await screen.findByRole('combobox', { name: 'Restart server' })
    expect(rows()).toEqual([expect.stringContaining('files')])
    press(inner, 'Backspace')
    await screen.findByRole('combobox', { name: 'Commands, chats and servers' })
    await type(field, 'restart')
    press(field, 'Enter')
    await screen.findByRole('combobox', { name: 'Restart server' })
    press(field, 'Enter')
    await waitFor(() => expect(link.paramsOf('server.restart')).toEqual([{ name: 'files' }]))
  })

  it('finds chats that the page has not fetched, and says what else can be done with one', async () => {
    const far = makeConversation({ id: 'far', title: 'Vendor VAT numbers' })
    const { field, link } = await open({
      answers: {
        'conversation.find': () => ({ conversations: [far], more: false }),
        'conversation.change': () => ({ changed: 1, undo: 'u1' }),
      },
    })
    await type(field, 'vendor')
    const found = within(screen.getByRole('group', { name: 'Chats' })).getByRole('option')
    expect(found.textContent).toContain('Vendor VAT numbers')
    await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(found.id))
    press(field, 'k', commandKey)
    await screen.findByRole('combobox', { name: 'Vendor VAT numbers' })
    await type(field, 'archive')
    press(field, 'Enter')
    await waitFor(() =>
      expect(link.paramsOf('conversation.change')).toEqual([{ choice: { kind: 'these', ids: ['far'] }, change: { kind: 'archive' } }]),
    )
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeTruthy()
  })

  it('searches the messages for what no command is called', async () => {
    const { field } = await open({ answers: { 'conversation.find': () => ({ conversations: [], more: false }) } })
    await type(field, 'kestrel 412')
    expect(rows()).toEqual(['Search messages for “kestrel 412”'])
    press(field, 'Enter')
    await waitFor(() => expect(window.location.hash).toBe('#/search/kestrel%20412'))
  })

  it('takes a rule back, with undo', async () => {
    const rule: Rule = { id: 'r1', effect: 'allow', server: 'files', tool: 'read', scope: { kind: 'always' }, createdAt: 1 }
    const { field, link } = await open({
      snapshot: { rules: [rule] },
      answers: { 'rule.remove': () => ({}) },
    })
    await type(field, 'revoke')
    press(field, 'Enter')
    await screen.findByRole('combobox', { name: 'Revoke a rule' })
    press(field, 'Enter')
    await waitFor(() => expect(link.paramsOf('rule.remove')).toEqual([{ id: 'r1' }]))
    expect(await screen.findByText('Rule revoked.')).toBeTruthy()
  })

  const models: ModelInfo[] = ['large', 'small', 'tiny'].map((name) => ({ id: `lab/${name}`, provider: 'lab', name, ai: true }))
  const snapshot = {
    models,
    providers: [{ id: 'lab', name: 'Test lab', key: { kind: 'not-needed' as const }, modelCount: 3 }],
    settings: { ...defaultSettings, defaultModel: 'lab/large', favouriteModels: ['lab/tiny'] },
    conversations: [makeConversation({ model: 'lab/small' })],
  }

  it('gives the open chat another model, favourites first', async () => {
    const { field, link } = await open({ snapshot }, '#/chat/c1')
    await type(field, 'model of this')
    press(field, 'Enter')
    await screen.findByRole('combobox', { name: 'Model of this chat' })
    expect(rows()).toEqual(['tiny Test lab', 'large Test lab', 'small Test labCurrent'])
    press(field, 'Enter')
    await waitFor(() => expect(link.paramsOf('conversation.setModel')).toEqual([{ id: 'c1', model: 'lab/tiny' }]))
    expect(link.paramsOf('settings.set')).toEqual([])
    expect(await screen.findByText('Model of this chat: tiny')).toBeTruthy()
  })

  it('has another model answer beside the latest answer of the open chat, and presses the button that reads it aloud', async () => {
    const chat = makeConversation({ id: 'c1', model: 'lab/small', activity: { kind: 'idle' } })
    const messages = [makeUserMessage(), makeAnswer({ id: 'a1', parts: [{ kind: 'text', text: 'Done.' }] })]
    const { field, link } = await open(
      {
        snapshot: { ...snapshot, conversations: [chat] },
        answers: {
          'conversation.get': () => ({ revision: 10, conversation: chat, messages, branches: {} }),
          'message.compare': () => ({}),
        },
      },
      '#/chat/c1',
    )
    await type(field, 'read aloud')
    expect(rows().filter((row) => row?.startsWith('Read aloud'))).toEqual([])
    await type(field, 'compare')
    press(field, 'Enter')
    await screen.findByRole('combobox', { name: 'Compare two answers' })
    expect(rows()).toEqual(['tiny Test lab', 'large Test lab'])
    press(field, 'Enter')
    await waitFor(() => expect(link.paramsOf('message.compare')).toEqual([{ conversationId: 'c1', messageId: 'a1', model: 'lab/tiny' }]))
    const pressed = vi.fn()
    const button = Object.assign(document.createElement('button'), { onclick: pressed })
    button.setAttribute('aria-label', 'Read aloud')
    button.dataset['readAloud'] = ''
    document.body.append(button)
    onTestFinished(() => button.remove())
    fireEvent.keyDown(window, commandKey)
    const again = await screen.findByRole('combobox', { name: 'Commands, chats and servers' })
    await type(again, 'read aloud')
    press(again, 'Enter')
    await waitFor(() => expect(pressed).toHaveBeenCalledTimes(1))
  })

  it('finds a model by its name: for new chats where none is open, and to make it a favourite', async () => {
    const { field, link } = await open({ snapshot })
    await type(field, 'lab small')
    await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[0]?.id))
    press(field, 'k', commandKey)
    await screen.findByRole('combobox', { name: 'small' })
    expect(rows()).toEqual(['Model of new chats Test lab', 'Add small to the favourites'])
    await type(field, 'favourites')
    expect(rows()).toEqual(['Add small to the favourites'])
    press(field, 'Enter')
    await waitFor(() => expect(link.paramsOf('settings.set')).toEqual([{ favouriteModels: ['lab/tiny', 'lab/small'] }]))
    fireEvent.keyDown(window, commandKey)
    const again = await screen.findByRole('combobox', { name: 'Commands, chats and servers' })
    await type(again, 'lab small')
    press(again, 'Enter')
    await waitFor(() => expect(link.paramsOf('settings.set')).toContainEqual({ defaultModel: 'lab/small' }))
  })

  it('leads to a tool where it is run by hand, and runs nothing', async () => {
    const tool = (name: string, title?: string): ListedTool => ({
      ...{ name, modelName: name, tokens: 1, enabled: true, fingerprint: name, known: 'new' },
      ...(title !== undefined && { title }),
    })
    const servers = ['mail', 'files'].map((name) => ({
      ...{ name, enabled: true, trusted: false },
      tools: [tool('send_letter', name === 'mail' ? 'Post it' : undefined), tool('other')],
    }))
    const { field, link } = await open({ answers: { 'tool.list': () => ({ servers }) } })
    await type(field, 'letter')
    expect(within(screen.getByRole('group', { name: 'Tools' })).getAllByRole('option').length).toBe(2)
    await type(field, 'letter mail')
    expect(rows()[0]).toBe('Post it mail')
    press(field, 'Enter')
    await waitFor(() => expect(window.location.hash).toBe('#/library/tools/mail/send_letter'))
    expect(link.paramsOf('tool.run')).toEqual([])
  })
})
