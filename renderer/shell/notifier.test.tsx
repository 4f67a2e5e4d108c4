import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '#app/chat/conversation.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import { makeConversation, makeSnapshot, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

/** The browser's part: it answers the question of permission as the test says, and keeps what it was to show. */
class FakeNotification extends EventTarget {
  static permission: NotificationPermission = 'granted'
  static answer: NotificationPermission = 'granted'
  static asked = 0
  static shown: FakeNotification[] = []
  readonly title: string
  readonly options: NotificationOptions
  closed = false
  constructor(title: string, options: NotificationOptions) {
    super()
    this.title = title
    this.options = options
    FakeNotification.shown.push(this)
  }
  static requestPermission(): Promise<NotificationPermission> {
    FakeNotification.asked += 1
    FakeNotification.permission = FakeNotification.answer
    return Promise.resolve(FakeNotification.answer)
  }
  close(): void {
    this.closed = true
  }
}

const focused = vi.fn(() => false)
beforeEach(() => {
  Object.assign(FakeNotification, { permission: 'granted', answer: 'granted', asked: 0, shown: [] })
  focused.mockReturnValue(false)
  vi.stubGlobal('Notification', FakeNotification)
  vi.spyOn(document, 'hasFocus').mockImplementation(focused)
  vi.spyOn(window, 'focus').mockImplementation(() => undefined)
  window.localStorage.clear()
  return () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
})

const secret = 'what-the-server-says'
const asks: ConsentRequest = makeToolRequest({ id: 'r2', server: 'files', tool: secret, description: secret, conversationId: 'c1' })
const shell = (kind: 'web' | 'electron') => ({ ...makeSnapshot().shell, kind })

async function open(hash: string, kind: 'web' | 'electron' = 'web', waiting: ConsentRequest[] = []): Promise<FakeConnection> {
  const conversation = makeConversation({ id: 'c1' })
  const link = createFakeConnection({
    snapshot: { shell: shell(kind), conversations: [conversation], consentRequests: waiting },
    answers: { 'conversation.get': () => ({ revision: 1, conversation, messages: [], branches: {} }) },
  })
  renderAt(link, hash)
  await screen.findByRole('heading', { level: 1 })
  return link
}
const opened = (connection: FakeConnection, request = asks): void => connection.tell('consent.opened', { request })

describe('while no window of Assent is in front, the web shell', () => {
  it('calls the person with the name of the server, and no word of its own', async () => {
    const link = await open('#/servers')
    opened(link)
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1))
    const [notice] = FakeNotification.shown
    expect(notice?.title).toContain('files')
    expect(JSON.stringify([notice?.title, notice?.options])).not.toContain(secret)
  })

  it('leads to the request when it is clicked', async () => {
    const link = await open('#/servers')
    opened(link)
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1))
    FakeNotification.shown[0]?.dispatchEvent(new Event('click'))
    expect([window.location.hash, vi.mocked(window.focus).mock.calls.length]).toEqual(['#/chat/c1', 1])
  })

  it('takes away what was answered elsewhere, and tells nothing twice', async () => {
    const link = await open('#/servers')
    opened(link)
    opened(link)
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1))
    expect(document.title).toMatch(/^\(1\)/)
    link.tell('consent.closed', { id: 'r2', outcome: 'allowed', by: 'person' })
    await waitFor(() => expect(FakeNotification.shown[0]?.closed).toBe(true))
    expect(document.title).not.toMatch(/^\(/)
    expect(FakeNotification.shown).toHaveLength(1)
  })

  it('says once that a long turn ended, and not what was said; it goes when the person comes back', async () => {
    const link = await open('#/servers')
    const change = (activity: Conversation['activity']): void =>
      link.tell('conversation.changed', { conversation: makeConversation({ id: 'c1', title: secret, activity }) })
    change({ kind: 'working', turnId: 't', since: Date.now() - 60_000 })
    change({ kind: 'idle' })
    change({ kind: 'idle' })
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1))
    const [notice] = FakeNotification.shown
    expect(JSON.stringify([notice?.title, notice?.options])).not.toContain(secret)
    notice?.dispatchEvent(new Event('click'))
    expect(window.location.hash).toBe('#/chat/c1')
    fireEvent.focus(window)
    await waitFor(() => expect(notice?.closed).toBe(true))
  })

  it('is silent about what waited before the page came', async () => {
    const link = await open('#/servers', 'web', [makeToolRequest({ id: 'old' })])
    opened(link)
    await waitFor(() => expect(FakeNotification.shown).toHaveLength(1))
    expect(FakeNotification.shown[0]?.options.tag).toContain('r2')
  })
})

it.each([
  ['a page of ours has the focus', () => focused.mockReturnValue(true)],
  ['the person was not asked yet', () => Object.assign(FakeNotification, { permission: 'default' })],
  ['the browser refuses', () => Object.assign(FakeNotification, { permission: 'denied' })],
  ['they are turned off here', () => window.localStorage.setItem('assent-notifications', 'off')],
])('nothing is shown, and nobody is asked, where %s', async (_, prepare) => {
  prepare()
  const link = await open('#/servers')
  opened(link)
  await screen.findByText('waiting', { selector: '.count .sr' })
  await settle()
  expect([FakeNotification.shown.length, FakeNotification.asked]).toEqual([0, 0])
})

it('the page of the desktop application leaves it to the system', async () => {
  const link = await open('#/servers', 'electron')
  opened(link)
  await screen.findByText('waiting', { selector: '.count .sr' })
  await settle()
  expect(FakeNotification.shown).toEqual([])
})

describe('the setting', () => {
  const toggle = () => screen.findByRole<HTMLInputElement>('switch', { name: /^Notifications/ })

  it('asks the browser by a press, and only then', async () => {
    FakeNotification.permission = 'default'
    await open('#/settings/permissions')
    expect([(await toggle()).checked, FakeNotification.asked]).toEqual([false, 0])
    fireEvent.click(await toggle())
    await waitFor(async () => expect((await toggle()).checked).toBe(true))
    fireEvent.click(await toggle())
    await waitFor(async () => expect((await toggle()).checked).toBe(false))
    fireEvent.click(await toggle())
    await waitFor(async () => expect((await toggle()).checked).toBe(true))
    expect(FakeNotification.asked).toBe(1)
  })

  it('says what to do where the browser refuses', async () => {
    Object.assign(FakeNotification, { permission: 'default', answer: 'denied' })
    await open('#/settings/permissions')
    fireEvent.click(await toggle())
    await waitFor(() => expect(document.querySelector('.notice.warn')?.textContent).toContain(window.location.host))
    expect((await toggle()).disabled).toBe(true)
  })
})
