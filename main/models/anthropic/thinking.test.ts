import { describe, expect, test } from 'vitest'
import type { ModelInfo } from '#app/models/models.ts'
import { efforts, nearestEffort } from '#app/models/models.ts'
import { effortsIn, thinkingOf } from './thinking.ts'

const info = (change: Partial<ModelInfo>): ModelInfo => ({ id: 'anthropic/m', provider: 'anthropic', name: 'M', ai: true, ...change })
const newer = info({ thinkingOff: true, thinks: 'adaptive', efforts: ['none', 'low', 'high'] })
const older = info({ thinkingOff: true, thinks: 'budget', efforts: ['none', 'low', 'medium', 'high'] })
const adaptive = { thinking: { type: 'adaptive', display: 'summarized' } }
const off = { thinking: { type: 'disabled' } }
const said = [{ content: [{ type: 'text' as const }] }]

describe('how much a model is told to think', () => {
  test.each<[string, ModelInfo | undefined, Parameters<typeof thinkingOf>[0], object]>([
    ['as little as it can where nothing is asked', newer, {}, off],
    ['as it likes', newer, { effort: 'auto' }, adaptive],
    ['as it likes, by an older one', older, { effort: 'auto' }, off],
    ['a level', newer, { effort: 'high' }, { ...adaptive, output_config: { effort: 'high' } }],
    ['a level that it lacks', newer, { effort: 'medium' }, { ...adaptive, output_config: { effort: 'low' } }],
    ['not at all', newer, { effort: 'none' }, off],
    [
      'not at all, by one that always does',
      info({ thinks: 'adaptive', efforts: ['low'] }),
      { effort: 'none' },
      { ...adaptive, output_config: { effort: 'low' } },
    ],
    ['a level, by one with a budget', older, { effort: 'low' }, { thinking: { type: 'enabled', budget_tokens: 2048 } }],
    ['a level, by one that knows none', info({ efforts: [] }), { effort: 'high' }, {}],
    ['a level, by one of which nothing is known', undefined, { effort: 'high' }, { output_config: { effort: 'high' } }],
    ['a level, where a tool has to be called', newer, { effort: 'high', toolChoice: 'required' }, off],
  ])('%s', (_, model, request, expected) => {
    expect(thinkingOf(request, model, 8000, said)).toEqual(expected)
  })

  test('a budget leaves room for the answer, and none is given where calls were made without thinking', () => {
    const results = (first: 'thinking' | 'text') => [
      { content: [{ type: first }, { type: 'tool_use' as const }] },
      { content: [{ type: 'tool_result' as const }] },
    ]
    const ask = (maxTokens: number, messages: Parameters<typeof thinkingOf>[3]) =>
      thinkingOf({ effort: 'high' }, older, maxTokens, messages)
    const enabled = { thinking: { type: 'enabled', budget_tokens: 6976 } }
    expect([ask(8000, said), ask(2000, said), ask(8000, results('thinking')), ask(8000, results('text'))]).toEqual([
      enabled,
      off,
      enabled,
      off,
    ])
  })
})

const yes = { supported: true }
const no = { supported: false }

test('the model list tells which levels there are', () => {
  const levels = { low: yes, medium: yes, high: yes, xhigh: null, max: no, supported: true }
  const types = { adaptive: yes, between_tools: no, disabled: yes, enabled: no }
  expect(effortsIn({ effort: levels, thinking: { supported: true, types } })).toEqual({
    thinkingOff: true,
    thinks: 'adaptive',
    efforts: ['none', 'low', 'medium', 'high'],
  })
  const older = { ...types, adaptive: no, enabled: yes, disabled: no }
  expect(effortsIn({ effort: { ...levels, supported: false }, thinking: { supported: true, types: older } })).toEqual({
    thinks: 'budget',
    efforts: ['low', 'medium', 'high'],
  })
  expect(effortsIn({})).toEqual({})
})

test('the nearest level is the most that is no more than what was asked for, else the least', () => {
  expect(efforts.map((one) => nearestEffort(one, ['high', 'low']))).toEqual(['low', 'low', 'low', 'high', 'high', 'high'])
  expect(nearestEffort('low', [])).toBeUndefined()
})
