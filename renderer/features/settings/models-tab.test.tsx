import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { ModelInfo, ModelPull, ProviderSummary } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { createFakeConnection, type FakeAnswers } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const ollama: ProviderSummary = {
  ...{ id: 'ollama', name: 'Ollama', key: { kind: 'not-needed' }, endpoint: 'local', ollama: true, modelCount: 1 },
  baseUrl: 'http://127.0.0.1:11434/v1',
}
const llama: ModelInfo = {
  ...{ id: 'ollama/llama', provider: 'ollama', name: 'llama', contextTokens: 8192, ai: true },
  ollama: { digest: 'd', bytes: 4e9, most: 131_072 },
}
const added: ProviderSummary = {
  ...{ id: 'lab', name: 'Lab', key: { kind: 'not-needed' }, endpoint: 'added', format: 'openai', modelCount: 1 },
  baseUrl: 'https://lab.example.com/v1',
  headers: { 'X-Team': 'blue', 'X-Api-Token': '' },
}
function open(answers: FakeAnswers = {}, { pulls = [], hash = '#/settings/models' }: { pulls?: ModelPull[]; hash?: string } = {}) {
  const link = createFakeConnection({
    snapshot: { models: [llama], providers: [added, ollama], pulls },
    answers: { 'models.catalogue': () => ({ date: '2026-07-02' }), 'endpoint.variables': () => ({ variables: [] }), ...answers },
  })
  renderAt(link, hash)
  return link
}
/** Chooses from the menu of a provider's row. */
const more = async (provider: string, item: string): Promise<void> => {
  fireEvent.click(await screen.findByRole('button', { name: `More about ${provider}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const press = async (name: string | RegExp): Promise<void> => void fireEvent.click(await screen.findByRole('button', { name }))

it('a pull begins only after its size was shown and allowed', async () => {
  const link = open({ 'models.pullSize': () => ({ bytes: 4_700_000_000 }), 'models.pull': () => ({}) })
  await more('Ollama', 'Download a model…')
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' qwen3:8b ' } })
  await press('Next')
  await screen.findByRole('heading', { name: 'Download: qwen3:8b' })
  expect(link.paramsOf('models.pull')).toEqual([])
  await press('Download')
  await waitFor(() => expect(link.paramsOf('models.pull')).toEqual([{ endpoint: 'ollama', model: 'qwen3:8b' }]))
})

it('the address of a missing model opens its pull', async () => {
  open({}, { hash: '#/settings/models/ollama%2Fqwen3%3A8b' })
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('qwen3:8b')
})

it('a download shows its bytes and can be cancelled; a failed one says why', async () => {
  const running = { endpoint: 'ollama', model: 'big', completed: 1e9, total: 4e9 }
  const error = { code: 'model.server-error' as const, message: 'Ollama failed.', data: { detail: 'file does not exist' } }
  const link = open(
    { 'models.cancelPull': () => ({}) },
    { pulls: [running, { endpoint: 'ollama', model: 'none', completed: 0, total: 0, error }] },
  )
  expect((await screen.findByRole('progressbar', { name: 'Download: big' })).getAttribute('aria-valuenow')).toBe('25')
  expect(screen.getByRole('alert').textContent).toContain('file does not exist')
  await press('Cancel big')
  expect(link.paramsOf('models.cancelPull')).toEqual([{ endpoint: 'ollama', model: 'big' }])
})

it('the context of a model can be corrected up to what it reads', async () => {
  const link = open({ 'settings.set': () => ({}) })
  await press('1 model of Ollama')
  await press('Change llama')
  const field = screen.getByLabelText(/^Context/)
  fireEvent.change(field, { target: { value: '200000' } })
  await press('Save')
  expect([field.getAttribute('aria-invalid'), link.paramsOf('settings.set')]).toEqual(['true', []])
  fireEvent.change(field, { target: { value: '16384' } })
  await press('Save')
  await waitFor(() => expect(link.paramsOf('settings.set')).toEqual([{ contextSizes: { 'ollama/llama': 16_384 } }]))
})

it('headers and query parameters are rows of the form; a kept secret stays as it is', async () => {
  const link = open({ 'endpoint.save': () => ({ id: 'lab', models: 1 }) })
  await more('Lab', 'Change')
  const form = within(screen.getByRole('form', { name: 'Change Lab' }))
  expect(form.getByLabelText<HTMLInputElement>('Value of X-Api-Token').value).toBe('')
  fireEvent.click(form.getByRole('button', { name: 'Add query parameter' }))
  fireEvent.change(form.getByLabelText('Parameter'), { target: { value: 'api-version' } })
  fireEvent.click(form.getByRole('button', { name: 'Check and save' }))
  expect([form.getByText('Required').textContent !== '', link.paramsOf('endpoint.save')]).toEqual([true, []])
  fireEvent.change(form.getByLabelText('Value of api-version'), { target: { value: 'preview' } })
  fireEvent.click(form.getByRole('button', { name: 'Remove X-Team' }))
  fireEvent.click(form.getByRole('button', { name: 'Check and save' }))
  await waitFor(() =>
    expect(link.paramsOf('endpoint.save')).toEqual([
      {
        id: 'lab',
        name: 'Lab',
        baseUrl: 'https://lab.example.com/v1',
        headers: { 'X-Api-Token': '' },
        query: { 'api-version': 'preview' },
      },
    ]),
  )
})

it('the catalogue is refreshed on request, from an address that is shown before; a failure says why', async () => {
  const link = open({
    'models.refreshCatalogue': () => {
      throw new HostError('model.offline', 'models.dev could not be reached.')
    },
  })
  fireEvent.click(await screen.findByRole('radio', { name: 'Models 1' }))
  await screen.findByText(/^Catalogue of models: .*2026/)
  expect(screen.getByText(/https:\/\/models\.dev\/api\.json/)).toBeDefined()
  expect(link.paramsOf('models.refreshCatalogue')).toEqual([])
  await press('Refresh')
  expect((await screen.findByRole('alert')).textContent).toContain('models.dev could not be reached.')
})

it('a preset without a key has a row in which one is pasted and connected', async () => {
  const link = open({ 'endpoint.save': () => ({ id: 'deepseek', models: 2 }) })
  const field = await screen.findByLabelText<HTMLInputElement>('DeepSeek')
  expect(screen.getAllByRole('button', { name: 'Get a key' }).length).toBeGreaterThan(1)
  fireEvent.change(field, { target: { value: ' sk-1 ' } })
  await press('Connect')
  await waitFor(() =>
    expect(link.paramsOf('endpoint.save')).toEqual([{ name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', key: 'sk-1' }]),
  )
})

it('the catalogue is filtered and sorted, and marks favourites, which come first', async () => {
  const model = (id: string, part: Partial<ModelInfo>): ModelInfo => ({ id: `lab/${id}`, provider: 'lab', name: id, ai: true, ...part })
  const models = [
    model('big', { contextTokens: 1_000_000, tools: true, price: { input: 3, output: 15 } }),
    model('small', { contextTokens: 32_000, price: { input: 0.3, output: 1 } }),
    model('blind', { images: false }),
  ]
  const link = createFakeConnection({
    snapshot: { models, providers: [added] },
    answers: { 'models.catalogue': () => ({ date: '2026-07-02' }), 'settings.set': () => ({}) },
  })
  renderAt(link, '#/settings/models')
  fireEvent.click(await screen.findByRole('radio', { name: 'Models 3' }))
  const names = (): (string | null)[] => [...document.querySelectorAll('.cat tbody b')].map(({ textContent }) => textContent)
  expect([names(), [...document.querySelectorAll('.cat tbody tr:first-child .num')].map(({ textContent }) => textContent)]).toEqual([
    ['big', 'small', 'blind'],
    ['1M', '$3.00', '$15.00'],
  ])
  await press('Under $1')
  expect(names()).toEqual(['small'])
  await press('Under $1')
  fireEvent.change(screen.getByRole('combobox', { name: 'Sort' }), { target: { value: 'price' } })
  expect(names()).toEqual(['small', 'big', 'blind'])
  await press('Favourite: blind')
  expect(link.paramsOf('settings.set')).toEqual([{ favouriteModels: ['lab/blind'] }])
  link.tell('settings.changed', { settings: { ...defaultSettings, favouriteModels: ['lab/blind'] } })
  await waitFor(() => expect(names()).toEqual(['blind', 'small', 'big']))
})
