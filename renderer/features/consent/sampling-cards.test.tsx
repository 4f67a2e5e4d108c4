// What a server wants a model to read, and what the model wants the server to do, as the person sees it.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConsentRequest } from '#app/consent/request.ts'
import { createFakeLink } from '#renderer/testing/fake-link.ts'
import { renderWith } from '#renderer/testing/render.tsx'
import { ConsentCard } from './consent-card.tsx'
import { armAfterMs } from './use-arming.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const base = { id: 'r1', createdAt: 1, server: 'ledger', why: { kind: 'server-asks' } } as const

async function show(request: ConsentRequest) {
  const link = createFakeLink({ snapshot: { consentRequests: [request] }, answers: { 'consent.answer': () => ({ accepted: true }) } })
  const view = await renderWith(<ConsentCard request={request} />, link)
  return { ...view, answers: () => link.paramsOf('consent.answer') }
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
    for (const text of ['Weather?', 'Paris', '18 degrees', '"t": 18', 'Looks outside', '"city"', 'failed', 'wants the model to use one'])
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
    fireEvent.click(screen.getByRole('button', { name: /^Hand it over/ }))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once' } }])
  })
})
