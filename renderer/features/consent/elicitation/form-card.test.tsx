import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { mostSegments } from '#renderer/ui/visible-text.tsx'
import { ConsentCard } from '../consent-card.tsx'
import { armAfterMs } from '../request/use-arming.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const base = { createdAt: 1, server: 'ledger', conversationId: 'c1', why: { kind: 'server-asks' } } as const
const email: JsonObject = {
  type: 'object',
  properties: { email: { type: 'string', title: 'Email', format: 'email' } },
  required: ['email'],
}
const form = (id: string, requestedSchema: JsonObject = email, index?: number) =>
  ({
    ...base,
    id,
    kind: 'elicitation-form',
    message: `Details ${id}`,
    requestedSchema,
    ...(index === undefined ? {} : { step: { group: 'g', index, count: 3 } }),
  }) as const
const page = { ...base, id: 'p', kind: 'elicitation-url', message: 'Pay', url: 'https://pay.example/x' } as const

async function show(...requests: readonly ConsentRequest[]) {
  const link = createFakeConnection({
    snapshot: { consentRequests: [...requests] },
    answers: { 'consent.answer': () => ({ accepted: true }) },
  })
  const cards = requests.map((one) => <ConsentCard key={one.id} request={one} />)
  const view = await renderWith(cards, link)
  arm()
  return { ...view, answers: () => link.paramsOf('consent.answer') }
}
const arm = (): void => {
  act(() => {
    vi.advanceTimersByTime(armAfterMs)
  })
}
const press = async (name: RegExp): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name }))
  await settle()
  arm()
  // Focus has come to the next step a frame later, which began the pause anew.
  arm()
}
const hides = 'a\u200b'.repeat(5000)
const write = (label: RegExp, value: string): void => void fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe.each([
  ['a form', form('r1')],
  ['a page', page],
] as const)('%s', (_what, request) => {
  it.each<[string, () => Promise<void> | void, string]>([
    ['Decline says no', () => press(/^Decline/), 'deny'],
    ['Cancel leaves it without an answer', () => press(/^Cancel/), 'cancel'],
  ])('%s', async (_title, act, kind) => {
    const { answers } = await show(request)
    await act()
    expect(answers()).toEqual([{ id: request.id, answer: { kind } }])
  })

  it('goes on waiting when it is left by Escape', async () => {
    const { answers } = await show(request)
    fireEvent.keyDown(screen.getByRole('heading'), { key: 'Escape' })
    await settle()
    expect([answers(), screen.queryByRole('button', { name: /^Not now/ })]).toEqual([[], null])
  })
})

describe('a form', () => {
  it('keeps what is being written when Escape leaves the field', async () => {
    const { answers } = await show(form('r1'))
    const field = screen.getByLabelText(/^Email/)
    field.focus()
    write(/^Email/, 'anna@books.example')
    fireEvent.keyDown(field, { key: 'Escape' })
    expect([answers(), document.activeElement?.tagName, (field as HTMLInputElement).value]).toEqual([[], 'H2', 'anna@books.example'])
  })

  it('says what is wrong while it is written, and of nothing that was not touched yet', async () => {
    await show(form('r1', { ...email, properties: { ...(email['properties'] as JsonObject), days: { type: 'integer', title: 'Days' } } }))
    const invalid = (): (string | null)[] => [/^Email/, /^Days/].map((label) => screen.getByLabelText(label).getAttribute('aria-invalid'))
    expect(invalid()).toEqual([null, null])
    write(/^Days/, '1.5')
    expect(invalid()).toEqual([null, 'true'])
    write(/^Days/, '2')
    expect(invalid()).toEqual([null, null])
  })

  it('spells out what cannot be seen in its choices', async () => {
    await show(form('r1', { type: 'object', properties: { size: { type: 'string', title: 'Size', enum: ['a\u202eb'] } } }))
    expect(screen.getByRole('option', { name: /right-to-left/i })).toBeTruthy()
  })
})

describe('forms that came together', () => {
  const steps = [
    form('s1', email, 1),
    form('s2', { type: 'object', properties: { seats: { type: 'integer', title: 'Seats' } } }, 2),
    form('s3', email, 3),
  ]

  it('are steps: back and forth nothing is lost, and all are sent with the last', async () => {
    const { answers } = await show(...steps)
    expect([screen.getAllByRole('heading').length, screen.getByText('1 of 3').textContent]).toEqual([1, '1 of 3'])
    await press(/^Next/)
    expect(screen.getByText('1 of 3')).toBeTruthy()
    write(/^Email/, 'a@b.example')
    await press(/^Next/)
    write(/^Seats/, '4')
    await press(/^Next/)
    write(/^Email/, 'c@d.example')
    await press(/^Back/)
    expect((screen.getByLabelText(/^Seats/) as HTMLInputElement).value).toBe('4')
    await press(/^Next/)
    expect(answers()).toEqual([])
    await press(/^Send to ledger/)
    const content = (id: string, value: object) => ({ id, answer: { kind: 'allow', scope: 'once', content: value } })
    expect(answers()).toEqual([
      content('s1', { email: 'a@b.example' }),
      content('s2', { seats: 4 }),
      content('s3', { email: 'c@d.example' }),
    ])
  })

  it('are left without an answer together', async () => {
    const { answers } = await show(...steps)
    await press(/^Cancel/)
    expect(new Set(answers().map(({ id, answer }) => `${id} ${answer.kind}`))).toEqual(new Set(['s1 cancel', 's2 cancel', 's3 cancel']))
  })

  it('are left together also where one of them was still on its way', async () => {
    const { answers, link, rerender, stores } = await show(...steps.slice(0, 2))
    await press(/^Cancel/)
    const [, , late] = steps as [ConsentRequest, ConsentRequest, ConsentRequest]
    act(() => {
      for (const id of ['s1', 's2']) link.tell('consent.closed', { id, outcome: 'cancelled', by: 'person' })
      link.tell('consent.opened', { request: late })
    })
    rerender(
      <StoresProvider stores={stores}>
        <ConsentCard request={late} />
      </StoresProvider>,
    )
    await settle()
    expect(answers().map(({ id, answer }) => `${id} ${answer.kind}`)).toEqual(['s2 cancel', 's1 cancel', 's3 cancel'])
  })

  it('are declined one by one', async () => {
    const { answers } = await show(...steps)
    await press(/^Decline this one/)
    expect(answers()).toEqual([{ id: 's1', answer: { kind: 'deny' } }])
  })
})

it('draws a bounded number of nodes of a name and a description at first, however much they hide', async () => {
  const request = form('a', { type: 'object', properties: { one: { type: 'string', title: hides, description: hides } } })
  const { container } = await renderWith(
    <ConsentCard request={request} />,
    createFakeConnection({ snapshot: { consentRequests: [request] } }),
  )
  const counts = ['label', '.help'].map((place) => container.querySelectorAll(`${place} .reveal`).length)
  expect(counts.map((count) => count > 0 && count <= mostSegments)).toEqual([true, true])
})
