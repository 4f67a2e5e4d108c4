import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { NewChat } from '../../../pages/chat-page.tsx'
import { ModelPicker, modelFacts } from './model-picker.tsx'

afterEach(cleanup)

const provider = (id: string, name: string): ProviderSummary => ({ id, name, key: { kind: 'not-needed' }, modelCount: 1 })
const model = (id: string, change: Partial<ModelInfo> = {}): ModelInfo => ({
  id,
  provider: id.slice(0, id.indexOf('/')),
  name: id.slice(id.indexOf('/') + 1),
  ai: true,
  ...change,
})

async function openMenu(models: readonly ModelInfo[]) {
  const link = createFakeConnection({
    snapshot: {
      conversations: [makeConversation({ model: models[0]?.id ?? '' })],
      models: [...models],
      providers: [provider('anthropic', 'Anthropic'), provider('lab', 'Test lab')],
    },
  })
  await renderWith(<ModelPicker conversationId="c1" model={models[0]?.id ?? ''} />, link)
  fireEvent.click(screen.getByTitle('Model'))
  await act(settle)
  return link
}
const shown = (): (string | null)[] => screen.getAllByRole('menuitemradio').map((one) => one.textContent)

describe('the model menu', () => {
  it('groups the models by who has them, says what each can do, and chooses one', async () => {
    const link = await openMenu([model('anthropic/large', { contextTokens: 200_000, images: true }), model('lab/small', { tools: false })])
    const groups = screen.getAllByRole('group', { name: /Anthropic|Test lab/ })
    expect(groups.map((group) => within(group).getAllByRole('menuitemradio').length)).toEqual([1, 1])
    expect(shown()).toEqual([expect.stringMatching(/large.*200k.*images/), expect.stringMatching(/small.*no tools/)])
    expect(screen.queryByLabelText('Find a model')).toBeNull()
    fireEvent.click(screen.getByRole('menuitemradio', { name: /small/ }))
    expect(link.paramsOf('conversation.setModel')).toEqual([{ id: 'c1', model: 'lab/small' }])
  })

  it('says what a model costs and what becomes of it, and hides what cannot chat', async () => {
    await openMenu([
      model('lab/old', { price: { input: 5, output: 30 }, reasoning: true, status: 'deprecated' }),
      model('lab/gift', { price: { input: 0, output: 0 }, status: 'preview' }),
      model('lab/embedding', { chat: false }),
    ])
    expect(shown()).toEqual([expect.stringMatching(/deprecated.*\$5\.00.*\$30\.00.*thinking/), expect.stringMatching(/preview.*free/)])
  })

  it('begins with the favourites, which the keyboard adds and removes', async () => {
    const models = [model('anthropic/large'), model('lab/small'), model('lab/tiny')]
    const link = createFakeConnection({
      snapshot: {
        models,
        settings: { ...defaultSettings, favouriteModels: ['lab/tiny'] },
        conversations: [makeConversation({ model: 'lab/small' })],
        providers: [provider('anthropic', 'Anthropic'), provider('lab', 'Test lab')],
      },
    })
    await renderWith(<ModelPicker conversationId="c1" model="lab/small" />, link)
    fireEvent.click(screen.getByTitle('Model'))
    await act(settle)
    const favourites = screen.getByRole('group', { name: 'Favourites' })
    expect(within(favourites).getAllByRole('menuitemradio').length).toBe(1)
    expect(shown().map((text) => text?.match(/large|small|tiny/)?.[0])).toEqual(['tiny', 'large', 'small'])
    const add = screen.getByRole('menuitem', { name: /^Add small/ })
    act(() => add.focus())
    fireEvent.keyDown(add, { key: 'Enter' })
    await act(settle)
    expect(link.paramsOf('settings.set')).toEqual([{ favouriteModels: ['lab/tiny', 'lab/small'] }])
  })

  it('counts for a new chat at once, though the host has not said so yet', async () => {
    const models = [model('anthropic/large'), model('lab/small')]
    const link = createFakeConnection({
      snapshot: { models, providers: [provider('anthropic', 'Anthropic'), provider('lab', 'Test lab')] },
      answers: { 'settings.set': () => new Promise<never>(() => undefined) },
    })
    await renderWith(<NewChat />, link)
    fireEvent.click(screen.getByTitle('Model'))
    await act(settle)
    fireEvent.click(screen.getByRole('menuitemradio', { name: /small/ }))
    const composer = screen.getByRole('textbox', { name: 'Message' })
    fireEvent.input(composer, { target: { value: 'Hello' } })
    fireEvent.keyDown(composer, { key: 'Enter' })
    await act(settle)
    expect(link.paramsOf('settings.set')).toContainEqual({ defaultModel: 'lab/small' })
    expect(link.paramsOf('chat.send')).toEqual([{ text: 'Hello', model: 'lab/small' }])
  })

  it('finds one of many by what is typed', async () => {
    await openMenu(Array.from({ length: 13 }, (_, at) => model(`${at < 6 ? 'anthropic' : 'lab'}/model-${at}`, { contextTokens: 12_000 })))
    fireEvent.change(screen.getByLabelText('Find a model'), { target: { value: '12' } })
    await act(settle)
    expect(shown()).toEqual([expect.stringContaining('model-12')])
  })
})

it('only what is known is said of a model', () => {
  expect([
    modelFacts(model('a/b')),
    modelFacts(model('a/b', { images: false, documents: true, tools: true })),
    modelFacts(model('a/b', { ai: false, images: false })),
  ]).toEqual(['', 'tools · no images · PDFs', ''])
})
