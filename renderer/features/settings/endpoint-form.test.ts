import { expect, test } from 'vitest'
import { endpointErrorLabel } from './endpoint-form.tsx'

const refused = (detail: string) => ({
  code: 'model.request-refused' as const,
  message: 'Lab refused the request.',
  data: { endpoint: 'Lab', status: 400, detail },
})

test('a refusal of the model list is said with the endpoint’s own words', () => {
  expect(endpointErrorLabel(refused('Unknown name "x": Cannot find field.'))).toBe(
    'Lab refused the request. Response: “Unknown name "x": Cannot find field.”',
  )
})

test('they are cut where they are long, and hold nothing that hides', () => {
  const words = endpointErrorLabel(refused(`Pay\u202Eed ${'more '.repeat(200)}`))
  expect([words.includes('\u202E'), words.length < 400, words.endsWith('…”')]).toEqual([false, true, true])
})
