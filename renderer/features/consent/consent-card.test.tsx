import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { composerId, requestHeadingId } from '#renderer/navigation/focus.ts'
import { useConsent } from '#renderer/stores/store-hooks.tsx'
import { makeToolRequest } from '#renderer/testing/builders.ts'
import { allowButton, cardPosition, first, pass, show, withCardClock } from '#renderer/testing/consent-card.tsx'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith, settle } from '#renderer/testing/render.tsx'
import { ConsentCard } from './consent-card.tsx'
import { armAfterMs } from './request/use-arming.ts'
import { entriesOfGrid } from './tool-call/argument-list.tsx'

withCardClock()

describe('arming', () => {
  it('makes Allow inert at first, and Deny live', async () => {
    const { answers } = await show(makeToolRequest())
    fireEvent.click(allowButton())
    expect([allowButton().getAttribute('aria-disabled'), allowButton().hasAttribute('disabled'), answers()]).toEqual(['true', false, []])
    fireEvent.click(first(/^Deny/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'deny' } }])
  })

  it('lets Allow work after the pause', async () => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    fireEvent.click(allowButton())
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
  })

  it('begins anew when focus comes to the card, so that the key that answered the one before does not answer it', async () => {
    const { answers } = await show(makeToolRequest(), [makeToolRequest({ id: 'r2', callId: 'call2' })])
    pass(armAfterMs)
    const heading = document.getElementById(requestHeadingId('r2'))
    act(() => heading?.focus())
    fireEvent.keyDown(heading as HTMLElement, { key: 'Enter', metaKey: true })
    expect(answers()).toEqual([])
    pass(armAfterMs)
    fireEvent.keyDown(heading as HTMLElement, { key: 'Enter', metaKey: true })
    expect(answers()).toEqual([{ id: 'r2', answer: { kind: 'allow', scope: 'once' } }])
  })

  it('begins anew when the content changes', async () => {
    const { answers, rerender, stores } = await show(makeToolRequest())
    pass(armAfterMs)
    const { StoresProvider } = await import('#renderer/stores/store-hooks.tsx')
    rerender(
      <StoresProvider stores={stores}>
        <ConsentCard request={makeToolRequest({ argumentsText: '{"other":1}', arguments: { other: 1 } })} />
      </StoresProvider>,
    )
    fireEvent.click(allowButton())
    pass(armAfterMs - 1)
    fireEvent.click(allowButton())
    expect(answers()).toEqual([])
    pass(1)
    fireEvent.click(allowButton())
    expect(answers()).toHaveLength(1)
  })

  it('begins anew when the window comes to the front', async () => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    act(() => {
      window.dispatchEvent(new Event('focus'))
    })
    fireEvent.click(allowButton())
    expect(answers()).toEqual([])
  })

  it('begins anew when the card moved, noticed at the press itself', async () => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    cardPosition.top = 160
    fireEvent.click(allowButton())
    expect(answers()).toEqual([])
    pass(armAfterMs)
    fireEvent.click(allowButton())
    expect(answers()).toHaveLength(1)
  })

  it('holds for the keys as well', async () => {
    const { answers } = await show(makeToolRequest())
    fireEvent.keyDown(allowButton(), { key: 'Enter', metaKey: true, ctrlKey: false })
    fireEvent.keyDown(allowButton(), { key: 'Enter', ctrlKey: true })
    expect(answers()).toEqual([])
  })
})

describe('the keys of a card', () => {
  it('are those that the person set, after the same pause; the usual ones do nothing then', async () => {
    const { answers, stores } = await show(makeToolRequest())
    act(() => stores.settings.setState(({ settings }) => ({ settings: { ...settings, shortcuts: { allow: { key: 'y', alt: true } } } })))
    const own = { key: '¥', code: 'KeyY', altKey: true }
    fireEvent.keyDown(allowButton(), own)
    pass(armAfterMs)
    fireEvent.keyDown(allowButton(), { key: 'Enter', metaKey: true })
    expect(answers()).toEqual([])
    fireEvent.keyDown(allowButton(), own)
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
  })

  const ctrl = (key: string, more: object = {}) => ({ key, metaKey: true, ...more })

  it.each([
    ['allow with the chosen scope', ctrl('Enter'), { kind: 'allow', scope: 'once' }],
    ['allow in this conversation', ctrl('Enter', { shiftKey: true }), { kind: 'allow', scope: 'conversation' }],
    ['deny', ctrl('Backspace'), { kind: 'deny' }],
  ])('%s', async (_name, key, answer) => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    fireEvent.keyDown(first(/^Deny/), key)
    expect(answers()).toEqual([{ id: 'r1', answer }])
  })

  it.each([
    ['Enter alone', { key: 'Enter' }],
    ['a repeated key', ctrl('Enter', { repeat: true })],
    ['Escape', { key: 'Escape' }],
  ])('decide nothing on %s', async (_name, key) => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    fireEvent.keyDown(document.getElementById(requestHeadingId('r1')) as HTMLElement, key)
    expect(answers()).toEqual([])
  })

  it('do nothing from outside it', async () => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    fireEvent.keyDown(screen.getByLabelText('Message'), ctrl('Enter'))
    expect(answers()).toEqual([])
  })
})

