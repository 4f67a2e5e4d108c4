// Structured results against a raw server of 2026-07-28: any JSON value may be one, and its schema any schema.
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#app/json.ts'
import { approve } from '#main/servers/lifecycle/servers.testing.ts'
import { json, result } from './raw-http.ts'
import { closeAfterEach, host, serve, signal } from './support.ts'

closeAfterEach()

/** Calls a tool with this output schema, which gives this value. */
async function structured(outputSchema: JsonObject, structuredContent: Json): Promise<unknown> {
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const tool = { name: 'give', inputSchema: { type: 'object' }, outputSchema }
  const raw = await serve(({ verb, message }, response) => {
    if (verb !== 'POST') return false
    if (message.method === 'server/discover')
      json(response, result(message, { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }))
    else if (message.method === 'tools/list') json(response, result(message, { ...complete, tools: [tool] }))
    else json(response, result(message, { ...complete, content: [], structuredContent }))
    return true
  })
  const servers = host(raw)
  await servers.start('raw')
  expect(servers.catalogue('raw').tools).toHaveLength(1)
  const called = await servers.call(approve(servers, 'raw', 'give'), { signal })
  return called.result['structuredContent']
}

const draft07 = 'http://json-schema.org/draft-07/schema#'

describe('a structured result', () => {
  it.each<[string, JsonObject, Json]>([
    ['an object', { type: 'object', properties: { total: { type: 'number' } } }, { total: 3 }],
    ['a list', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
    ['a text', { type: 'string' }, 'a'],
    ['a number', { type: 'integer', maximum: 3 }, 3],
    ['a truth', { type: 'boolean' }, false],
    ['null', { type: ['null', 'string'] }, null],
    ['by draft-07', { $schema: draft07, type: 'array', items: [{ type: 'string' }], additionalItems: false }, ['a']],
    ['by 2020-12, which is meant where none is named', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a']],
  ])('may be %s', async (_what, schema, value) => {
    expect(await structured(schema, value)).toEqual(value)
  })

  it.each<[string, JsonObject, Json]>([
    ['a list', { type: 'array', items: { type: 'string' } }, ['a', 7]],
    ['a text', { type: 'string' }, 7],
    ['null', { type: 'object' }, null],
    ['by draft-07', { $schema: draft07, type: 'array', items: [{ type: 'string' }], additionalItems: false }, ['a', 'b']],
    ['by 2020-12', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 'b']],
  ])('that breaks its schema is refused: %s', async (_what, schema, value) => {
    await expect(structured(schema, value)).rejects.toMatchObject({ code: 'tool.result-invalid' })
  })
})
