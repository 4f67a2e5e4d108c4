import { describe, expect, it } from 'vitest'
import { applyEdit, editOf, promptTokens, type SamplingPrompt, samplingCost } from './sampling.ts'

const prompt: SamplingPrompt = {
  systemPrompt: 'Be brief',
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'one' },
        { type: 'image', mimeType: 'image/png', data: 'AA==' },
        { type: 'text', text: '' },
      ],
    },
    { role: 'assistant', parts: [{ type: 'tool-use', id: '1', name: 'look', input: { at: 'x' } }] },
    { role: 'user', parts: [{ type: 'tool-result', id: '1', content: [{ type: 'text', text: 'kept' }], isError: false }] },
    { role: 'user', parts: [{ type: 'text', text: 'two' }] },
  ],
}

describe('an edited prompt', () => {
  it('is the same when nothing was edited', () => {
    expect(editOf(prompt)).toEqual({ systemPrompt: 'Be brief', texts: ['one', '', 'two'] })
    expect(applyEdit(prompt, editOf(prompt))).toEqual(prompt)
  })

  it('has its own texts and no others replaced, in their order', () => {
    const edited = applyEdit(prompt, { systemPrompt: 'Be kind', texts: ['1', '', '2'] })
    expect(edited && editOf(edited)).toEqual({ systemPrompt: 'Be kind', texts: ['1', '', '2'] })
    expect(edited?.messages.slice(1, 3)).toEqual(prompt.messages.slice(1, 3))
    expect(edited?.messages[0]?.parts[1]).toEqual(prompt.messages[0]?.parts[1])
  })

  it('may lose its system prompt', () => {
    expect(applyEdit(prompt, { ...editOf(prompt), systemPrompt: ' ' })).toEqual({ messages: prompt.messages })
  })

  it.each([
    ['fewer texts', { texts: ['one', ''] }],
    ['more texts', { texts: ['one', '', 'two', 'three'] }],
    ['a message that has lost its words', { texts: ['one', '', ' \n'] }],
  ])('is none with %s', (_what, edit) => {
    expect(applyEdit(prompt, edit)).toBeUndefined()
  })

  it('gets no system prompt that its server did not send', () => {
    expect(applyEdit({ messages: prompt.messages }, { systemPrompt: 'Mine', texts: ['one', '', 'two'] })).toBeUndefined()
  })
})

it('a prompt is counted by its letters: a fourth of a token each, and a whole one beyond ASCII', () => {
  const tokens = (text: string): number => promptTokens({ messages: [{ role: 'user', parts: [{ type: 'text', text }] }] }, [])
  expect(['four', '税税税税', 'four 税', ''].map(tokens)).toEqual([2, 5, 3, 1])
})

describe('the cost of a prompt', () => {
  const four: SamplingPrompt = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'four' }] }] }
  const cost = (longest: string, used?: number) =>
    samplingCost(promptTokens(four, []), longest, {
      maxTokens: 100,
      day: used === undefined ? undefined : { used, budget: { tokensPerDay: 1000, over: 'ask' } },
    })

  it.each(['', '0', '1.5', '101', 'ten'])('the longest answer is no %j', (longest) => {
    expect(cost(longest, 1000)).toMatchObject({ tooLong: true, over: false })
  })

  it.each([
    [undefined, false],
    [898, false],
    [899, true],
  ])('with %s tokens used today, it goes beyond the budget: %s', (used, over) => {
    expect(cost('100', used)).toEqual({ tokens: 2, most: 100, tooLong: false, over })
  })
})
