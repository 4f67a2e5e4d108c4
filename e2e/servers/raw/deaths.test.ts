// A server that dies with requests in flight: each ends at once with a word that can be read, and the first request after
// that is answered by the server that was startedByProcess anew.
import { expect, it } from 'vitest'
import type { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { approve, eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { result } from '../http/raw-http.ts'
import { closeAfterEach, fails, signal, startedByProcess } from './raw-stdio.ts'
import { type Message, older, type Wire } from './relayed.ts'

closeAfterEach()

const answers: Readonly<Record<string, JsonObject>> = {
  'tools/call': { content: [{ type: 'text', text: 'here again' }] },
  'resources/read': { contents: [{ uri: 'note://a', text: 'here again' }] },
  'prompts/get': { messages: [] },
}

const capabilities = { tools: {}, resources: {}, prompts: {} }
const offers: Readonly<Record<string, JsonObject>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities, serverInfo: { name: 'raw', version: '1' } },
  'prompts/list': { prompts: [{ name: 'greet' }] },
}

/** Its first process keeps what is asked to itself. */
function mortal() {
  let first: Wire | undefined
  return older('2025-06-18', (message: Message, wire: Wire) => {
    first ??= wire
    const about = offers[message.method ?? '']
    if (about) wire.send(result(message, about))
    if (about) return true
    const answer = answers[message.method ?? '']
    if (!answer) return false
    if (wire !== first) wire.send(result(message, answer))
    return true
  })
}

it.each<[string, (wire: Wire) => void, string]>([
  ['exits', (wire) => wire.exit(3), 'server.exited'],
  ['closes its end', (wire) => wire.closeStdout(), 'server.connection-lost'],
])('ends what is in flight when it %s, and answers what is asked next', async (_, die, because) => {
  const { made, servers } = await startedByProcess(mortal())
  const ask = [
    () => servers.call(approve(servers, 'raw', 'echo'), { signal }),
    () => servers.readResource('raw', 'note://a', { signal }),
    () => servers.getPrompt('raw', 'greet', {}, { signal }),
  ]
  const inFlight = ask.map((one) => one().catch((error: unknown) => error))
  await eventually(() => expect(made.wire.said()).toEqual(expect.arrayContaining(Object.keys(answers))))
  die(made.wire)
  const [called, ...others] = await Promise.all(inFlight)
  expect(called).toEqual(fails('tool.outcome-unknown', { because }))
  expect(others).toEqual([fails(because), fails(because)])
  for (const error of others) expect((error as HostError).message).toContain('raw')
  // Nothing is run again by itself.
  expect(made.wires.flatMap((wire) => wire.said().filter((word) => word === 'tools/call'))).toHaveLength(1)
  const after = await Promise.all(ask.map((one) => one()))
  expect(after).toMatchObject([{ result: answers['tools/call'] }, answers['resources/read'], answers['prompts/get']])
  expect(made.wires).toHaveLength(2)
})
