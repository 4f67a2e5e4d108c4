import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { makeConversation, makeToolRequest } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { settle } from '#renderer/testing/render.tsx'
import { renderAt } from '#renderer/testing/render-page.tsx'

const notes = { server: 'notes', tool: 'read_note', callId: 'n1' }
const held = makeToolRequest({
  id: 'r1',
  callId: undefined,
  server: 'mail',
  tool: 'send',
  why: { kind: 'flow' },
  arguments: { to: 'anna@books.example', edits: [{ oldText: 'a\nb', newText: 'a\nnumber SE556704' }], deep: { x: ['SE556704'] } },
  flows: {
    origins: [notes],
    marks: [
      { argument: '/to', origin: 0, spans: [[0, 18]] },
      { argument: '/edits/0/newText', origin: 0, spans: [[9, 17]] },
      { argument: '/deep/x/0', origin: 0, spans: [[0, 8]] },
    ],
  },
})

async function open(request: ToolCallRequest, hash: string): Promise<void> {
  const conversation = makeConversation({ activity: { kind: 'waiting', turnId: 't1', requests: 1 } })
  const link = createFakeConnection({
    snapshot: { conversations: [conversation], consentRequests: [request] },
    answers: { 'conversation.get': () => ({ revision: 10, conversation, messages: [] }) },
  })
  renderAt(link, hash)
  await act(settle)
}

const marked = (place: string): (string | undefined)[] =>
  [...document.querySelectorAll(`${place} .flow`)].map((one) => one.lastChild?.textContent ?? undefined)
const inPlace = (place: string) => within(document.querySelector<HTMLElement>(place) ?? document.body)

describe.each([
  ['the card', '.ask', '#/chat/c1'],
  ['the sheet', '.sheet', '#/chat/c1/review/r1'],
])('%s of a call with words of another server', (_name, place, hash) => {
  it('sets them off where they stand, in a value, a change and JSON, and names the call that gave them', async () => {
    await open(held, hash)
    expect(marked(place)).toEqual(['anna@books.example', 'SE556704', 'SE556704'])
    const note = document.querySelector(`${place} .flownote`)
    expect([note?.textContent?.includes('notes'), inPlace(place).getByRole('button', { name: 'read_note' }) !== null]).toEqual([true, true])
  })

  it('says which data could leave by which server, and offers the pair, not the tool', async () => {
    await open({ ...held, privateFlow: { from: [{ kind: 'server', server: 'notes' }], untrusted: [{ kind: 'web' }] } }, hash)
    expect(document.querySelector(`${place} .flownote`)?.textContent).toBe('notes was read in this chat, and mail can send data out.')
    const more = inPlace(place).queryByRole('button', { name: 'Other ways to allow' })
    if (more) fireEvent.click(more)
    expect(
      inPlace(place)
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent?.split('Only')[0]),
    ).toEqual(['Once', 'For this chat', 'From now on: mail may send data from notes'])
    expect(inPlace(place).getByRole('button', { name: /^Allow once/ })).toBeTruthy()
  })
})

it('a value that the person changed is marked no more', async () => {
  await open(held, '#/chat/c1/review/r1')
  fireEvent.click(screen.getByRole('button', { name: /^Edit/ }))
  fireEvent.change(screen.getByLabelText('Arguments as JSON'), { target: { value: '{"to": "me", "deep": {"x": ["SE556704"]}}' } })
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }))
  expect(marked('.sheet')).toEqual(['SE556704'])
})

it('the words of the server itself are said without a warning, and rules are offered', async () => {
  await open({ ...held, server: 'notes', why: { kind: 'no-rule' } }, '#/chat/c1/review/r1')
  expect([document.querySelector('.flownote'), marked('.sheet').length, inPlace('.sheet').getAllByRole('radio').length > 1]).toEqual([
    null,
    3,
    true,
  ])
})

it('a resource that was attached is named as such, and shown in its message', async () => {
  const origins = [{ server: 'notes', resource: 'notes://vendors', messageId: 'u1' }]
  await open({ ...held, flows: { origins, marks: held.flows?.marks ?? [] } }, '#/chat/c1/review/r1')
  expect(document.querySelector('.sheet .flownote')?.textContent).toContain('resource')
  fireEvent.click(inPlace('.sheet').getByRole('button', { name: 'notes://vendors' }))
  expect(window.location.hash).toBe('#/chat/c1/at/u1')
})
