import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { createFakeLink, type FakeLink } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

const summary = {
  conversations: 2,
  messages: 9,
  already: 1,
  broken: 1,
  faults: [{ name: 'Odd', reason: 'it is no JSON' }],
  sources: ['chatgpt' as const],
  cut: false,
}

async function open(): Promise<FakeLink> {
  const link = createFakeLink({
    answers: {
      'import.begin': () => ({ id: 'i1' }),
      'import.push': () => summary,
      'import.end': () => summary,
      'backup.check': () => ({ bytes: 2_000_000, conversations: 3, messages: 40, changedAt: 1 }),
      'backup.restore': () => ({ bytes: 2_000_000, conversations: 3, messages: 40, changedAt: 1 }),
    },
  })
  renderAt(link, '#/settings/data')
  await screen.findByRole('button', { name: 'Import chats…' })
  return link
}
const choose = (text: string): boolean =>
  fireEvent.change(screen.getByLabelText('File of chats'), { target: { files: [new File([text], 'conversations.json')] } })

it('looks through a file first, piece by piece, and imports it on a press', async () => {
  const link = await open()
  choose('x'.repeat(600 * 1024))
  const button = await screen.findByRole('button', { name: 'Import 2 chats' })
  expect(link.paramsOf('import.begin')).toEqual([{ mode: 'preview' }])
  expect(link.paramsOf('import.push').map(({ base64 }) => atob(base64).length)).toEqual([512 * 1024, 88 * 1024])
  expect(screen.getByText(/it is no JSON/)).toBeTruthy()
  fireEvent.click(button)
  await waitFor(() => expect(link.paramsOf('import.begin').at(-1)).toEqual({ mode: 'import' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Import 2 chats' })).toBeNull())
})

it('says why a file cannot be read', async () => {
  const link = await open()
  link.answer({
    'import.push': () => {
      throw new HostError('import.unreadable', 'There is no chat in this file.')
    },
  })
  choose('x')
  expect(await screen.findByText('There is no chat in this file.')).toBeTruthy()
})

it('checks a backup before it can be restored', async () => {
  const link = await open()
  fireEvent.change(screen.getByRole('textbox', { name: 'Path of a backup' }), { target: { value: ' /b/assent.db ' } })
  expect(screen.queryByRole('button', { name: 'Restore it at the next start' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Check' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Restore it at the next start' }))
  await waitFor(() => expect(link.paramsOf('backup.restore')).toEqual([{ path: '/b/assent.db' }]))
})
