import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { modeLabels } from '#renderer/features/chat/settings/mode-picker.tsx'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { FolderPage } from './folder-page.tsx'

afterEach(cleanup)

const model = (id: string) => ({ id: `lab/${id}`, provider: 'lab', name: id, ai: true })

async function choose(trigger: string, choice: RegExp): Promise<void> {
  fireEvent.click(screen.getByTitle(trigger))
  await act(settle)
  fireEvent.click(screen.getByRole('menuitemradio', { name: choice }))
  await act(settle)
}

it('what is chosen for a new chat in a folder counts in that chat alone', async () => {
  const folder = { id: 'f', name: 'Work', createdAt: 1, model: 'lab/large', consentMode: 'ask-all' } as const
  const link = createFakeConnection({
    snapshot: {
      chatFolders: [folder],
      models: [model('large'), model('small')],
      providers: [{ id: 'lab', name: 'Lab', key: { kind: 'not-needed' }, modelCount: 2 }],
    },
    answers: { 'chat.send': () => ({ conversationId: 'c9' }) },
  })
  await renderWith(<FolderPage id="f" edit={false} />, link)
  const asks = screen.getByTitle('How this chat asks')
  expect([screen.getByTitle('Model').textContent, asks.textContent]).toEqual(['large', modeLabels['ask-all'].name])
  await choose('Model', /small/)
  await choose('How this chat asks', new RegExp(`^${modeLabels['rules-only'].name}`))
  fireEvent.change(screen.getByRole('textbox', { name: 'Message' }), { target: { value: 'Hello' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await act(settle)
  expect(link.paramsOf('chat.send')).toEqual([{ text: 'Hello', model: 'lab/small', folderId: 'f', consentMode: 'rules-only' }])
  expect(link.paramsOf('settings.set').filter((change) => !('welcomed' in change))).toEqual([])
})
