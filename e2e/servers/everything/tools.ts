// One use of each tool, by its name. A tool of the server that is missing here fails the test beside.
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { Progress } from '#app/chat/message.ts'
import type { JsonObject } from '#app/json.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import type { CallOptions } from '../../../main/servers/client/requests/running-calls.ts'
import { blocks, textOf, type WholeHost } from '../whole-host.ts'
import { server, variable } from './open.ts'

type Call = (args?: JsonObject, options?: Partial<CallOptions>) => Promise<JsonObject>
type Use = (call: Call, kit: WholeHost) => Promise<void>

/** Where the server closes its words with what it was answered, as JSON. */
const lastJson = (result: JsonObject): unknown => JSON.parse(/result:\s+(\{.*\})$/s.exec(textOf(result))?.[1] ?? 'null')

export const tools: Readonly<Record<string, Use>> = {
  async echo(call) {
    expect(await call({ message: 'grüße 🙂' })).toEqual({ content: [{ type: 'text', text: 'Echo: grüße 🙂' }] })
    expect(await call({})).toMatchObject({ isError: true })
  },
  async 'get-annotated-message'(call) {
    const { content } = await call({ messageType: 'error', includeImage: true })
    expect(content).toMatchObject([
      { type: 'text', annotations: { priority: 1, audience: ['user', 'assistant'] } },
      { type: 'image', mimeType: 'image/png', annotations: { priority: 0.5, audience: ['user'] } },
    ])
  },
  async 'get-env'(call) {
    expect(JSON.parse(textOf(await call()))).toMatchObject(variable)
  },
  async 'get-resource-links'(call, { read }) {
    const links = blocks(await call({ count: 10 })).filter(({ type }) => type === 'resource_link')
    expect(links).toHaveLength(10)
    for (const { uri = '' } of links) expect(await read(uri)).toMatchObject({ contents: [{ uri }] })
  },
  async 'get-resource-reference'(call) {
    const kinds = { Text: 'text', Blob: 'blob' }
    for (const [resourceType, key] of Object.entries(kinds)) {
      const [, embedded] = blocks(await call({ resourceType, resourceId: 7 }))
      expect(embedded).toMatchObject({ type: 'resource', resource: { uri: `demo://resource/dynamic/${key}/7`, [key]: expect.any(String) } })
    }
    expect(await call({ resourceId: -1 })).toMatchObject({ isError: true })
  },
  async 'get-roots-list'(call, { asked }) {
    const [root] = asked.flatMap((request) => (request.kind === 'roots' ? request.roots : []))
    expect(textOf(await call())).toContain(`${root?.name}\n   URI: ${root?.uri}`)
  },
  async 'get-structured-content'(call) {
    const weather = { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }
    expect(await call({ location: 'Chicago' })).toMatchObject({ structuredContent: weather })
  },
  async 'get-sum'(call) {
    expect(textOf(await call({ a: 2, b: 40 }))).toContain('42')
    expect(await call({ a: 'two', b: 40 })).toMatchObject({ isError: true })
  },
  async 'get-tiny-image'(call) {
    expect(blocks(await call()).map(({ type }) => type)).toEqual(['text', 'image', 'text'])
  },
  /** The link is to a resource that was not there before: the list changes, and it can be read. */
  async 'gzip-file-as-resource'(call, { host, read }) {
    const data = 'data:text/plain,hello'
    const [embedded] = blocks(await call({ name: 'now.gz', data, outputType: 'resource' }))
    const [link] = blocks(await call({ name: 'later.gz', data, outputType: 'resourceLink' }))
    expect(link).toMatchObject({ type: 'resource_link', uri: 'demo://resource/session/later.gz', mimeType: 'application/gzip' })
    await eventually(() => {
      const listed = host.context.servers.catalogue(server).resources.map(({ uri }) => uri)
      expect(listed).toEqual(expect.arrayContaining([embedded?.resource?.uri, link?.uri]))
    })
    const { contents } = (await read(link?.uri ?? '')) as { readonly contents: readonly { readonly blob: string }[] }
    for (const blob of [embedded?.resource?.blob, contents[0]?.blob])
      expect(gunzipSync(Buffer.from(blob ?? '', 'base64')).toString()).toBe('hello')
  },
  /** It runs only as a task (2025-11-25, "Tasks"), and one that is unclear asks in its course. */
  async 'simulate-research-query'(call, { say, asked }) {
    say('elicitation-form', { kind: 'allow', scope: 'once', content: { interpretation: 'snake' } })
    const [clear, unclear] = await Promise.all([call({ topic: 'tea' }), call({ topic: 'python', ambiguous: true })])
    expect(textOf(clear)).toContain('Research Report: tea')
    expect(textOf(unclear)).toContain('Research Report: python (snake)')
    expect(asked.at(-1)).toMatchObject({ kind: 'elicitation-form', callId: expect.any(String) })
  },
  /** The first message comes at once, at any level: one below the level that was asked for is left out. */
  async 'toggle-simulated-logging'(call, { host }) {
    const { servers } = host.context
    const { signal } = new AbortController()
    const simulated = () => servers.log(server).lines.filter(({ source, text }) => source === 'message' && /level.message/i.test(text))
    await servers.setLogLevel(server, 'debug', { signal })
    expect(textOf(await call())).toContain('Started')
    await eventually(() => expect(simulated()).toHaveLength(1))
    expect(textOf(await call())).toContain('Stopped')
    // Eight levels, and one of them is told of: over ten starts others would be among them.
    await servers.setLogLevel(server, 'emergency', { signal })
    for (let n = 0; n < 10; n += 1) {
      await call()
      await call()
    }
    expect(
      new Set(
        simulated()
          .slice(1)
          .map(({ level }) => level),
      ),
    ).not.toContain('debug')
    for (const { level } of simulated().slice(1)) expect(level).toBe('emergency')
  },
  /** Whoever subscribed is told at once. Nobody is told of a resource that was given up. */
  async 'toggle-subscriber-updates'(call, { host }) {
    const { servers } = host.context
    const { signal } = new AbortController()
    const [wanted, given] = ['demo://resource/dynamic/text/1', 'demo://resource/dynamic/text/2']
    const updated: string[] = []
    const stop = host.onEvent(({ name, payload }) => {
      if (name === 'server.resourceUpdated') updated.push((payload as { uri: string }).uri)
    })
    for (const uri of [wanted, given]) await servers.subscribe(server, uri, { signal })
    await servers.unsubscribe(server, given, { signal })
    expect(textOf(await call())).toContain('Started')
    await eventually(() => expect(updated).toEqual([wanted]))
    expect(textOf(await call())).toContain('Stopped')
    await servers.unsubscribe(server, wanted, { signal })
    stop()
  },
  async 'trigger-elicitation-request'(call, { asked, say }) {
    const given = {
      name: 'Ada',
      email: 'ada@example.com',
      integer: 7,
      titledSingleSelectEnum: 'hero-2',
      untitledMultipleSelectEnum: ['Bass', 'Piano'],
    }
    say('elicitation-form', { kind: 'allow', scope: 'once', content: given })
    expect(lastJson(await call())).toMatchObject({ action: 'accept', content: given })
    const [form] = asked.filter(({ kind }) => kind === 'elicitation-form').slice(-1)
    expect(form).toMatchObject({ server, callId: expect.any(String), requestedSchema: { required: ['name'] } })
    say('elicitation-form', { kind: 'deny' })
    expect(lastJson(await call())).toEqual({ action: 'decline' })
    say('elicitation-form', { kind: 'cancel' })
    expect(lastJson(await call())).toEqual({ action: 'cancel' })
  },
  /** It takes no notice of a cancellation and goes on telling of progress, which nobody hears any more. */
  async 'trigger-long-running-operation'(call, kit) {
    const heard: Progress[] = []
    const result = await call({ duration: 0.3, steps: 3 }, { onProgress: (progress) => heard.push(progress) })
    expect(textOf(result)).toContain('completed')
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    const control = new AbortController()
    const late: Progress[] = []
    const cancelled = call(
      { duration: 2, steps: 20 },
      {
        signal: control.signal,
        onProgress(progress) {
          late.push(progress)
          control.abort()
        },
      },
    )
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
    await kit.call('trigger-long-running-operation', { duration: 0.3, steps: 1 })
    expect(late).toEqual([{ progress: 1, total: 20 }])
  },
  async 'trigger-sampling-request'(call, { asked, say }) {
    say('sampling-result', { kind: 'allow', scope: 'once', text: 'Leaves in hot water.' })
    expect(lastJson(await call({ prompt: 'What is tea?', maxTokens: 50 }))).toMatchObject({
      role: 'assistant',
      content: { type: 'text', text: 'Leaves in hot water.' },
    })
    const [question] = asked.filter(({ kind }) => kind === 'sampling').slice(-1)
    expect(question).toMatchObject({
      maxTokens: 50,
      messages: [{ role: 'user', parts: [{ text: expect.stringContaining('What is tea?') }] }],
    })
    say('sampling', { kind: 'deny' })
    expect(await call({ prompt: 'And coffee?' })).toMatchObject({ isError: true })
  },
  async 'trigger-url-elicitation'(call, { opened, say }) {
    const url = 'https://example.com/sign-in'
    expect(lastJson(await call({ url }))).toEqual({ action: 'accept' })
    expect(opened).toEqual([url])
    say('elicitation-url', { kind: 'deny' })
    expect(lastJson(await call({ url }))).toEqual({ action: 'decline' })
    expect(opened).toEqual([url])
  },
}
