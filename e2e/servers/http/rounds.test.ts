// Questions inside results over HTTP (2026-07-28): each round is a request of its own, with headers of its own.
import { expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, http, makeServers, noHandlers } from '#main/servers/lifecycle/servers.testing.ts'
import { json, result } from './raw-http.ts'
import { closeAfterEach, serve, signal } from './support.ts'

closeAfterEach()

const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const question: JsonObject = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}

it.each([
  ['tools/call', 'echo'],
  ['resources/read', 'raw://one'],
  ['prompts/get', 'greet'],
])('%s is sent again with the answers and the state, under a new id and the same name', async (method, name) => {
  const lists: Readonly<Record<string, JsonObject>> = {
    'server/discover': { ...base, supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {}, prompts: {} } },
    'tools/list': { ...base, tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'resources/list': { ...base, resources: [{ uri: 'raw://one', name: 'one' }] },
    'resources/templates/list': { ...base, resourceTemplates: [] },
    'prompts/list': { ...base, prompts: [{ name: 'greet' }] },
  }
  const done: Readonly<Record<string, JsonObject>> = {
    'tools/call': { resultType: 'complete', content: [] },
    'resources/read': { ...base, contents: [] },
    'prompts/get': { resultType: 'complete', messages: [] },
  }
  const raw = await serve(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    const given = message.params?.['inputResponses'] !== undefined
    const asks = { resultType: 'input_required', inputRequests: { who: question }, requestState: 'σ' }
    const answer = lists[message.method ?? ''] ?? (given ? done[message.method ?? ''] : asks)
    if (answer === undefined) return false
    json(response, result(message, answer))
    return true
  })
  const elicitation = () => Promise.resolve({ action: 'decline' as const })
  const servers = makeServers({ raw: http(raw.url) }, { handlers: { ...noHandlers, elicitation } })
  await servers.start('raw')
  if (method === 'tools/call') await servers.call(approve(servers, 'raw', name), { signal })
  else if (method === 'resources/read') await servers.readResource('raw', name, { signal })
  else await servers.getPrompt('raw', name, {}, { signal })
  const sent = raw.seen.filter(({ message }) => message.method === method)
  expect(
    sent.map(({ headers, message: { params } }) => [headers['mcp-name'], params?.['inputResponses'], params?.['requestState']]),
  ).toEqual([
    [name, undefined, undefined],
    [name, { who: { action: 'decline' } }, 'σ'],
  ])
  expect(new Set(sent.map(({ message }) => message.id)).size).toBe(2)
})
