import { expect, it } from 'vitest'
import { readConfig } from './read-config.ts'

const read = (inputs: string) => readConfig(`{ "inputs": ${inputs}, "mcpServers": {} }`, 'f')

it('reads what VS Code writes', () => {
  const { inputs, problems } = read(`[
    { "type": "promptString", "id": "token", "description": "A token", "password": true, "default": "used unseen" },
    { "type": "promptString", "id": "region", "default": "eu", "unknown": 1 },
    { "type": "pickString", "id": "mode", "options": ["fast", { "label": "Slow", "value": "slow" }] },
  ]`)
  expect(problems).toEqual([])
  expect([...inputs.values()]).toEqual([
    { id: 'token', description: 'A token', password: true },
    { id: 'region', default: 'eu', password: false },
    { id: 'mode', password: false, options: ['fast', 'slow'] },
  ])
})

it.each([
  '{}',
  '[7]',
  '[{}]',
  '[{ "id": "a{b}" }]',
  '[{ "id": "a", "type": "command" }]',
  '[{ "id": "a", "type": "pickString" }]',
  '[{"id":"a"},{"id":"a"}]',
])('names what is wrong in %s, and the servers stay usable', (text) => {
  const { usable, problems } = read(text)
  expect([usable, problems.length, problems[0]?.line]).toEqual([true, 1, 1])
})
