import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, closeServers, http, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { error, json, type RawHttp, rawHttp, result } from '../../../../e2e/servers/http/raw-http.ts'
import { clientCapabilities } from '../connection/establish-connection.ts'

const opened: RawHttp[] = []
afterEach(async () => {
  expect(await closeServers()).toEqual([])
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

const { signal } = new AbortController()

it('the extensions that are offered have names with a prefix', () => {
  const names = Object.keys(clientCapabilities.extensions ?? {})
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+\/[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/)
})

it('a server without skills has none, and works as it does without', async () => {
  const servers = makeServers({ a: raw('modern') })
  await servers.start('a')
  expect(await servers.skills('a', { signal })).toEqual([])
  const { result } = await servers.call(approve(servers, 'a', 'meta'), { signal })
  expect(result).toHaveProperty('content')
})

const at = 'skill://billing/refunds/SKILL.md'
const form = 'skill://billing/refunds/forms/eu.md'
const head = (name: string) => `---\nname: ${name}\ndescription: Process refunds\n---\nPay nobody.`
const fileOf = (uri: string, text: string): JsonObject => ({
  uri,
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  size: Buffer.byteLength(text),
})
const entryOf = (more: JsonObject = {}): JsonObject => ({
  uri: at,
  frontmatter: { name: 'refunds', description: 'Process refunds' },
  resources: [fileOf(at, head('refunds')), fileOf(form, 'The form.')],
  ...more,
})

/** A server of 2026-07-28 that lists these skills and serves these files. */
async function shelf(pages: readonly (readonly JsonObject[])[], files: Readonly<Record<string, string>> = {}) {
  const base = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const served: Readonly<Record<string, string>> = { [at]: head('refunds'), [form]: 'The form.', ...files }
  const server = await rawHttp(({ verb, message }, response) => {
    if (verb !== 'POST' || message.id === undefined) return false
    const say = (value: JsonObject): void => json(response, result(message, { ...base, ...value }))
    const { method, params = {} } = message
    const asked = String(params['uri'])
    const page = Number(params['cursor'] ?? 0)
    const extensions = { 'io.modelcontextprotocol/skills': {} }
    if (method === 'server/discover') say({ supportedVersions: ['2026-07-28'], capabilities: { tools: {}, resources: {}, extensions } })
    else if (method === 'tools/list') say({ tools: [] })
    else if (method === 'resources/list') say({ resources: [] })
    else if (method === 'resources/templates/list') say({ resourceTemplates: [] })
    else if (method === 'skills/list')
      say({ skills: [...(pages[page % pages.length] ?? [])], ...(pages.length > 1 ? { nextCursor: String(page + 1) } : {}) })
    else if (method === 'resources/read' && served[asked] !== undefined)
      say({ contents: [{ uri: asked, mimeType: 'text/markdown', text: served[asked] }] })
    else json(response, error(message, { code: -32602, message: 'No such thing' }))
    return true
  })
  opened.push(server)
  const servers = makeServers({ a: http(server.url) })
  await servers.start('a')
  return { servers, server, read: (uri: string, file?: string) => servers.readSkill('a', uri, file, { signal }) }
}

describe('a listed skill is left out', () => {
  const other = 'skill://billing/secrets/key.md'
  it.each<[string, JsonObject]>([
    ['whose own SKILL.md is not among its files', { resources: [fileOf(form, 'The form.')] }],
    ['that lists a file of another directory', { resources: [fileOf(at, head('refunds')), fileOf(other, 'x')] }],
    [
      'that lists a file by a way out',
      { resources: [fileOf(at, head('refunds')), fileOf('skill://billing/refunds/../secrets/key.md', 'x')] },
    ],
    [
      'that lists a file by a hidden way out',
      { resources: [fileOf(at, head('refunds')), fileOf('skill://billing/refunds/%2e%2e/key.md', 'x')] },
    ],
    ['that lists a file of another scheme', { resources: [fileOf(at, head('refunds')), fileOf('file:///etc/passwd', 'x')] }],
    ['that lists a file twice', { resources: [fileOf(at, head('refunds')), fileOf(form, 'The form.'), fileOf(form, 'Another.')] }],
    ['whose name is not its directory’s', { frontmatter: { name: 'payouts', description: 'Process refunds' } }],
    ['without a description', { frontmatter: { name: 'refunds' } }],
    ['whose digest is none', { resources: [{ ...fileOf(at, head('refunds')), digest: 'md5:abc' }] }],
    ['whose size is negative', { resources: [{ ...fileOf(at, head('refunds')), size: -1 }] }],
    ['whose URI is no SKILL.md', { uri: form }],
  ])('%s', async (_what, more) => {
    const good = 'skill://billing/good/SKILL.md'
    const fine = { uri: good, frontmatter: { name: 'good', description: 'Good' }, resources: [fileOf(good, 'x')] }
    const { servers } = await shelf([[entryOf(more), fine]])
    expect((await servers.skills('a', { signal })).map(({ uri }) => uri)).toEqual([good])
  })

  it('with a name that the Agent Skills do not know', async () => {
    const uri = 'skill://billing/Re_Funds/SKILL.md'
    const { servers } = await shelf([
      [entryOf({ uri, frontmatter: { name: 'Re_Funds', description: 'x' }, resources: [fileOf(uri, 'x')] })],
    ])
    expect(await servers.skills('a', { signal })).toEqual([])
  })
})

it('two skills of one name are two, by their URIs', async () => {
  const twin = 'skill://support/refunds/SKILL.md'
  const text = head('refunds').replace('nobody', 'mallory')
  const { servers, read } = await shelf([[entryOf(), entryOf({ uri: twin, resources: [fileOf(twin, text)] })]], { [twin]: text })
  expect((await servers.skills('a', { signal })).map(({ uri }) => uri)).toEqual([at, twin])
  expect([(await read(at)).bytes, (await read(twin)).bytes].map((bytes) => Buffer.from(bytes).toString())).toEqual([head('refunds'), text])
})

it('a list of skills without end is given up', async () => {
  const { servers, server } = await shelf([[entryOf()], [entryOf({ uri: 'skill://b/refunds/SKILL.md' })]])
  await servers.skills('a', { signal }).catch(() => undefined)
  expect(server.verbs().filter((verb) => verb === 'POST skills/list').length).toBeLessThanOrEqual(1001)
}, 30_000)

it('a skill within a skill is a file of it: its frontmatter is neither compared nor acted on', async () => {
  const nested = 'skill://billing/refunds/inner/SKILL.md'
  const text = '---\nname: quite-another\nallowed-tools: Bash\n---\nRun.'
  const { read } = await shelf([[entryOf({ resources: [fileOf(at, head('refunds')), fileOf(nested, text)] })]], { [nested]: text })
  const { bytes, verified } = await read(at, 'inner/SKILL.md')
  expect([Buffer.from(bytes).toString(), verified]).toEqual([text, true])
})

it.each([
  ['a file that it does not list', 'other.md'],
  ['a way out', '../secrets/key.md'],
  ['a way out in other words', '%2e%2e/secrets/key.md'],
  ['an address of its own', 'file:///etc/passwd'],
  ['a directory', 'forms/'],
])('a skill is not read by %s, and its server is not asked', async (_what, file) => {
  const { read, server } = await shelf([[entryOf()]])
  await expect(read(at, file)).rejects.toMatchObject({ code: 'server.protocol' })
  expect(server.verbs().filter((verb) => /resources\/(?:read|directory)/.test(verb))).toEqual([])
})
