// Lists in pages: a cursor is the server's own, and comes back to it as it was.
import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { closeServers } from '#main/servers/lifecycle/servers.testing.ts'
import { methodOf, recorded } from './recorded.ts'

afterEach(async () => {
  expect(await closeServers()).toEqual([])
})

const methods = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const
const cursors = ['', ' spaced out ', '{"page":2}', 'eyJwYWdlIjogM30=', '../%2F?é', '0']

it('every list is walked page by page, with the cursor as it came', async () => {
  const { servers, lines } = recorded('pages')
  await servers.start('a')
  const { tools, resources, resourceTemplates, prompts, stale } = servers.catalogue('a')
  expect([tools.length, resources.length, resourceTemplates.length, prompts.length, stale]).toEqual([7, 7, 7, 7, undefined])
  for (const method of methods) {
    const sent = lines().flatMap((line) => (line.by === 'host' && methodOf(line) === method ? [line.message['params'] as JsonObject] : []))
    expect(sent.map((params) => params?.['cursor'])).toEqual([undefined, ...cursors])
  }
})

it('a walk begins without a cursor, also after a restart', async () => {
  const { servers, lines } = recorded('pages')
  await servers.start('a')
  await servers.restart('a')
  for (const method of methods) {
    const sent = lines().flatMap((line) => (line.by === 'host' && methodOf(line) === method ? [line.message['params'] as JsonObject] : []))
    expect(sent.map((params) => params?.['cursor'])).toEqual([undefined, ...cursors, undefined, ...cursors])
  }
})