describe('a tool call', () => {
  it('takes no focus when it appears', async () => {
    await show(makeToolRequest())
    expect(document.activeElement).toBe(document.body)
  })

  it('gives focus to the next request of its chat once it is answered', async () => {
    await show(makeToolRequest(), [makeToolRequest({ id: 'r0', conversationId: 'c9' }), makeToolRequest({ id: 'r2' })])
    fireEvent.click(first(/^Deny/))
    await act(settle)
    expect(document.activeElement?.id).toBe(requestHeadingId('r2'))
  })

  it('gives focus to the composer when nothing else waits', async () => {
    await show(makeToolRequest())
    fireEvent.click(first(/^Deny/))
    await act(settle)
    expect(document.activeElement?.id).toBe(composerId)
  })

  it('gives focus on as it goes, before the host has said that it took the answer', async () => {
    const consentRequests = [makeToolRequest(), makeToolRequest({ id: 'r2' })]
    const taken = Promise.withResolvers<{ accepted: boolean }>()
    const link = createFakeConnection({ snapshot: { consentRequests }, answers: { 'consent.answer': () => taken.promise } })
    const Waiting = () => useConsent(({ requests }) => requests).map((one) => <ConsentCard key={one.id} request={one} />)
    await renderWith(<Waiting />, link)
    first(/^Deny/).focus()
    fireEvent.click(first(/^Deny/))
    act(() => link.tell('consent.closed', { id: 'r1', outcome: 'denied' }))
    expect(document.activeElement?.id).toBe(requestHeadingId('r2'))
    taken.resolve({ accepted: true })
    await act(settle)
  })

  it('is answered once, however often it is pressed', async () => {
    const { answers } = await show(makeToolRequest())
    pass(armAfterMs)
    fireEvent.click(allowButton())
    fireEvent.click(allowButton())
    fireEvent.click(first(/^Deny/))
    expect(answers()).toHaveLength(1)
  })

  it.each([
    ['a hidden character', makeToolRequest({ arguments: { path: 'a\u200bb' } })],
    ['a hidden character in a name', makeToolRequest({ arguments: { 'pa\u202eth': 1 } })],
    ['a changed tool', makeToolRequest({ why: { kind: 'tool-changed' } })],
  ])('has no filled button with %s', async (_name, request) => {
    const { container } = await show(request)
    pass(armAfterMs)
    expect(container.querySelectorAll('.btn.primary, .btn.arming').length).toBe(0)
  })

  it('draws twenty of many values at first, and says that there are more', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `value ${at}`)
    const { container } = await show(makeToolRequest({ arguments: { list: many, ...Object.fromEntries(many.map((one) => [one, one])) } }))
    const drawn = container.querySelectorAll('.args > dt, .arg-items > li').length
    expect([drawn <= 42, container.querySelectorAll('[data-growing]').length > 0]).toEqual([true, true])
  })

  it('lays out at most a hundred arguments in one grid, and in the end all of them', async () => {
    const { container } = await show(
      makeToolRequest({ arguments: Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`name ${at}`, at])) }),
    )
    for (let frame = 0; frame < 40; frame += 1) pass(16)
    const sizes = [...container.querySelectorAll('.args')].map((grid) => grid.querySelectorAll(':scope > dt').length)
    expect([sizes, container.querySelectorAll('[data-growing]').length]).toEqual([[entriesOfGrid, entriesOfGrid, 50], 0])
  })

  it('shows every argument whole, with line breaks and hidden characters spelled out', async () => {
    const long = 'x'.repeat(5000)
    const { container } = await show(
      makeToolRequest({ arguments: { text: `a\nb${long}`, path: '/home/m\u00adaya/a.txt', deep: { list: [1, null] } } }),
    )
    const shown = container.querySelector('.args')?.textContent ?? ''
    expect([shown.includes(`a\nb${long}`), shown.includes('soft hyphen'), container.querySelector('.path b')?.textContent]).toEqual([
      true,
      true,
      'a.txt',
    ])
  })

  it('sends edited arguments, and only such as the tool can take', async () => {
    const inputSchema = { type: 'object', required: ['source'], properties: { source: { type: 'string' } } }
    const { answers } = await show(makeToolRequest({ inputSchema, arguments: { source: 'a' } }))
    fireEvent.click(first(/^Edit/))
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }))
    const box = screen.getByLabelText('Arguments as JSON')
    for (const wrong of ['{', '[]', '{}', '{"source": 1}']) {
      fireEvent.change(box, { target: { value: wrong } })
      fireEvent.click(first(/^Apply/))
      expect(box.getAttribute('aria-invalid')).toBe('true')
    }
    pass(armAfterMs)
    fireEvent.click(allowButton())
    expect(answers()).toEqual([])
    fireEvent.change(box, { target: { value: '{"source": "b"}' } })
    fireEvent.click(first(/^Apply/))
    pass(armAfterMs)
    fireEvent.click(allowButton())
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', arguments: { source: 'b' } } }])
  })

  it('is denied with a word', async () => {
    const { answers } = await show(makeToolRequest())
    fireEvent.click(first(/^Deny with a reason/))
    fireEvent.change(screen.getByRole('textbox', { name: /^Why not/ }), { target: { value: ' wrong year ' } })
    fireEvent.click(first(/^Deny$/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'deny', word: 'wrong year' } }])
  })

  it('is allowed with the scope that was chosen', async () => {
    const { answers } = await show(makeToolRequest())
    fireEvent.click(first(/^Other ways/))
    fireEvent.click(screen.getByRole('radio', { name: /^Always \w+ any/ }))
    pass(armAfterMs)
    fireEvent.click(first(/^Always allow/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always' } }])
  })

  it('offers no conversation where there is none', async () => {
    await show(makeToolRequest({ conversationId: undefined }))
    fireEvent.click(first(/^Other ways/))
    expect(screen.queryByRole('radio', { name: /conversation/ })).toBeNull()
    expect(screen.getAllByRole('radio')).toHaveLength(3)
  })
})

