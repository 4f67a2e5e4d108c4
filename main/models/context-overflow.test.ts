import { expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import { learntContexts } from './context-overflow.ts'
import { contextNamedIn } from './refusal-kinds.ts'

async function* refused(data: Record<string, Json>) {
  yield { type: 'text', index: 0, text: '' } as const
  throw new HostError('model.too-long', 'Too long.', { data })
}
async function readAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}
const model = { id: 'lab/m', provider: 'lab', name: 'm', ai: true }

test('a size that a refusal names is remembered for that model, also by the next run', async () => {
  const facts = new Map<string, Json>()
  const settings = { fact: (name: string) => facts.get(name), setFact: (name: string, value: Json) => void facts.set(name, value) }
  let changes = 0
  const contexts = learntContexts(settings, () => {
    changes += 1
  })
  for (const data of [{}, { contextTokens: 131_072 }, { contextTokens: 131_072 }])
    await expect(readAll(contexts.learning('lab/m', refused(data)))).rejects.toThrow('Too long.')
  const next = learntContexts(settings, () => {})
  expect(changes).toBe(1)
  expect([next.withSize(model), next.withSize({ ...model, contextTokens: 9 }), next.withSize({ ...model, id: 'lab/n' })]).toEqual([
    { ...model, contextTokens: 131_072 },
    { ...model, contextTokens: 9 },
    { ...model, id: 'lab/n' },
  ])
})

test.each([
  ["This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens", 1_048_565],
  ["This model's maximum prompt length is 131072 but the request contains 136973 tokens.", 131_072],
  ['Prompt contains 160907 tokens and 0 draft tokens, too large for model with 131072 maximum context length', 131_072],
  ['prompt is too long: 3333404 tokens > 200000 maximum', 200_000],
  ['The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).', 1_048_576],
  ['the model is loaded with context length of only 32768 tokens, which is not enough.', 32_768],
  ['too many tokens: size limit exceeded by 25836 tokens. The limit for this model is 288000 tokens.', 288_000],
  ['`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens', 2048],
  ['Current length is 42328 while limit is 40000', 40_000],
  ['prompt too long; exceeded max context length by 1119046 tokens', undefined],
])('%s: names %s', (message, size) => expect(contextNamedIn(message)).toBe(size))
