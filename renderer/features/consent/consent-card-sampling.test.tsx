import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { first, pass, show, withCardClock } from '#renderer/testing/consent-card.tsx'
import { armAfterMs } from './request/use-arming.ts'

withCardClock()

const base = { id: 'r1', createdAt: 1, server: 'ledger', conversationId: 'c1', why: { kind: 'server-asks' } } as const

describe('what a server asks of the model', () => {
  it('a hint at a model spells out what cannot be seen', async () => {
    const hints = ['small\u202egpj']
    const { container } = await show({
      ...base,
      kind: 'sampling',
      messages: [],
      tools: [],
      toolChoice: 'auto',
      maxTokens: 100,
      hints,
      model: 'practice/practice',
    })
    expect([...container.querySelectorAll('.reveal')].map((chip) => chip.textContent)).toEqual(['right-to-left override'])
  })

  it('a model is asked in the name of the one that was chosen', async () => {
    const { answers } = await show({
      ...base,
      kind: 'sampling',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      toolChoice: 'auto',
      maxTokens: 100,
      hints: [],
      model: 'practice/practice',
    })
    pass(armAfterMs)
    fireEvent.click(first(/^Send to Practice model/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', model: 'practice/practice' } }])
  })

  it('a long prompt is read once, not at each rendering of its card', async () => {
    const text = 'word '.repeat(20_000)
    await show({
      ...base,
      kind: 'sampling',
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      tools: [],
      toolChoice: 'auto',
      maxTokens: 100,
      hints: [],
      model: 'practice/practice',
    })
    const written = vi.spyOn(JSON, 'stringify')
    const length = screen.getByRole('textbox', { name: /^Longest answer/ })
    for (const value of ['10', '20', '30']) fireEvent.change(length, { target: { value } })
    const ofPrompt = written.mock.results.filter(({ value }) => String(value).length >= text.length)
    expect([(length as HTMLInputElement).value, ofPrompt.length]).toEqual(['30', 0])
  })

  it('a prompt is sent as the person changed it, and not while a message has no words', async () => {
    const { answers } = await show({
      ...base,
      kind: 'sampling',
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'Yes?' }] },
      ],
      tools: [],
      toolChoice: 'auto',
      systemPrompt: 'Be brief',
      maxTokens: 100,
      hints: [],
      model: 'practice/practice',
    })
    fireEvent.click(first(/^Edit the prompt/))
    fireEvent.change(screen.getByLabelText('System prompt'), { target: { value: 'Be kind' } })
    fireEvent.change(screen.getByLabelText('Message to the model'), { target: { value: ' ' } })
    pass(armAfterMs)
    fireEvent.click(first(/^Send to Practice model/))
    expect(answers()).toEqual([])
    fireEvent.change(screen.getByLabelText('Message to the model'), { target: { value: 'Hello' } })
    fireEvent.click(first(/^Send to Practice model/))
    expect(answers()).toEqual([
      {
        id: 'r1',
        answer: {
          kind: 'allow',
          scope: 'once',
          model: 'practice/practice',
          prompt: { systemPrompt: 'Be kind', texts: ['Hello', 'Yes?'] },
        },
      },
    ])
  })

  it('an answer is handed over as the person changed it', async () => {
    const { answers } = await show({ ...base, kind: 'sampling-result', model: 'practice/practice', text: 'secret plan', calls: [] })
    fireEvent.click(first(/^Edit the answer/))
    fireEvent.change(screen.getByLabelText(/^Answer/), { target: { value: 'plan' } })
    pass(armAfterMs)
    fireEvent.click(first(/^Send answer/))
    expect(answers()).toEqual([{ id: 'r1', answer: { kind: 'allow', scope: 'once', text: 'plan' } }])
  })
})
