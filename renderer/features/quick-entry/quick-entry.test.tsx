import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { desktopScenes } from '#renderer/testing/stories/desktop.stories.ts'

afterEach(() => vi.restoreAllMocks())

async function open(scene: keyof typeof desktopScenes, hash = '#/quick', change?: (link: FakeConnection) => void) {
  const link = desktopScenes[scene]('light')
  change?.(link)
  renderAt(link, hash)
  const field = (await screen.findByLabelText('Message')) as HTMLTextAreaElement
  return { link, field }
}
const type = (field: HTMLTextAreaElement, value: string): void => void fireEvent.change(field, { target: { value } })

describe('the quick entry', () => {
  it('is only itself: no sidebar, no keys of the whole app', async () => {
    const { field } = await open('quick-empty')
    expect([screen.queryByRole('navigation'), screen.getByRole('heading', { level: 1 }).textContent]).toEqual([null, 'Quick entry'])
    fireEvent.keyDown(field, { key: ',', metaKey: true })
    expect(window.location.hash).toBe('#/quick')
  })

  it('asks the model of new chats, stays, and shows the answer with the way to its chat', async () => {
    const { link, field } = await open('quick-answer')
    type(field, 'What is open?')
    fireEvent.keyDown(field, { key: 'Enter' })
    await screen.findByText(/Two positions are open/)
    expect([link.paramsOf('chat.send'), window.location.hash, field.value]).toEqual([
      [{ text: 'What is open?', model: 'anthropic/claude' }],
      '#/quick/c1',
      '',
    ])
    expect(screen.getByRole('link', { name: 'Open chat' }).getAttribute('href')).toBe('#/chat/c1')
    // The question stands in the field, not in the answer.
    expect(screen.queryByText('What is still open in this invoice?')).toBeNull()
  })

  it('goes on with the chat of before by Shift+Enter, and leaves that chat’s own draft alone', async () => {
    const { link, field } = await open('quick-answer')
    type(field, 'and the fees?')
    fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
    await waitFor(() => expect(link.paramsOf('chat.send')).toEqual([{ text: 'and the fees?', conversationId: 'c1' }]))
    await waitFor(() => expect(window.location.hash).toBe('#/quick/c1'))
    expect(link.paramsOf('draft.set').filter(({ conversationId }) => conversationId === 'c1')).toEqual([])
  })

  it('sends what was attached with the question', async () => {
    const { link, field } = await open('quick-file', '#/quick', (one) => one.answer({ 'chat.send': () => ({ conversationId: 'c1' }) }))
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(link.paramsOf('chat.send')).toMatchObject([{ attachments: [{ name: 'ibsen-legal-9.pdf' }] }]))
  })

  it('reads the clipboard at a press alone: the app pastes, a browser asks', async () => {
    const read = vi.fn(async () => 'from elsewhere')
    vi.stubGlobal('navigator', { ...navigator, clipboard: { readText: read } })
    const { link, field } = await open('quick-empty', '#/quick', (one) => one.answer({ 'app.pasteQuickEntry': () => ({}) }))
    expect([read.mock.calls.length, link.paramsOf('app.pasteQuickEntry').length]).toEqual([0, 0])
    fireEvent.click(screen.getByRole('button', { name: 'Paste' }))
    await act(settle)
    expect([read.mock.calls.length, link.paramsOf('app.pasteQuickEntry').length, document.activeElement]).toEqual([0, 1, field])
    vi.unstubAllGlobals()
  })

  it('puts the clipboard of a browser into the message, where the person lets it', async () => {
    const read = vi.fn(async () => 'from elsewhere')
    vi.stubGlobal('navigator', { ...navigator, clipboard: { readText: read } })
    const link = desktopScenes['quick-empty']('light')
    const { shell } = (await link.request('app.snapshot', {})) as { shell: object }
    Object.assign(shell, { kind: 'web' })
    renderAt(link, '#/quick')
    const field = (await screen.findByLabelText('Message')) as HTMLTextAreaElement
    fireEvent.click(screen.getByRole('button', { name: 'Paste' }))
    await waitFor(() => expect(field.value).toBe('from elsewhere'))
    read.mockRejectedValueOnce(new Error('NotAllowedError'))
    fireEvent.click(screen.getByRole('button', { name: 'Paste' }))
    await act(settle)
    vi.unstubAllGlobals()
    expect([field.value, link.paramsOf('app.pasteQuickEntry').length, document.activeElement]).toEqual(['from elsewhere', 0, field])
  })

  it('says what waits, decides nothing, and leads to the requests', async () => {
    await open('quick-waits')
    expect(screen.getByText('3').closest('p')?.textContent).toBe('3 waiting · 2 chatsReview in Assent')
    expect(screen.getByRole('link', { name: 'Review in Assent' }).getAttribute('href')).toBe('#/requests')
    expect(screen.queryByRole('button', { name: /Allow/ })).toBeNull()
  })

  it('without a model leads to the first step', async () => {
    await open('quick-none')
    expect(screen.getByRole('link', { name: 'Connect' }).getAttribute('href')).toBe('#/chat')
  })

  it('hides its window by Escape', async () => {
    const { link, field } = await open('quick-empty', '#/quick', (one) => one.answer({ 'app.hideQuickEntry': () => ({}) }))
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(link.paramsOf('app.hideQuickEntry')).toHaveLength(1)
  })
})

describe('settings of the desktop app', () => {
  it('set the tray, the start at login and the keys, and say when another app has these', async () => {
    const link = desktopScenes.desktop('light')
    link.answer({ 'settings.set': () => ({}) })
    renderAt(link, '#/settings/desktop')
    for (const name of [/menu bar/, /Start at login/, /Quick entry in every app/])
      fireEvent.click(await screen.findByRole('switch', { name }))
    await act(settle)
    expect([link.paramsOf('settings.set'), screen.getByText('Another app has these keys.').isConnected]).toEqual([
      [{ tray: false }, { startAtLogin: true }, { quickEntryKeys: true }],
      true,
    ])
  })

  it('list what crashed, latest first, to be copied or looked at', async () => {
    const copied: string[] = []
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } })
    const link = desktopScenes.desktop('light')
    link.answer({ 'app.showCrashes': () => ({}) })
    renderAt(link, '#/settings/desktop')
    const [first] = await screen.findAllByRole('button', { name: 'Copy report' })
    fireEvent.click(first as HTMLElement)
    fireEvent.click(screen.getByRole('button', { name: 'Open' }))
    await act(settle)
    vi.unstubAllGlobals()
    expect([copied[0]?.includes('TypeError'), link.paramsOf('app.showCrashes').length]).toEqual([true, 1])
    // The words of Chromium stand behind the sentence.
    const row = screen.getByText('page: oom (9)').closest('li')
    expect(row?.textContent).toMatch(/^Assent ended unexpectedly/)
  })

  it('are not there in a browser', async () => {
    const link = desktopScenes.desktop('light')
    const { shell } = (await link.request('app.snapshot', {})) as { shell: object }
    Object.assign(shell, { kind: 'web' })
    renderAt(link, '#/settings/desktop')
    expect((await screen.findAllByText('Models')).length > 0 && screen.queryByText('Start at login')).toBeNull()
  })

  it('tell a desktop without a tray, whose own keys can open the quick entry, and a safe start', async () => {
    renderAt(desktopScenes['desktop-wayland']('light'), '#/settings/desktop')
    await screen.findByText('This desktop shows no tray icons.')
    expect([screen.getByText(/assent --quick-entry/).isConnected, screen.getByText(/^Safe start/).isConnected]).toEqual([true, true])
  })
})
