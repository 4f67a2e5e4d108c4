import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { ProviderSummary } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeSnapshot } from '#renderer/testing/builders.ts'
import { createFakeConnection, type FakeAnswers, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

type Key = ProviderSummary['key']
const anthropic = (key: Key, change: Partial<ProviderSummary> = {}): ProviderSummary => ({
  id: 'anthropic',
  name: 'Anthropic',
  key,
  modelCount: 4,
  ...change,
})
const kept: Key = { kind: 'set', hint: 'sk-ant-…q7Rw', source: 'keyring' }
const models = [
  { id: 'anthropic/claude', provider: 'anthropic' as const, name: 'Claude', ai: true },
  { id: 'practice/practice', provider: 'practice' as const, name: 'Practice model', ai: false },
]
const open = (
  tab: string,
  provider: ProviderSummary = anthropic({ kind: 'missing' }),
  answers: FakeAnswers = {},
  secrets: 'keyring' | 'memory' = 'keyring',
  settings = defaultSettings,
): FakeConnection => {
  const { shell } = makeSnapshot()
  const link = createFakeConnection({ snapshot: { models, providers: [provider], settings, shell: { ...shell, secrets } }, answers })
  renderAt(link, `#/settings/${tab}`)
  return link
}
const keyField = () => screen.findByLabelText<HTMLInputElement>('Anthropic')
const enterKey = async (key: string): Promise<void> => {
  fireEvent.change(await keyField(), { target: { value: key } })
  fireEvent.click(screen.getByRole('button', { name: 'Connect' }))
}
/** Chooses from the menu of a provider's row. */
const more = async (provider: string, item: string): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: `More about ${provider}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}

describe('models', () => {
  it('checks a key and lets go of it once it is kept', async () => {
    const link = open('models', undefined, { 'key.set': () => ({ models: 4 }) })
    expect((await keyField()).type).toBe('password')
    await enterKey('  sk-ant-123 ')
    await waitFor(async () => expect((await keyField()).value).toBe(''))
    expect(link.paramsOf('key.set')).toEqual([{ provider: 'anthropic', key: 'sk-ant-123' }])
  })

  it('keeps what was typed and says why when the key is refused', async () => {
    open('models', undefined, {
      'key.set': () => {
        throw new HostError('model.key-refused', 'The key was refused.')
      },
    })
    await enterKey('sk-ant-bad')
    const field = await keyField()
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(field.value).toBe('sk-ant-bad')
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.querySelector('.err')).not.toBeNull()
  })

  it('shows the key on request only', async () => {
    open('models')
    const field = await keyField()
    fireEvent.change(field, { target: { value: 'sk' } })
    fireEvent.click(screen.getByRole('button', { name: 'Show the value of API key' }))
    expect(field.type).toBe('text')
  })

  it('replaces and removes a key that is kept', async () => {
    const link = open('models', anthropic(kept))
    await more('Anthropic', 'Remove')
    expect(link.paramsOf('key.remove')).toEqual([{ provider: 'anthropic' }])
    await more('Anthropic', 'Replace key')
    await waitFor(async () => expect(document.activeElement).toBe(await keyField()))
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('sk-ant-…q7Rw')).toBeTruthy()
  })

  it('offers no change of a key from the environment', async () => {
    open('models', anthropic({ ...kept, source: 'environment' }))
    await screen.findByText('sk-ant-…q7Rw')
    fireEvent.click(await screen.findByRole('button', { name: 'More about Anthropic' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Check again'])
  })

  it('warns where keys do not outlive the run', async () => {
    open('models', anthropic({ ...kept, source: 'memory' }), {}, 'memory')
    await screen.findByText('sk-ant-…q7Rw')
    expect(document.querySelectorAll('.warntext, .badge.warn').length).toBe(2)
  })

  it('sets the model of new chats, and says which is no AI', async () => {
    const link = open('models')
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Default model' })
    expect([...select.options].map((option) => option.text.includes('not an AI'))).toEqual([false, true])
    fireEvent.change(select, { target: { value: 'anthropic/claude' } })
    expect(link.paramsOf('settings.set')).toEqual([{ defaultModel: 'anthropic/claude' }])
  })
})

describe('endpoints', () => {
  const router: ProviderSummary = {
    id: 'router',
    name: 'Router',
    endpoint: 'added',
    baseUrl: 'https://router.example/v1',
    key: { kind: 'set', hint: 'sk-…81fd', source: 'keyring' },
    modelCount: 2,
  }
  const form = () => within(screen.getByRole('form', { name: /Add another provider|Change / }))
  const check = (): void => void fireEvent.click(form().getByRole('button', { name: 'Check and save' }))
  const fill = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } })

  it('are looked for on this computer when the page opens, and again when asked', async () => {
    const link = open('models', {
      ...{ id: 'ollama', name: 'Ollama', endpoint: 'local', baseUrl: 'http://127.0.0.1:11434/v1', modelCount: 0 },
      key: { kind: 'not-needed' },
      error: { code: 'model.offline', message: 'Nothing answers.' },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Check again Ollama' }))
    expect(link.paramsOf('models.look')).toEqual([{}, { again: true }])
  })

  it('are added by service or address, with what was wrong in its place, and kept unchecked only when asked', async () => {
    const link = open('models', undefined, {
      'endpoint.variables': () => ({ variables: [] }),
      'endpoint.save': ({ unchecked }) => {
        if (unchecked) return { id: 'openrouter', models: 0 }
        throw new HostError('model.key-missing', 'OpenRouter wants a key.')
      },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Add another provider' }))
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'openrouter' } })
    check()
    await waitFor(() => expect(screen.getByLabelText(/^Key\b/).getAttribute('aria-invalid')).toBe('true'))
    const unchecked = screen.getByRole('button', { name: 'Save anyway' })
    unchecked.focus()
    fireEvent.click(unchecked)
    const add = await screen.findByRole('button', { name: 'Add another provider' })
    await waitFor(() => expect(document.activeElement).toBe(add))
    const sent = { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' }
    expect(link.paramsOf('endpoint.save')).toEqual([sent, { ...sent, unchecked: true }])
  })

  it('take a key from the environment only when the person says so, and fill in what a vendor needs', async () => {
    const link = open('models', undefined, {
      'endpoint.variables': () => ({ variables: ['AZURE_OPENAI_API_KEY'] }),
      'endpoint.save': () => ({ id: 'azure-openai', models: 1 }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Add another provider' }))
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'azure' } })
    const offer = await screen.findByRole('switch', { name: /AZURE_OPENAI_API_KEY/ })
    expect(offer.getAttribute('aria-checked') ?? String((offer as HTMLInputElement).checked)).toBe('false')
    check()
    expect(link.paramsOf('endpoint.save')).toEqual([])
    fill('Resource', 'my-lab')
    fireEvent.click(offer)
    expect(screen.queryByLabelText(/^Key\b/)).toBeNull()
    check()
    await screen.findByRole('button', { name: 'Add another provider' })
    const baseUrl = 'https://my-lab.openai.azure.com/openai/v1'
    expect(link.paramsOf('endpoint.save')).toEqual([
      { name: 'Azure OpenAI', baseUrl, format: 'openai-responses', keyEnv: 'AZURE_OPENAI_API_KEY' },
    ])
  })

  it('speak the format that is chosen for another address', async () => {
    const link = open('models', undefined, { 'endpoint.save': () => ({ id: 'lab', models: 1 }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Add another provider' }))
    fill('Name', 'Lab')
    fill('Format', 'anthropic')
    fill('Address', 'https://lab.example')
    check()
    await screen.findByRole('button', { name: 'Add another provider' })
    expect(link.paramsOf('endpoint.save')).toEqual([{ name: 'Lab', baseUrl: 'https://lab.example', format: 'anthropic' }])
  })

  it('warn of http that leaves this computer, and take no address that is none', async () => {
    const link = open('models')
    fireEvent.click(await screen.findByRole('button', { name: 'Add another provider' }))
    fill('Name', 'Lab')
    const address = screen.getByLabelText('Address')
    const warned: boolean[] = []
    for (const typed of ['http://localhost:1', 'http://10.0.0.2/v1', 'ftp://a']) {
      fireEvent.change(address, { target: { value: typed } })
      warned.push(document.querySelector('.endpoint-form .warntext') !== null)
    }
    expect(warned).toEqual([false, true, false])
    expect(address.getAttribute('aria-invalid')).toBe('true')
    check()
    expect(link.paramsOf('endpoint.save')).toEqual([])
  })

  it('are changed without their key going anywhere, and removed', async () => {
    const link = open('models', router, { 'endpoint.save': () => ({ id: 'router', models: 2 }) })
    await more('Router', 'Change')
    fill('Name', 'My router')
    check()
    await more('Router', 'Remove')
    expect(link.paramsOf('endpoint.save')).toEqual([{ id: 'router', name: 'My router', baseUrl: 'https://router.example/v1' }])
    expect(link.paramsOf('endpoint.remove')).toEqual([{ id: 'router' }])
  })
})

describe('permissions and limits', () => {
  it('has a select for each kind of tool, with its default or the way back to it', async () => {
    const link = open('permissions', undefined, {}, 'keyring', { ...defaultSettings, consentMode: 'ask-writes' })
    const reads = await screen.findByLabelText<HTMLSelectElement>(/^Tools that only read/)
    const changes = screen.getByLabelText<HTMLSelectElement>(/^Tools that change something/)
    expect([reads.value, changes.value]).toEqual(['allow', 'ask'])
    expect([...changes.options].map(({ text }) => text)).toEqual(['Ask', 'Always ask', 'Never ask'])
    fireEvent.click(screen.getByRole('button', { name: 'Reset Tools that only read' }))
    fireEvent.change(changes, { target: { value: 'always-ask' } })
    expect(link.paramsOf('settings.set')).toEqual([{ consentMode: 'rules' }, { consentMode: 'ask-all' }])
  })

  it('saves a number in range when the field is left, and nothing else', async () => {
    const link = open('permissions')
    const limit = await screen.findByRole('textbox', { name: /^Tool timeout/ })
    for (const wrong of ['', '0', '1.5', '90000', 'soon']) {
      fireEvent.change(limit, { target: { value: wrong } })
      fireEvent.blur(limit)
    }
    expect(link.paramsOf('settings.set')).toEqual([])
    expect(limit.getAttribute('aria-invalid')).toBe('true')
    fireEvent.change(limit, { target: { value: '120' } })
    fireEvent.keyDown(limit, { key: 'Enter' })
    expect(link.paramsOf('settings.set')).toEqual([{ callTimeoutMs: 120_000 }])
  })

  it('takes 0 for servers that are to be left alone', async () => {
    const link = open('permissions')
    const pings = await screen.findByRole('textbox', { name: /^Health check/ })
    fireEvent.change(pings, { target: { value: '0' } })
    fireEvent.keyDown(pings, { key: 'Enter' })
    expect(link.paramsOf('settings.set')).toEqual([{ pingSeconds: 0 }])
  })

  it('is what errors call the general settings', async () => {
    open('general')
    expect(await screen.findByRole('textbox', { name: /^Steps/ })).toBeTruthy()
  })
})

describe('appearance', () => {
  it('applies a theme as soon as the host has it', async () => {
    const link = open('appearance')
    fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }))
    expect(link.paramsOf('settings.set')).toEqual([{ theme: 'dark' }])
    link.tell('settings.changed', { settings: { ...defaultSettings, theme: 'dark' } })
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'))
    link.tell('settings.changed', { settings: defaultSettings })
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBeUndefined())
  })

  it('offers each setting its default again', async () => {
    const link = createFakeConnection({
      snapshot: { settings: { ...defaultSettings, theme: 'dark', accent: 'plum', textSize: 125, density: 'compact', codeFont: 'Hack' } },
    })
    renderAt(link, '#/settings/appearance')
    await screen.findByRole('button', { name: 'Reset Theme' })
    for (const reset of screen.getAllByRole('button', { name: /^Reset/ })) fireEvent.click(reset)
    const { theme, accent, textSize, density, codeFont } = defaultSettings
    expect(link.paramsOf('settings.set')).toEqual([{ theme }, { accent }, { textSize }, { density }, { codeFont }])
  })

  it('saves the name of a font once it is typed, and none that a style sheet would read otherwise', async () => {
    const link = open('appearance')
    const field = await screen.findByRole('combobox', { name: /^Code font/ })
    fireEvent.change(field, { target: { value: 'x", url(y)' } })
    fireEvent.blur(field)
    expect([field.getAttribute('aria-invalid'), link.paramsOf('settings.set')]).toEqual(['true', []])
    fireEvent.change(field, { target: { value: 'Berkeley Mono' } })
    fireEvent.blur(field)
    expect(link.paramsOf('settings.set')).toEqual([{ codeFont: 'Berkeley Mono' }])
  })
})

describe('data and shortcuts', () => {
  it('name the data folder and the version', async () => {
    open('data')
    expect(await screen.findByText(makeSnapshot().dataDir)).toBeTruthy()
    expect(screen.getByText(makeSnapshot().version)).toBeTruthy()
  })

  it('have the shell’s variables read again, and say when that is done', async () => {
    const link = open('data')
    link.answer({ 'app.readEnvironment': () => ({ folders: 12, source: 'login-shell' }) })
    fireEvent.click(await screen.findByRole('button', { name: 'Reload' }))
    await waitFor(() => expect(screen.getAllByRole('status').at(-1)?.textContent).toBe('Done'))
  })

  describe('shortcuts', () => {
    const keysOf = (words: RegExp): HTMLElement => screen.getByRole('button', { name: words })
    const record = (words: RegExp, ...presses: readonly object[]): void => {
      fireEvent.click(keysOf(words))
      for (const press of presses) fireEvent.keyDown(screen.getByRole('button', { name: 'Press the keys' }), press)
    }
    const p = { key: 'p', code: 'KeyP', metaKey: true }

    it('are written as the person’s system does, and changed by pressing keys, which nothing else takes meanwhile', async () => {
      const link = open('shortcuts')
      await screen.findByRole('button', { name: 'New chat: Command N' })
      expect(keysOf(/^New chat: /).textContent).toBe('⌘N')
      record(/^New chat/, { key: 'Meta', metaKey: true }, { key: 'k', code: 'KeyK', metaKey: true })
      expect(screen.queryByRole('dialog')).toBeNull()
      expect(screen.getByRole('alert').textContent).toBe('“Commands, chats and servers” uses these keys.')
      fireEvent.keyDown(screen.getByRole('button', { name: 'Press the keys' }), p)
      await waitFor(() => expect(link.paramsOf('settings.set')).toEqual([{ shortcuts: { newChat: { key: 'p', mod: true } } }]))
    })

    it('take keys of another, which then has none, or go back as they were', async () => {
      const link = open('shortcuts')
      await screen.findByRole('button', { name: 'New chat: Command N' })
      record(/^New chat/, { key: 'Escape' })
      record(/^New chat/, { key: 'k', code: 'KeyK', metaKey: true })
      fireEvent.click(screen.getByRole('button', { name: 'Use them here' }))
      await waitFor(() =>
        expect(link.paramsOf('settings.set')).toEqual([{ shortcuts: { newChat: { key: 'k', mod: true }, commands: null } }]),
      )
    })

    it('never allow by a plain key, and say which keys are not to be had', async () => {
      const link = open('shortcuts')
      await screen.findByRole('button', { name: 'New chat: Command N' })
      record(/^Allow as chosen/, { key: 'a', code: 'KeyA' })
      expect(screen.getByRole('alert').textContent).toBe('Hold ⌘ or ⌥ with it.')
      record(/^Library/, { key: 'c', code: 'KeyC', metaKey: true })
      expect(screen.getByRole('alert').textContent).toBe('Another app has these keys.')
      expect(link.paramsOf('settings.set')).toEqual([])
    })

    it('come back one by one and together', async () => {
      const own = { newChat: null, library: { key: 'n', mod: true } } as const
      const link = open('shortcuts', undefined, {}, 'keyring', { ...defaultSettings, shortcuts: own })
      await screen.findByRole('button', { name: 'New chat: none' })
      fireEvent.click(screen.getByRole('button', { name: 'Reset: New chat' }))
      expect(screen.getByRole('alert').textContent).toBe('“Library” uses these keys.')
      fireEvent.click(screen.getByRole('button', { name: 'Use them here' }))
      fireEvent.click(screen.getByRole('button', { name: 'Reset all' }))
      await waitFor(() => expect(link.paramsOf('settings.set')).toEqual([{ shortcuts: { library: null } }, { shortcuts: {} }]))
    })
  })
})
