import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { NewChat } from '../../pages/chat-page.tsx'
import { whenIdle } from './code/when-idle.ts'

afterEach(cleanup)

const practice: ModelInfo = { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }
const found: ModelInfo = { id: 'ollama/small', provider: 'ollama', name: 'small', ai: true }
const ollama: ProviderSummary = { id: 'ollama', name: 'Ollama', endpoint: 'local', key: { kind: 'not-needed' }, modelCount: 1 }

async function show(models: readonly ModelInfo[]) {
  const link = createFakeConnection({ snapshot: { models: [...models] } })
  await renderWith(<NewChat />, link)
  return link
}

it('where there is no AI, models of this computer are looked for unasked, offered, and used only once one is chosen', async () => {
  const link = await show([practice])
  await expect.poll(() => link.paramsOf('models.look')).toEqual([{}])
  act(() => link.tell('models.changed', { models: [practice, found], providers: [ollama] }))
  await act(settle)
  expect(link.paramsOf('settings.set')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Choose a model' }))
  await act(settle)
  fireEvent.click(screen.getByRole('menuitemradio', { name: /small/ }))
  expect(link.paramsOf('settings.set')).toEqual([{ defaultModel: 'ollama/small' }])
})

it('where the practice model was chosen beside an AI, nobody looks', async () => {
  const link = await show([practice, { ...found, id: 'anthropic/large', provider: 'anthropic' }])
  await new Promise<void>((resolve) => whenIdle(resolve))
  expect([screen.queryByText(/is not an AI/) !== null, link.paramsOf('models.look')]).toEqual([true, []])
})

it('a model that becomes the default meanwhile is that of the next chat, whatever was chosen for it before', async () => {
  const link = await show([practice, found])
  fireEvent.click(screen.getByRole('button', { name: /Practice model/ }))
  await act(settle)
  fireEvent.click(screen.getByRole('menuitemradio', { name: /Practice/ }))
  const added = { ...found, id: 'lab/new', provider: 'lab', name: 'new one' }
  act(() => {
    link.tell('models.changed', { models: [practice, found, added], providers: [] })
    link.tell('settings.changed', { settings: { ...defaultSettings, defaultModel: added.id } })
  })
  expect(screen.getByRole('button', { name: /new one/ })).toBeTruthy()
})
