import { expect, it } from 'vitest'
import { withFreshInputs } from './fresh-inputs.ts'
import { readSnippet } from './read-snippet.ts'

const input = (id: string): string => `\${input:${id}}`
const snippet = readSnippet(
  JSON.stringify({
    inputs: [{ id: 'token', type: 'promptString', password: true }],
    servers: {
      a: { command: 'a', args: ['--key', input('token')] },
      b: { url: 'https://b.example', headers: { X: input('token'), Y: input('other') } },
    },
  }),
)

it('keeps the ids of a snippet that mean nothing here', () => {
  expect(withFreshInputs(snippet, new Set(['else']))).toBe(snippet)
})

it('gives an id that stands for a value of the person another name, the same one in all servers', () => {
  const fresh = withFreshInputs(snippet, new Set(['token', 'token-2', 'other']))
  expect([fresh.inputs.map(({ id }) => id), fresh.servers.map(({ definition }) => definition)]).toMatchObject([
    ['token-3'],
    [{ args: ['--key', input('token-3')] }, { headers: { X: input('token-3'), Y: input('other-2') } }],
  ])
})
