import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeCall, makeConversation, makeSnapshot, makeUserMessage } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { findPlaces, rangeOf } from './find-bar.tsx'

const call = makeCall({
  id: 'k1',
  arguments: { path: 'notes/heron.md' },
  state: {
    kind: 'done',
    decision: { allowed: true, by: 'person', scope: 'once' },
    startedAt: 1,
    durationMs: 5,
    result: { content: [{ type: 'text', text: 'A heron, and another HERON.' }], isError: false, bytes: 20 },
  },
})
const messages = [
  makeUserMessage({ id: 'u1', text: 'Heron or *heron*?' }),
  makeAnswer({
    id: 'a1',
    parts: [
      { kind: 'text', text: 'A **her**on:\n\n```\nheron()\n```\n\n[a page](https://heron.test)' },
      { kind: 'tool-call', call },
      { kind: 'thinking', text: 'heron' },
      { kind: 'text', text: '- Heron\n- egret' },
    ],
  }),
]
const places = [
  { messageId: 'u1', nth: 0 },
  { messageId: 'u1', nth: 1 },
  { messageId: 'a1', nth: 0 },
  { messageId: 'a1', nth: 1 },
  { messageId: 'a1', callId: 'k1', nth: 0 },
  { messageId: 'a1', callId: 'k1', nth: 1 },
  { messageId: 'a1', callId: 'k1', nth: 2 },
  { messageId: 'a1', nth: 2 },
]

it('places are those of the text as it is drawn, in its order, whatever their case', () => {
  expect([findPlaces(messages, 'hErOn'), findPlaces(messages, 'nowhere'), findPlaces(messages, '')]).toEqual([places, [], []])
})

async function open(kind: 'web' | 'electron') {
  const { shell } = makeSnapshot()
  const conversation = makeConversation({ id: 'c1' })
  const link = createFakeConnection({
    snapshot: {
      conversations: [conversation],
      shell: { ...shell, kind },
      settings: { ...defaultSettings, welcomed: true },
    },
    answers: { 'conversation.get': () => ({ revision: 10, conversation, messages }) },
  })
  renderAt(link, '#/chat/c1')
  await screen.findByText(/heron\(\)/)
}
/** Whether the page kept the keys from the browser. */
const press = (key: string, more: object = {}): boolean => {
  let kept = false
  act(() => {
    kept = !fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more })
  })
  return kept
}
const find = () => press('f', { ctrlKey: true }) || press('f', { metaKey: true })
const bar = () => screen.findByLabelText('Find in this chat', { selector: 'search' })
const count = async (): Promise<string | null> => within(await bar()).getByRole('status').textContent

it('goes through all places and back, opens the call that one is in, and gives the focus back', async () => {
  await open('electron')
  const before = document.activeElement
  expect(find()).toBe(true)
  const field = within(await bar()).getByRole('searchbox')
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: 'heron' } })
  await waitFor(async () => expect(await count()).toMatch(/ of 8$/))
  const row = document.querySelector('[data-call="k1"] > button')
  const seen: (string | null)[] = []
  for (let step = 0; step < 8; step++) {
    press('Enter')
    seen.push(await count())
  }
  expect(new Set(seen).size).toBe(8)
  await waitFor(() => expect(row?.getAttribute('aria-expanded')).toBe('true'))
  const here = await count()
  press('Enter', { shiftKey: true })
  press('F3')
  expect(await count()).toBe(here)
  press('F3', { shiftKey: true })
  expect(await count()).not.toBe(here)
  // Each place that was counted is drawn by now.
  expect(places.map((place) => rangeOf(document.body, place, 'heron')?.toString().toLowerCase())).toEqual(places.map(() => 'heron'))
  press('Escape')
  expect([screen.queryByLabelText('Find in this chat'), document.activeElement === before]).toEqual([null, true])
})

it.each([
  ['web', false],
  ['electron', true],
] as const)('keeps the keys from the browser once; pressed again in its field they are a browser’s own (%s)', async (kind, second) => {
  await open(kind)
  const first = find()
  await bar()
  expect([first, find()]).toEqual([true, second])
})
