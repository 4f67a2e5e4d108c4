import { expect, test } from 'vitest'
import { endpointErrorWords } from './endpoint-words.ts'

const refused = (detail: string) => ({
  code: 'model.request-refused' as const,
  message: 'Lab refused the request.',
  data: { endpoint: 'Lab', status: 400, detail },
})

test('a refusal of the model list is said with the endpoint’s own words', () => {
  expect(endpointErrorWords(refused('Unknown name "x": Cannot find field.'))).toBe(
    'Lab refused the request. Its words: “Unknown name "x": Cannot find field.”',
  )
})

test('they are cut where they are long, and hold nothing that hides', () => {
  const words = endpointErrorWords(refused(`Pay\u202Eed ${'more '.repeat(200)}`))
  expect([words.includes('\u202E'), words.length < 400, words.endsWith('…”')]).toEqual([false, true, true])
})
