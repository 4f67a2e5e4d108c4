import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chordsFor } from '#app/shortcuts.ts'
import { App } from '#renderer/app.tsx'
import { loadAllPages } from '#renderer/pages/pages.ts'
import { createStores } from '#renderer/stores/stores.ts'
import { makeConversation, makeSnapshot, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { formatChord, matchesChord } from '#renderer/ui/lib/key-chords.tsx'
import { composerId, requestHeadingId } from '../navigation/focus.ts'

describe('chords', () => {
  const key = { key: 'n', code: 'KeyN', metaKey: false, ctrlKey: true, shiftKey: false, altKey: false }

  it.each([
    ['Control elsewhere', key, 'linux', true],
    ['Command on a Mac', { ...key, ctrlKey: false, metaKey: true }, 'mac', true],
    ['not Control on a Mac', key, 'mac', false],
    ['not with Shift too', { ...key, shiftKey: true }, 'linux', false],
    ['not with Command and Control both', { ...key, metaKey: true }, 'linux', false],
    [
      'not a letter that AltGr writes',
      { ...key, key: 'ń', altKey: true, getModifierState: (name: string) => name === 'AltGraph' },
      'windows',
      false,
    ],
    ['by its place where a layout has no Latin letter', { ...key, key: 'т' }, 'linux', true],
    ['not by its place where the layout has another Latin letter', { ...key, key: 'b' }, 'linux', false],
  ] as const)('match %s', (_name, event, os, expected) => {
    expect(matchesChord(event, chordsFor({}, false).newChat, os)).toBe(expected)
  })

  it('go to the next request by the same keys in every shell', () => {
    expect(chordsFor({}, true).nextRequest).toEqual(chordsFor({}, false).nextRequest)
  })

  it('come with Alt where a browser keeps the plain ones', () => {
    const option = { key: '˜', code: 'KeyN', metaKey: true, ctrlKey: false, shiftKey: false, altKey: true }
    expect([
      matchesChord(option, chordsFor({}, true).newChat, 'mac'),
      formatChord(chordsFor({}, true).newChat, 'mac'),
      formatChord(chordsFor({}, true).newChat, 'linux'),
    ]).toEqual([true, '⌥⌘N', 'Ctrl+Alt+N'])
  })
})

describe('the shell', () => {
  beforeAll(loadAllPages)
  beforeEach(() => {
    window.location.hash = '#/chat'
  })
  afterEach(cleanup)

  async function open(options: Parameters<typeof createFakeConnection>[0] = {}) {
    const link = createFakeConnection(options)
    const stores = createStores(link)
    const view = render(<App stores={stores} />)
    await act(settle)
    return { ...view, link, stores }
  }

  it('says that its connection is lost, and keeps the page', async () => {
    const { link } = await open({ snapshot: { conversations: [makeConversation()] } })
    act(() => link.setStatus('closed'))
    // The field for a key, which is on the page, has one of its own.
    const told = screen.getAllByRole('status').filter((one) => one.closest('form') === null)
    expect([told.length, screen.getByText('Tidy September invoices').textContent]).toEqual([1, 'Tidy September invoices'])
  })

  it('shows that it was refused instead of a page', async () => {
    await open({ status: 'refused' })
    expect([screen.getByRole('main').className, screen.queryByRole('navigation')]).toEqual(['whole', null])
  })

  it('follows the theme of the settings', async () => {
    await open({ snapshot: { settings: { ...makeSnapshot().settings, theme: 'dark' } } })
    expect(document.documentElement.dataset['theme']).toBe('dark')
  })

  it('goes from the next request to its chat and its heading, and Escape goes back to the composer', async () => {
    await open({
      snapshot: { conversations: [makeConversation()], consentRequests: [makeToolRequest({ callId: undefined })] },
      answers: { 'conversation.get': () => ({ revision: 10, conversation: makeConversation(), messages: [] }) },
    })
    fireEvent.keyDown(window, { key: 'j', metaKey: true })
    fireEvent.keyDown(window, { key: 'j', ctrlKey: true })
    await act(settle)
    await screen.findByRole('heading', { name: 'files wants to use move_file' })
    await waitFor(() => expect(document.activeElement?.id).toBe(requestHeadingId('r1')))
    fireEvent.keyDown(document.activeElement ?? window, { key: 'Escape' })
    expect(document.activeElement?.id).toBe(composerId)
  })

  it('says each new request once to a screen reader, and none that waited before', async () => {
    const { link, stores } = await open({ snapshot: { consentRequests: [makeToolRequest()] } })
    expect(stores.view.getState().announcement.id).toBe(0)
    act(() => link.tell('consent.opened', { request: makeToolRequest({ id: 'r2' }) }))
    expect(stores.view.getState().announcement.id).toBe(1)
  })
})
