import { expect, test } from 'vitest'
import { endpointUrl, isOpenToAll } from './endpoint-url.ts'

test.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  [' https://openrouter.ai/api/v1/ ', 'https://openrouter.ai/api/v1'],
  ['localhost:11434', 'http://localhost:11434/v1'],
  ['127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
  ['[::1]:8080', 'http://[::1]:8080/v1'],
  ['llm.example.com', 'https://llm.example.com/v1'],
  ['https://llm.example.com/v1/chat/completions', 'https://llm.example.com/v1'],
  ['http://10.0.0.2:8000', 'http://10.0.0.2:8000/v1'],
])('%s is %s', (typed, url) => {
  expect(endpointUrl(typed)).toBe(url)
})

test.each([
  '',
  'ftp://a/v1',
  'javascript:alert(1)',
  'file:///etc',
  'https://me:secret@a/v1',
  'https://a/v1?key=1',
  'https://a/v1#x',
  'two words',
])('not an address: %s', (typed) => {
  expect(endpointUrl(typed)).toBeUndefined()
})

test('http is open to all, but not on this computer', () => {
  const urls = [
    'http://10.0.0.2/v1',
    'http://llm.example.com/v1',
    'https://a/v1',
    'http://localhost:1/v1',
    'http://127.0.0.1:1/v1',
    'http://[::1]:1/v1',
  ]
  expect(urls.map(isOpenToAll)).toEqual([true, true, false, false, false, false])
})

test('in the format of Anthropic `/v1` is part of the request', () => {
  const typed = ['api.example', 'https://api.example/v1/', 'https://api.example/anthropic/v1/messages', 'https://api.example/anthropic']
  expect(typed.map((one) => endpointUrl(one, 'anthropic'))).toEqual([
    'https://api.example',
    'https://api.example',
    'https://api.example/anthropic',
    'https://api.example/anthropic',
  ])
})
