import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ChatParameters, ModelInfo } from '#app/models/models.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { ChatSettings, errorsIn, fromDraft, toDraft, unheeded } from './chat-settings.tsx'

afterEach(cleanup)

const sonnet: ModelInfo = { id: 'anthropic/s', provider: 'anthropic', name: 'Sonnet', ai: true, efforts: ['none', 'low', 'high'] }

async function openSettings(parameters: ChatParameters | undefined, conversationId: string | undefined, info = sonnet) {
  const conversation = makeConversation(parameters ? { parameters, model: sonnet.id } : { model: sonnet.id })
  const link = createFakeConnection({ snapshot: { conversations: [conversation], models: [info] } })
  let closed = false
  await renderWith(<ChatSettings conversationId={conversationId} model={sonnet.id} onClose={() => (closed = true)} />, link)
  const fill = (label: string, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const save = async (): Promise<void> => {
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await act(settle)
  }
  return { link, fill, save, isClosed: () => closed }
}

describe('the settings of a chat', () => {
  it('are shown as they are and saved as a whole, without what is empty', async () => {
    const { link, fill, save, isClosed } = await openSettings({ systemPrompt: 'Rhyme.', temperature: 1 }, 'c1')
    fill('Temperature', '')
    fill('Thinking', 'high')
    fill('Longest answer', '2000')
    await save()
    expect([link.paramsOf('conversation.setParameters'), isClosed()]).toEqual([
      [{ id: 'c1', parameters: { systemPrompt: 'Rhyme.', effort: 'high', maxTokens: 2000 } }],
      true,
    ])
  })

  it('offer the search of the web only where the provider has one, off by default', async () => {
    await openSettings(undefined, 'c1')
    expect(screen.queryByLabelText(/Search the web/)).toBeNull()
    cleanup()
    const { link, save } = await openSettings(undefined, 'c1', { ...sonnet, webSearch: true })
    fireEvent.click(screen.getByLabelText(/Search the web/))
    await save()
    expect(link.paramsOf('conversation.setParameters')).toEqual([{ id: 'c1', parameters: { webSearch: true } }])
  })

  it('are not saved while one is wrong', async () => {
    const { link, fill, save, isClosed } = await openSettings(undefined, 'c1')
    fill('Temperature', '3')
    await save()
    expect([link.paramsOf('conversation.setParameters'), isClosed()]).toEqual([[], false])
    expect(screen.getByLabelText('Temperature').getAttribute('aria-invalid')).toBe('true')
  })

  it('without a chat are those of new chats', async () => {
    const { link, fill, save } = await openSettings(undefined, undefined)
    fill('System prompt', 'Be brief.')
    await save()
    expect(link.paramsOf('settings.set')).toEqual([{ chatParameters: { systemPrompt: 'Be brief.' } }])
  })
})

describe('a setting that the model does not know', () => {
  const draft = toDraft({})
  it.each<[string, ModelInfo, Partial<typeof draft>, object]>([
    [
      'is left out',
      { ...sonnet, efforts: [] },
      { effort: 'high', temperature: '1' },
      { effort: expect.any(String), temperature: expect.any(String) },
    ],
    ['is taken for the nearest', sonnet, { effort: 'max' }, { effort: expect.stringContaining('High') }],
    ['is heeded where it is known', { ...sonnet, provider: 'ollama' }, { effort: 'low', temperature: '1' }, {}],
  ])('%s', (_, model, change, expected) => {
    expect(unheeded(model, { ...draft, ...change })).toEqual(expected)
  })

  it('comes back from its draft as it went in', () => {
    const all: ChatParameters = { systemPrompt: 'x', temperature: 0.5, maxTokens: 5, effort: 'none' }
    expect([fromDraft(toDraft(all)), fromDraft(toDraft({}))]).toEqual([all, {}])
    expect(Object.keys(errorsIn({ ...draft, temperature: 'hot', maxTokens: '0.5' }))).toEqual(['temperature', 'maxTokens'])
  })
})
