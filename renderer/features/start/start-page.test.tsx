// The page without a chat: three steps of a setup, and what stands there in daily use.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { AppImportServer } from '#app/consent/config-import.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { HostError } from '#app/errors.ts'
import { formatClock } from '#app/i18n/format-values.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { asDefined } from '#app/server/candidate.ts'
import { defaultSettings, type Settings } from '#app/settings.ts'
import { makeConversation, makeServer, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { NewChat } from '../../pages/chat-page.tsx'
import { LazyImportReview } from '../../pages/pages.ts'
import { recentChats } from './daily-page.tsx'

afterEach(cleanup)

const practice: ModelInfo = { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }
const found: ModelInfo = { id: 'ollama/small', provider: 'ollama', name: 'small', ai: true }
const sonnet: ModelInfo = { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Sonnet', ai: true }
const ollama: ProviderSummary = { id: 'ollama', name: 'Ollama', endpoint: 'local', key: { kind: 'not-needed' }, modelCount: 1 }
const anthropic: ProviderSummary = { id: 'anthropic', name: 'Anthropic', key: { kind: 'missing' }, modelCount: 0 }
const demo = makeServer({
  name: 'demo',
  definition: { transport: 'builtin', module: 'demo', enabled: true, start: 'needed', trusted: false },
})
const base = { servers: [demo], models: [practice], providers: [anthropic], conversations: [] } satisfies Partial<Snapshot>

interface Shown extends Omit<Partial<Snapshot>, 'settings'> {
  readonly settings?: Partial<Settings>
}
async function show({ settings, ...snapshot }: Shown = {}, answers: FakeAnswers = {}) {
  const link = createFakeConnection({
    snapshot: { ...base, ...snapshot, settings: { ...defaultSettings, ...settings } },
    answers: { 'appImport.look': () => ({ hosts: [] }), 'models.look': () => ({}), 'audit.list': () => ({ rows: [] }), ...answers },
  })
  const view = await renderWith(<NewChat />, link)
  await act(settle)
  return { ...view, link }
}
const button = (name: RegExp | string): HTMLElement => screen.getByRole('button', { name })
const key = (): HTMLInputElement => screen.getByLabelText(/API key$/, { selector: 'input.bare' })
const typeKey = (text: string): void => {
  fireEvent.change(key(), { target: { value: text } })
  fireEvent.click(button('Connect'))
}

describe('the first step', () => {
  it('connects by a key, and shows the model that new chats have from then on', async () => {
    const { link } = await show({}, { 'key.set': () => ({ models: 6 }) })
    typeKey(' sk-ant-1 ')
    await act(settle)
    expect(link.paramsOf('key.set')).toEqual([{ provider: 'anthropic', key: 'sk-ant-1' }])
    act(() => {
      link.tell('models.changed', { models: [practice, sonnet], providers: [{ ...anthropic, modelCount: 6 }] })
      link.tell('settings.changed', { settings: { ...defaultSettings, defaultModel: sonnet.id } })
    })
    expect(screen.getByRole('heading', { name: /Model: Sonnet/ }).textContent).toContain('Anthropic · 6 models')
    expect(screen.queryByRole('radio')).toBeNull()
    fireEvent.click(button('Change'))
    expect(screen.getByRole('radio', { name: /^Anthropic/ })).toBeTruthy()
  })

  it('brings a pressed provider’s key field to the keys; arrow keys stay among the providers', async () => {
    await show()
    const radio = (name: RegExp) => screen.getByRole('radio', { name })
    act(() => radio(/OpenRouter/).focus())
    fireEvent.keyDown(radio(/OpenRouter/), { key: 'ArrowRight' })
    fireEvent.click(radio(/DeepSeek/))
    expect([key().isConnected, document.activeElement === key()]).toEqual([true, false])
    fireEvent.pointerDown(radio(/Mistral/))
    fireEvent.click(radio(/Mistral/))
    expect(document.activeElement).toBe(key())
  })

  it('adds the address of another provider with its key', async () => {
    const { link } = await show({}, { 'endpoint.save': () => ({ id: 'groq', models: 3 }) })
    fireEvent.click(screen.getByRole('radio', { name: /^Groq/ }))
    expect(document.activeElement).toBe(key())
    typeKey('gsk-1')
    await act(settle)
    expect(link.paramsOf('endpoint.save')).toEqual([{ name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', key: 'gsk-1' }])
  })

  it('says that a key was rejected, keeps it in the field, and changes nothing', async () => {
    const refuse = () => {
      throw new HostError('model.key-refused', 'Refused.')
    }
    const { link } = await show({}, { 'key.set': refuse })
    typeKey('sk-ant-bad')
    expect(await screen.findByText(/The key was refused/)).toBeTruthy()
    expect([key().value, key().getAttribute('aria-invalid'), link.paramsOf('settings.set')]).toEqual(['sk-ant-bad', 'true', []])
  })

  it('offers models of this computer, which are looked for unasked and used only once one is chosen', async () => {
    const { link } = await show()
    await expect.poll(() => link.paramsOf('models.look')).toEqual([{}])
    act(() => link.tell('models.changed', { models: [practice, found], providers: [anthropic, ollama] }))
    expect(screen.getByRole('radio', { name: /On this computer/ }).closest('label')?.textContent).toContain('Ollama, 1 model')
    expect(link.paramsOf('settings.set')).toEqual([])
    fireEvent.click(screen.getByRole('radio', { name: /On this computer/ }))
    fireEvent.click(button('Choose a model'))
    await act(settle)
    fireEvent.click(screen.getByRole('menuitemradio', { name: /small/ }))
    expect(link.paramsOf('settings.set')).toEqual([{ defaultModel: 'ollama/small' }])
  })

  it('is done with the practice model where that is chosen', async () => {
    const { link } = await show()
    fireEvent.click(screen.getByRole('radio', { name: /Try without a key/ }))
    fireEvent.click(button('Use it'))
    expect(link.paramsOf('settings.set')).toEqual([{ defaultModel: practice.id }, { setup: ['practice'] }])
  })
})

describe('the second step', () => {
  const hosts = [{ host: 'cursor' as const, files: [{ path: '/c', servers: [], problems: [] }] }]

  it('offers paste and registry where nothing is found, and can be left out', async () => {
    const { link } = await show({}, { 'appImport.look': () => ({ hosts }) })
    expect([screen.queryByRole('button', { name: /^Import/ }), screen.getByRole('link', { name: 'Paste configuration' })]).toEqual([
      null,
      expect.anything(),
    ])
    fireEvent.click(button('Skip'))
    expect(link.paramsOf('settings.set')).toEqual([{ setup: ['no-servers'] }])
  })

  it('lists each server of other apps with what it lacks, and reviews the ticked ones alone', async () => {
    const stdio = (name: string, more: Partial<AppImportServer> = {}): AppImportServer => {
      const definition = { ...asDefined, transport: 'stdio' as const, command: name, args: ['--all'], env: {} }
      return { id: name, name, definition, secrets: [], problems: [], state: { kind: 'new' }, needs: [], ...more }
    }
    const servers = [
      stdio('files'),
      stdio('ledger', { needs: [{ kind: 'program', name: 'uv' }, { kind: 'key' }] }),
      stdio('old', { state: { kind: 'same', as: 'old' } }),
      stdio('demo', { state: { kind: 'different' }, needs: [{ kind: 'value' }] }),
    ]
    const look = () => ({ hosts: [{ host: 'cursor' as const, files: [{ path: '/c', servers, problems: [] }] }] })
    const { link, container } = await show({}, { 'appImport.look': look, 'appImport.take': () => new Promise<never>(() => undefined) })
    // Before the code of the list is there.
    expect([button('Skip'), screen.queryByRole('link', { name: 'Browse registry' })].every(Boolean)).toBe(true)
    await act(LazyImportReview.load)
    await waitFor(() => button('Import 2 servers'))
    expect(button('Import 2 servers')).toBeTruthy()
    expect(
      [...container.querySelectorAll('.found > li')].map((row) => [
        row.querySelector('.help')?.textContent,
        row.querySelector('input')?.checked,
      ]),
    ).toEqual([
      ['ready · Cursor', true],
      ['needs uv and a key · Cursor', true],
      ['needs a value · Cursor', false],
    ])
    fireEvent.click(screen.getByRole('checkbox', { name: 'Import “ledger”' }))
    expect(link.paramsOf('appImport.take')).toEqual([])
    fireEvent.click(button('Import 1 server'))
    await expect.poll(() => link.paramsOf('appImport.take')).toEqual([{ servers: [{ id: 'files', name: 'files', replace: false }] }])
  })

  it('is one line once servers are there', async () => {
    await show({ servers: [demo, makeServer({ name: 'files' })] })
    expect(screen.getByRole('heading', { name: /Servers: files/ })).toBeTruthy()
  })
})

describe('the examples', () => {
  it('stay until all are used: one that was used is greyed, and can be sent again', async () => {
    const { link, container } = await show({ settings: { setup: ['invoices'] } }, { 'chat.send': () => ({ conversationId: 'new' }) })
    expect([...container.querySelectorAll('.ex')].map((one) => one.className)).toEqual(['ex used', 'ex', 'ex'])
    fireEvent.click(button(/^Rename invoice 0417/))
    await act(settle)
    expect([link.paramsOf('chat.send'), link.paramsOf('settings.set'), window.location.hash]).toEqual([
      [{ text: 'Rename invoice 0417 to start with its date', model: practice.id }],
      [{ setup: ['invoices', 'rename'] }],
      '#/chat/new',
    ])
    fireEvent.click(button(/^List the sample invoices/))
    await act(settle)
    expect(link.paramsOf('chat.send')).toHaveLength(2)
  })

  it('are not offered where the demo server is not', async () => {
    const { container } = await show({ servers: [] })
    expect([container.querySelectorAll('.ex').length, screen.getByText('0 of 2 done')]).toEqual([0, expect.anything()])
  })
})

describe('the setup', () => {
  it('is hidden for good when the person hides it', async () => {
    const { link } = await show()
    fireEvent.click(button('Hide setup'))
    expect(link.paramsOf('settings.set')).toEqual([{ welcomed: true }])
  })

  it('goes by itself once all steps are done', async () => {
    const { link } = await show({
      models: [sonnet],
      settings: { defaultModel: sonnet.id, setup: ['no-servers', 'invoices', 'rename', 'room'] },
    })
    expect(link.paramsOf('settings.set')).toEqual([{ welcomed: true }])
  })
})

it('a model that becomes the default meanwhile is that of the next chat, whatever was chosen for it before', async () => {
  const { link } = await show({ models: [practice, found] })
  fireEvent.click(button(/Practice model/))
  await act(settle)
  fireEvent.click(screen.getByRole('menuitemradio', { name: /Practice/ }))
  const added = { ...found, id: 'lab/new', provider: 'lab', name: 'new one' }
  act(() => {
    link.tell('models.changed', { models: [practice, found, added], providers: [] })
    link.tell('settings.changed', { settings: { ...defaultSettings, defaultModel: added.id } })
  })
  expect(button(/new one/)).toBeTruthy()
})

describe('in daily use', () => {
  const chat = (id: string, updatedAt: number, more = {}) => makeConversation({ id, title: id, updatedAt, ...more })
  const allowed = (tool: string, count: number) =>
    Array.from({ length: count }, (_, seq) => ({
      ...{ seq, time: 1, kind: 'decision' as const, server: 'files', tool, decision: 'allowed', by: 'person', conversationId: 'c' },
      ...{ detail: { request: 'tool-call', scope: 'once' }, previous: '', hash: '' },
    }))
  const daily = { welcomed: true, defaultModel: sonnet.id }

  it('lists what waits first, then what is at work, then the latest; pinned chats apart', async () => {
    const list = [
      chat('late', 9),
      chat('early', 1),
      chat('busy', 2, { activity: { kind: 'working', turnId: 't', since: 1 } }),
      chat('asks', 3),
      chat('pinned', 10, { pinned: true }),
      chat('archived', 11, { archivedAt: 1 }),
    ]
    expect(recentChats(list, new Map([['asks', 2]])).map(({ id }) => id)).toEqual(['asks', 'busy', 'late', 'early'])
    await show({ conversations: list, consentRequests: [makeToolRequest({ conversationId: 'asks' })], settings: daily, models: [sonnet] })
    expect(screen.getAllByRole('link').flatMap(({ textContent }) => (textContent?.includes('1 request') ? [textContent] : []))).toEqual([
      'asks1 request',
    ])
    const pinned = screen.getByRole('heading', { name: 'Pinned' }).closest('section') as HTMLElement
    expect(
      within(pinned)
        .getAllByRole('link')
        .map(({ textContent }) => textContent?.startsWith('pinned')),
    ).toEqual([true])
  })

  it('says a clock today, else the day, and leads to a first prompt', async () => {
    const [now, then] = [Date.now(), new Date(2020, 4, 3).getTime()]
    await show({ conversations: [chat('new', now), chat('old', then)], settings: daily, models: [sonnet] })
    const times = [...document.querySelectorAll('.chat-links .when')].map(({ textContent }) => textContent)
    expect(times).toEqual([formatClock(now), '3 May 2020'])
    expect(screen.getByRole('link', { name: 'New prompt' }).getAttribute('href')).toBe('#/settings/personal')
  })

  it('suggests one rule at most, for what was allowed often, and never again once it was dismissed', async () => {
    const answers: FakeAnswers = { 'audit.list': () => ({ rows: [...allowed('rename_file', 6), ...allowed('read_file', 9)] }) }
    const shown = { settings: daily, models: [sonnet], servers: [demo, makeServer({ name: 'files' })] }
    const { link } = await show(shown, answers)
    const review = screen.getByRole('link', { name: 'Review rule…' })
    expect(review.getAttribute('href')).toBe('#/activity/rules/files/read_file')
    fireEvent.click(button('Dismiss'))
    expect(link.paramsOf('settings.set')).toEqual([{ dismissed: ['rule files read_file'] }])
    cleanup()
    await show({ ...shown, settings: { ...daily, dismissed: ['rule files read_file', 'rule files rename_file'] } }, answers)
    expect(screen.queryByRole('link', { name: 'Review rule…' })).toBeNull()
  })

  it('suggests nothing for what was seldom allowed, or has a rule', async () => {
    const rule = { id: 'r', effect: 'allow', server: 'files', tool: 'read_file', scope: { kind: 'always' }, createdAt: 1 } as const
    await show(
      { settings: daily, models: [sonnet], servers: [makeServer({ name: 'files' })], rules: [rule] },
      { 'audit.list': () => ({ rows: [...allowed('rename_file', 4), ...allowed('read_file', 9)] }) },
    )
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Review rule…' })).toBeNull())
  })

  it('says which keys open the lists of the composer, and that the practice model is not an AI', async () => {
    const { container } = await show({ settings: { welcomed: true } })
    expect([...container.querySelectorAll('.hintline kbd')].map(({ textContent }) => textContent)).toEqual(['/', '@'])
    expect(screen.getByText('The practice model is not an AI.')).toBeTruthy()
  })
})
