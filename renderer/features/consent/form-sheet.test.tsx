import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConsentRequestOf } from '#app/consent/request.ts'
import { requestHeadingId } from '#renderer/navigation/focus.ts'
import { makeConversation } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const form = (id: string, index?: number): ConsentRequestOf<'elicitation-form'> => ({
  id,
  createdAt: 1,
  server: 'ledger',
  conversationId: 'c1',
  why: { kind: 'server-asks' },
  kind: 'elicitation-form',
  message: `Details ${id}`,
  requestedSchema: { type: 'object', properties: { email: { type: 'string', title: 'Email' } }, required: ['email'] },
  ...(index === undefined ? {} : { step: { group: 'g', index, count: 2 } }),
})

async function open(requests: readonly ConsentRequestOf<'elicitation-form'>[], hash: string) {
  const conversation = makeConversation({ activity: { kind: 'waiting', turnId: 't1', requests: requests.length } })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], consentRequests: [...requests] },
    answers: {
      'conversation.get': () => ({ revision: 10, conversation, messages: [], branches: {} }),
      'consent.answer': () => ({ accepted: true }),
    },
  })
  renderAt(link, hash)
  await act(settle)
  return () => link.paramsOf('consent.answer')
}
const sheet = (): HTMLElement => {
  const found = document.querySelector<HTMLElement>('.sheet')
  if (!found) throw new Error('there is no sheet')
  return found
}
const field = (): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(/^Email/)
const write = (value: string): void => void fireEvent.change(field(), { target: { value } })
const press = async (name: RegExp): Promise<void> => {
  now += 5000
  fireEvent.click(within(sheet()).getByRole('button', { name }))
  await act(settle)
}

it('a form stands beside its chat by the key of its card; closed, it is as it was, and nothing is decided', async () => {
  const answers = await open([form('r1')], '#/chat/c1')
  write('anna@books.example')
  act(() => document.getElementById(requestHeadingId('r1'))?.focus())
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'r' })
  await waitFor(() => expect(sheet().dataset['request']).toBe('r1'))
  expect([document.querySelectorAll('.ask').length, field().value, document.activeElement?.id]).toEqual([
    0,
    'anna@books.example',
    requestHeadingId('r1'),
  ])
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await waitFor(() => expect(document.querySelector('.sheet')).toBeNull())
  expect([field().value, answers()]).toEqual(['anna@books.example', []])
})

it('the steps of a form take turns in it, and all are sent with the last', async () => {
  const answers = await open([form('s1', 1), form('s2', 2)], '#/chat/c1/review/s1')
  write('a@b.example')
  await press(/^Next$/)
  await waitFor(() => expect([sheet().dataset['request'], window.location.hash]).toEqual(['s2', '#/chat/c1/review/s2']))
  expect(screen.queryByText(/waiting$/, { selector: '.headline *' })).toBeNull()
  write('c@d.example')
  await press(/^Back/)
  await waitFor(() => expect(field().value).toBe('a@b.example'))
  await press(/^Next$/)
  await press(/^Send to ledger/)
  const content = (id: string, email: string) => ({ id, answer: { kind: 'allow', scope: 'once', content: { email } } })
  await waitFor(() => expect(answers()).toEqual([content('s1', 'a@b.example'), content('s2', 'c@d.example')]))
})

it('a step that the address names is the one that its card shows afterwards', async () => {
  await open([form('s1', 1), form('s2', 2)], '#/chat/c1/review/s2')
  await press(/^Decide later/)
  await waitFor(() => expect(document.querySelector('.ask')?.getAttribute('data-request')).toBe('s2'))
})
