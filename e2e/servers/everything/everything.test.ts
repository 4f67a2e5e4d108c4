// Every tool, prompt and resource of the reference server, over its three transports. What there is comes from the server:
// something new of it that is not used here fails the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { CompletionQuery } from '#app/server/completion.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import type { WholeHost } from '../whole-host.ts'
import { openEverything, server, transports } from './open.ts'
import { tools } from './tools.ts'

const message = (text: string): object => ({ role: 'user', content: { type: 'text', text } })

/** Arguments of each prompt, and what it then says. */
const prompts: Readonly<Record<string, readonly [Readonly<Record<string, string>>, readonly unknown[]]>> = {
  'simple-prompt': [{}, [message('This is a simple prompt without arguments.')]],
  'args-prompt': [{ city: 'Paris', state: 'Texas' }, [message("What's weather in Paris, Texas?")]],
  'completable-prompt': [{ department: 'Sales', name: 'Eve' }, [message('Please promote Eve to the head of the Sales team.')]],
  'resource-prompt': [
    { resourceType: 'Blob', resourceId: '3' },
    [
      expect.anything(),
      {
        role: 'user',
        content: expect.objectContaining({ type: 'resource', resource: expect.objectContaining({ blob: expect.any(String) }) }),
      },
    ],
  ],
}

/** A resource of each template, and the key that its content stands under. */
const templates: Readonly<Record<string, readonly [string, 'text' | 'blob']>> = {
  'demo://resource/dynamic/text/{resourceId}': ['demo://resource/dynamic/text/5', 'text'],
  'demo://resource/dynamic/blob/{resourceId}': ['demo://resource/dynamic/blob/6', 'blob'],
}

const { signal } = new AbortController()

describe.each(transports)('server-everything over %s', (transport) => {
  let kit: WholeHost
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assent-root-'))
    kit = await openEverything(transport, [folder])
    // It asks a moment after the handshake, in the course of no call.
    await eventually(() => expect(kit.asked.map(({ kind }) => kind)).toEqual(['launch', 'roots']))
  })
  afterAll(async () => {
    await kit.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const catalogue = () => kit.host.context.servers.catalogue(server)

  it('is spoken to in the newest revision that it has, and is told of the folder that it may know', () => {
    expect(kit.host.snapshot().servers[0]).toMatchObject({
      state: { kind: 'ready' },
      session: { era: 'legacy', protocolVersion: '2025-11-25', transport, serverInfo: { name: 'mcp-servers/everything' } },
      warnings: [],
    })
    expect(kit.asked[1]).toMatchObject({ kind: 'roots', roots: [{ uri: pathToFileURL(folder).href }] })
  })

  it('offers nothing that is not used here', () => {
    const { tools: offered, prompts: told, resources, resourceTemplates } = catalogue()
    expect(new Set(offered.map(({ name }) => name))).toEqual(new Set(Object.keys(tools)))
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(Object.keys(prompts)))
    expect(new Set(resourceTemplates.map(({ uriTemplate }) => uriTemplate))).toEqual(new Set(Object.keys(templates)))
    expect(resources.length).toBeGreaterThan(0)
  })

  it.each(Object.entries(tools))('tool %s', async (name, use) => {
    let calls = 0
    await use((args = {}, options) => {
      calls += 1
      return kit.call(name, args, options)
    }, kit)
    const [row] = kit.host.context.store.audit.list({ limit: 1, filter: { kinds: ['result'] } })
    expect([calls > 0, row?.kind, row?.tool]).toEqual([true, 'result', name])
  })

  it.each(Object.entries(prompts))('prompt %s', async (name, [args, messages]) => {
    expect(await kit.host.context.servers.getPrompt(server, name, args, { signal })).toMatchObject({ messages })
  })

  it('each resource that is listed', async () => {
    for (const { uri, mimeType } of catalogue().resources) {
      const { contents } = (await kit.read(uri)) as { readonly contents: readonly JsonObject[] }
      expect(contents).toEqual([expect.objectContaining({ uri, mimeType })])
    }
  })

  it.each(Object.entries(templates))('a resource of the template %s', async (_, [uri, key]) => {
    expect(await kit.read(uri)).toMatchObject({ contents: [{ uri, [key]: expect.any(String) }] })
  })

  it('suggestions for arguments of prompts and templates, by what was filled in before', async () => {
    const { servers } = kit.host.context
    const suggested = async (ref: CompletionQuery['ref'], name: string, value: string, filled: Record<string, string> = {}) =>
      (await servers.complete(server, { ref, argument: { name, value }, context: { arguments: filled } }, { signal })).values
    const prompt = { type: 'ref/prompt', name: 'completable-prompt' } as const
    expect([
      await suggested(prompt, 'department', 'S'),
      await suggested(prompt, 'name', 'D', { department: 'Sales' }),
      await suggested(prompt, 'name', '', { department: 'Support' }),
      await suggested({ type: 'ref/prompt', name: 'resource-prompt' }, 'resourceType', 'B'),
    ]).toEqual([['Sales', 'Support'], ['David'], ['John', 'Kim', 'Lee'], ['Blob']])
    for (const uri of Object.keys(templates)) expect(await suggested({ type: 'ref/resource', uri }, 'resourceId', '7')).toEqual(['7'])
  })

  it('a ping, and the news that the folders are not those of before, after which it asks for them again', async () => {
    const { servers } = kit.host.context
    expect(await servers.ping(server, { signal })).toBeGreaterThanOrEqual(0)
    const asked = kit.asked.length
    servers.rootsChanged()
    await eventually(() => expect(kit.asked.slice(asked).map(({ kind }) => kind)).toEqual(['roots']))
  })

  it('a resource that there is not', async () => {
    await expect(kit.read('demo://resource/dynamic/text/none')).rejects.toMatchObject({ name: 'ProtocolError' })
    await expect(kit.host.context.servers.getPrompt(server, 'no-such-prompt', {}, { signal })).rejects.toMatchObject({ code: -32602 })
  })
})
