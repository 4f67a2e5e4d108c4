// What a server wants a model to read, and what the model wants the server to do, as the person sees it.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConsentRequest } from '#app/consent/request.ts'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { ConsentCard } from './consent-card.tsx'
import { armAfterMs } from './request/use-arming.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const base = { id: 'r1', createdAt: 1, server: 'ledger', why: { kind: 'server-asks' } } as const

async function show(request: ConsentRequest) {
  const link = createFakeConnection({ snapshot: { consentRequests: [request] }, answers: { 'consent.answer': () => ({ accepted: true }) } })
  const view = await renderWith(<ConsentCard request={request} />, link)
  const lookAway = (): void => {
    view.rerender(<p>another page</p>)
    view.rerender(
      <StoresProvider stores={view.stores}>
        <ConsentCard request={request} />
      </StoresProvider>,
    )
  }
  return { ...view, lookAway, answers: () => link.paramsOf('consent.answer') }
}

describe('the sampling cards', () => {
  it('a prompt shows every part that would be sent, and the tools that the model may name', async () => {
    const { container } = await show({
      ...base,
      kind: 'sampling',
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Weather?' },
            { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'tool-use', id: 'c1', name: 'get_weather', input: { city: 'Paris' } }] },
        {
          role: 'user',
          parts: [{ type: 'tool-result', id: 'c1', content: [{ type: 'text', text: '18 degrees' }], structured: { t: 18 }, isError: true }],
        },
      ],
      tools: [
        {
          name: 'get_\u200bweather',
          description: 'Looks outside',
          inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
        },
      ],
      toolChoice: 'required',
      maxTokens: 100,
      hints: [],
      model: 'practice/practice',
    })
    for (const text of ['Weather?', 'Paris', '18 degrees', '"t": 18', 'Looks outside', '"city"', 'failed', 'must use one'])
      expect(container.textContent).toContain(text)
    expect(container.querySelector('img')?.getAttribute('src')).toBe('data:image/png;base64,iVBORw0KGgo=')
    expect([...container.querySelectorAll('.reveal')].map((chip) => chip.textContent)).toEqual(['zero-width space'])
  })

  it('an answer that is calls of the server’s tools shows them, and is handed over as it is', async () => {
    const { answers, container } = await show({
      ...base,
      kind: 'sampling-result',
      model: 'practice/practice',
      text: '',
      calls: [{ id: 'c1', name: 'get_weather', input: { city: 'Paris' } }],
    })
    expect(container.textContent).toContain('get_weather')
    expect(container.textContent).toContain('Paris')
    expect(screen.queryByRole('button', { name: /^Edit the answer/ })).toBeNull()
    act(() => {
      vi.advanceTimersByTime(armAfterMs)
    })
    fireEvent.click(screen.getByRole('button', { name: /^Send answer/ }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
  })

  const prompt: ConsentRequest = {
    ...base,
    conversationId: 'c1',
    kind: 'sampling',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Sum up' }] }],
    tools: [],
    toolChoice: 'auto',
    maxTokens: 400,
    hints: ['haiku'],
    model: 'practice/practice',
    wishes: { priorities: { speed: 0.9, intelligence: 0.2 }, chosenBy: 'hint', temperature: 0.7, includeContext: 'allServers' },
    tokens: 2,
    day: { used: 300, budget: { tokensPerDay: 1000, over: 'ask' } },
    trusted: false,
  }
  const send = (): void => {
    act(() => {
      vi.advanceTimersByTime(armAfterMs)
    })
    fireEvent.click(screen.getByRole('button', { name: /^Send to/ }))
  }

  it('says what the server wants, what is not heeded, and what of the day is used', async () => {
    const { container } = await show(prompt)
    for (const words of ['“haiku”', 'speed before intelligence', '0.7', 'Not passed on', 'of all servers', '300 of 1,000 tokens'])
      expect(container.textContent).toContain(words)
    expect(container.textContent).not.toContain('exceeds the daily limit')
  })

  it('a shorter answer is asked for as the person says; a longer one than the server wants is not', async () => {
    const { answers } = await show(prompt)
    const field = screen.getByLabelText(/^Longest answer/)
    fireEvent.change(field, { target: { value: '401' } })
    send()
    fireEvent.change(field, { target: { value: '40' } })
    send()
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', model: 'practice/practice', maxTokens: 40 } }])
  })

  it('a prompt that is being edited, its model and its length are the same after a look at another page', async () => {
    const { lookAway, answers } = await show(prompt)
    fireEvent.click(screen.getByRole('button', { name: /^Edit the prompt/ }))
    fireEvent.change(screen.getByLabelText('Message to the model'), { target: { value: 'Sum up in a line' } })
    fireEvent.change(screen.getByLabelText(/^Longest answer/), { target: { value: '40' } })
    lookAway()
    expect(screen.getByText('edited by you')).toBeTruthy()
    send()
    expect(answers()).toMatchObject([{ id: 'r1', answer: { prompt: { texts: ['Sum up in a line'] }, maxTokens: 40 } }])
  })

  it('what goes beyond the day says so, and no longer once it is short enough', async () => {
    const { container } = await show({ ...prompt, day: { used: 700, budget: { tokensPerDay: 1000, over: 'ask' } } })
    expect(container.textContent).toContain('exceeds the daily limit')
    fireEvent.change(screen.getByLabelText(/^Longest answer/), { target: { value: '100' } })
    expect(container.textContent).not.toContain('exceeds the daily limit')
  })

  it('a rule for a server that is not trusted takes a tick of its own', async () => {
    const { answers } = await show(prompt)
    fireEvent.click(screen.getByRole('radio', { name: /, always$/ }))
    fireEvent.change(screen.getByLabelText(/^Tokens a day/), { target: { value: '5000' } })
    send()
    expect(answers()).toEqual([])
    fireEvent.click(screen.getByRole('checkbox', { name: /don’t trust/ }))
    send()
    const standing = { step: 'requests', tokensPerDay: 5000, untrusted: true }
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'always', standing, model: 'practice/practice' } }])
  })

  it('answers are handed over unseen in this conversation, once the person says so; what was sent can be read', async () => {
    const { answers, container } = await show({
      ...base,
      conversationId: 'c1',
      kind: 'sampling-result',
      model: 'practice/practice',
      text: 'The sum',
      calls: [],
      sent: ['Be brief', 'Sum up'],
      took: { tokens: 212, durationMs: 2100 },
      day: { used: 300, budget: { tokensPerDay: 1000, over: 'ask' } },
      trusted: true,
    })
    for (const words of ['Be brief', 'Sum up', '212 tokens']) expect(container.textContent).toContain(words)
    fireEvent.click(screen.getByRole('radio', { name: /for this chat$/ }))
    act(() => {
      vi.advanceTimersByTime(armAfterMs)
    })
    fireEvent.click(screen.getByRole('button', { name: /^Send answer/ }))
    const standing = { step: 'answers', tokensPerDay: 1000 }
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'conversation', standing } }])
  })

  it('an answer that is being edited is the same after a look at another page', async () => {
    const { lookAway, answers } = await show({ ...base, kind: 'sampling-result', model: 'practice/practice', text: 'The sum', calls: [] })
    fireEvent.click(screen.getByRole('button', { name: /^Edit the answer/ }))
    fireEvent.change(screen.getByLabelText(/^Answer/), { target: { value: 'A sum' } })
    lookAway()
    act(() => {
      vi.advanceTimersByTime(armAfterMs)
    })
    fireEvent.click(screen.getByRole('button', { name: /^Send answer/ }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', text: 'A sum' } }])
  })
})