const base = { id: 'r1', createdAt: 1, server: 'ledger', conversationId: 'c1', why: { kind: 'server-asks' } } as const

describe('other requests', () => {
  it('a form is sent only when it is right, and says what is not', async () => {
    const { answers } = await show({
      ...base,
      kind: 'elicitation-form',
      message: 'Details',
      requestedSchema: {
        type: 'object',
        required: ['email'],
        properties: {
          email: { type: 'string', title: 'Email', format: 'email' },
          days: { type: 'integer', title: 'Days', default: 3 },
          pin: { type: 'string', title: 'PIN', default: '1234' },
        },
      },
    })
    pass(armAfterMs)
    const email = screen.getByLabelText(/^Email/)
    fireEvent.change(email, { target: { value: 'anna@books' } })
    fireEvent.click(first(/^Send to ledger/))
    expect([answers(), email.getAttribute('aria-invalid')]).toEqual([[], 'true'])
    fireEvent.change(email, { target: { value: 'anna@books.example' } })
    fireEvent.click(first(/^Send to ledger/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', content: { email: 'anna@books.example', days: 3 } } }])
  })

  it('a page is opened at the address that is shown, its domain set off', async () => {
    const { answers, container } = await show({ ...base, kind: 'elicitation-url', message: 'Pay', url: 'https://pay.north.example/x?y=1' })
    expect([container.querySelector('.url')?.textContent, container.querySelector('.url b')?.textContent]).toEqual([
      'https://pay.north.example/x?y=1',
      'north.example',
    ])
    pass(armAfterMs)
    fireEvent.click(first(/^Open in browser/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'ms-settings:x'])('a page at %s cannot be opened', async (url) => {
    const { answers } = await show({ ...base, kind: 'elicitation-url', message: 'Pay', url })
    pass(armAfterMs)
    fireEvent.click(first(/^Open in browser/))
    expect(answers()).toEqual([])
  })

  it('a program is shown word by word, and run only after the pause', async () => {
    const { answers, container } = await show({
      ...base,
      kind: 'launch',
      why: { kind: 'first-launch' },
      target: { transport: 'stdio', command: 'npx', args: ['-y', 'a b', ''], envNames: ['TOKEN'] },
      fingerprint: 'f',
    })
    expect([...container.querySelectorAll('.cmdline > div > :last-child')].map((word) => word.textContent)).toEqual([
      'npx',
      '-y',
      'a b',
      'empty',
    ])
    fireEvent.click(first(/^Start/))
    pass(armAfterMs)
    fireEvent.click(first(/^Start/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always' } }])
  })

  it('folders are named as paths', async () => {
    const { container } = await show({ ...base, kind: 'roots', roots: [{ uri: 'file:///home/maya/My%20files' }] })
    expect(container.querySelector('.path')?.textContent).toBe('/home/maya/My files')
  })
})
