import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { UpdateState } from '#app/profile-notice.ts'
import { defaultSettings } from '#app/settings.ts'
// Loaded before the test, which waits for no chunk.
import '#renderer/features/chat/markdown/markdown.tsx'
import { createFakeConnection, type FakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'

async function show(update: UpdateState): Promise<FakeConnection> {
  const link = createFakeConnection({
    snapshot: { notices: [{ kind: 'update', update }], settings: defaultSettings },
    answers: { 'app.update': () => ({}), 'settings.set': () => ({}) },
  })
  renderAt(link, '#/settings/data')
  await screen.findByText('Data folder')
  return link
}
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const notice = (): string => document.querySelector('.notices')?.textContent ?? ''

describe('an update', () => {
  it('is offered with its notes, in which HTML is text, and put off for that version', async () => {
    const link = await show({ kind: 'available', version: '1.3.0', notes: '**Faster** <img src="x" onerror="alert(1)">' })
    fireEvent.click(screen.getByText('Release notes'))
    await waitFor(() => expect(document.querySelector('.notices strong')?.textContent).toBe('Faster'))
    expect([document.querySelector('.notices img'), notice().includes('<img')]).toEqual([null, true])
    press('Download')
    press('Dismiss')
    expect([link.paramsOf('app.update'), link.paramsOf('settings.set')]).toEqual([
      [{ action: 'download' }],
      [{ dismissed: ['update available 1.3.0'] }],
    ])
  })

  it.each<[UpdateState, string, string]>([
    [{ kind: 'downloading', version: '1.3.0', percent: 42 }, 'Cancel', 'cancel'],
    [{ kind: 'ready', version: '1.3.0', notes: '' }, 'Restart', 'restart'],
    [{ kind: 'failed', error: { code: 'update.refused', message: 'No.' } }, 'Try again', 'check'],
  ])('%o', async (update, button, action) => {
    const link = await show(update)
    press(button)
    expect(link.paramsOf('app.update')).toEqual([{ action }])
  })

  it.each<[UpdateState, number, number]>([
    [{ kind: 'none' }, 1, 1],
    [{ kind: 'off', by: 'setting' }, 0, 1],
    [{ kind: 'off', by: 'policy' }, 0, 0],
    [{ kind: 'manual', format: 'package' }, 0, 0],
  ])('says nothing above the page, and in the settings what can be done: %o', async (update, buttons, switches) => {
    await show(update)
    expect([
      notice(),
      screen.queryAllByRole('button', { name: 'Check again' }).length,
      screen.queryAllByRole('switch', { name: 'Check for updates' }).length,
    ]).toEqual(['', buttons, switches])
  })
})
