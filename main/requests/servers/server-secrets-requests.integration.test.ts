import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputReference as input } from '#app/server/inputs/variable-references.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { eventually, http, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { error, handshake, json, type RawHttp, rawHttp } from '../../../e2e/servers/http/raw-http.ts'

const undo: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Answers as an old server does, and repeats its headers wherever it can: in its errors, and in what it says of itself. */
async function gossip(): Promise<RawHttp> {
  const server = await rawHttp(({ verb, headers, message }, response) => {
    if (verb !== 'POST') return false
    const greeting = handshake(message, '2025-06-18')
    const said = { ...(greeting?.['result'] as JsonObject), instructions: `I was sent ${JSON.stringify(headers)}` }
    const answer = message.method === 'initialize' ? { ...greeting, result: said } : greeting
    if (message.id === undefined) response.writeHead(202).end()
    else
      json(
        response,
        answer ??
          error(message, { code: -32000, message: `I was sent ${JSON.stringify(headers)}`, data: { headers: JSON.stringify(headers) } }),
      )
    return true
  })
  undo.push(() => server.close())
  return server
}

interface Run extends TestHost {
  readonly events: string[]
  readonly logged: string[]
  readonly text: () => string
  readonly definition: (name: string) => ServerDefinition | undefined
  /** Everything that could keep or show a secret, the store of secrets aside. */
  readonly everything: () => string
}

function start(servers: Record<string, object>, more: { inputs?: object[]; comment?: string } = {}): Run {
  const logged: string[] = []
  const keep = (message: string, cause?: unknown): void => void logged.push(`${message} ${cause instanceof Error ? cause.stack : ''}`)
  const body = JSON.stringify({ ...(more.inputs ? { inputs: more.inputs } : {}), mcpServers: servers }, null, 2)
  const test = makeTestHost({
    servers: `${more.comment ?? ''}${body}`,
    policy: (request) => (request.kind === 'launch' ? { kind: 'allow', scope: 'always' } : undefined),
    log: { debug: keep, info: keep, warn: keep, error: keep },
  })
  undo.push(() => test.remove())
  const events: string[] = []
  test.host.onEvent((event) => events.push(JSON.stringify(event)))
  const files = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? files(path) : [readFileSync(path, 'latin1')]
    })
  const { host, dataDir } = test
  return {
    ...test,
    events,
    logged,
    text: () => readFileSync(join(dataDir, 'servers.json'), 'utf8'),
    definition: (name) => host.context.config.definitions().get(name),
    everything: () =>
      [
        ...files(dataDir),
        ...events,
        ...logged,
        JSON.stringify(host.snapshot()),
        JSON.stringify([...host.context.store.audit.all()]),
        ...host.context.servers.views().map(({ name }) => JSON.stringify(host.context.servers.log(name))),
      ].join('\n'),
  }
}

const kind = ({ host }: Run, name: string): string | undefined => host.context.servers.view(name)?.state.kind

describe('a header that is kept as a secret', () => {
  it('reaches the server, and the file has only a reference', async () => {
    const server = await gossip()
    const run = start({})
    const definition = http(server.url, { Authorization: 'Bearer s3cret-token', 'X-Plain': 'on' })
    await run.host.request('server.save', { name: 'web', definition, keepSecrets: ['Authorization'] })
    await run.host.request('server.start', { name: 'web' })
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer s3cret-token', 'x-plain': 'on' })
    expect(run.definition('web')).toMatchObject({ headers: { Authorization: `Bearer ${input('authorization')}`, 'X-Plain': 'on' } })
    expect(run.host.context.servers.view('web')).toMatchObject({ inputs: [{ id: 'authorization', set: true }], plainSecrets: [] })
    expect(run.everything()).not.toContain('s3cret-token')
  })

  it('is not lost when the keyring refuses it: the file is as it was', async () => {
    const run = start({ web: { url: 'https://x.example/mcp', headers: { 'X-Api-Key': 'still-here' } } })
    const before = run.text()
    run.platform.secrets.set = () => Promise.reject(new Error('locked'))
    await expect(run.host.request('server.keepSecrets', { name: 'web', names: ['X-Api-Key'] })).rejects.toThrow('locked')
    expect(run.text()).toBe(before)
  })

  it('is forgotten again when the file cannot be written', async () => {
    const run = start({ other: { url: 'https://x.example' } })
    const save = run.host.request('server.save', {
      name: 'other',
      previousName: 'gone',
      definition: { ...http('https://x.example', { 'X-Api-Key': 'v' }), url: 'nonsense' },
      keepSecrets: ['X-Api-Key'],
    })
    await expect(save).rejects.toMatchObject({ code: 'config.invalid' })
    expect(await run.platform.secrets.get('input/other/x-api-key')).toBeUndefined()
  })
})

describe('a value that is missing', () => {
  it('is named by the state, and once it is entered the server starts', async () => {
    const server = await gossip()
    const inputs = [{ id: 'token', type: 'promptString', description: 'From the vault', password: true }]
    const run = start({ web: { url: server.url, headers: { 'X-One': input('token'), 'X-Two': input('two') } } }, { inputs })
    await expect(run.host.request('server.start', { name: 'web' })).rejects.toMatchObject({ code: 'server.secret-missing' })
    expect(run.host.context.servers.view('web')).toMatchObject({
      state: { kind: 'failed', error: { code: 'server.secret-missing', data: { server: 'web', ids: ['token', 'two'] } } },
      inputs: [
        { id: 'token', set: false, shared: true, description: 'From the vault' },
        { id: 'two', set: false, shared: false },
      ],
    })
    expect(server.seen).toEqual([])
    await run.host.request('server.setSecret', { name: 'web', id: 'token', value: 'first-value\n' })
    expect(kind(run, 'web')).toBe('failed')
    await run.host.request('server.setSecret', { name: 'web', id: 'two', value: 'second-value' })
    await eventually(() => expect(kind(run, 'web')).toBe('ready'))
    expect(server.seen[0]?.headers).toMatchObject({ 'x-one': 'first-value', 'x-two': 'second-value' })
    await run.host.request('server.forgetSecret', { name: 'web', id: 'two' })
    expect(run.host.context.servers.view('web')?.inputs.map(({ set }) => set)).toEqual([true, false])
    expect(run.everything()).not.toMatch(/first-value|second-value/)
  })

  it('is kept only where the definition names it', async () => {
    const run = start({ web: { url: 'https://x.example', headers: { A: input('a') } } })
    for (const [id, value] of [
      ['b', 'v'],
      ['a', '\n'],
      ['a', 'nul\0'],
    ] as const)
      await expect(run.host.request('server.setSecret', { name: 'web', id, value })).rejects.toMatchObject({ code: 'config.invalid' })
  })
})

describe('a secret in the file', () => {
  const comment = '// the house rules\n'

  it('moves to the store and back again, and comments stay', async () => {
    const run = start({ web: { url: 'https://x.example/mcp', headers: { 'X-Api-Key': 'plain-value', 'X-Plain': 'on' } } }, { comment })
    const before = run.text()
    expect(run.host.context.servers.view('web')?.plainSecrets).toEqual(['X-Api-Key'])
    await run.host.request('server.keepSecrets', { name: 'web', names: ['X-Api-Key'] })
    expect([run.text().startsWith(comment), run.text().includes('plain-value')]).toEqual([true, false])
    expect(await run.platform.secrets.get('input/web/x-api-key')).toBe('plain-value')
    await run.host.request('server.putBackSecrets', { name: 'web' })
    expect([run.text(), await run.platform.secrets.get('input/web/x-api-key')]).toEqual([before, undefined])
    await expect(run.host.request('server.putBackSecrets', { name: 'web' })).rejects.toMatchObject({ code: 'config.invalid' })
  })

  it('that was entered is never put into the file', async () => {
    const run = start({ web: { url: 'https://x.example', headers: { A: input('a') } } })
    await run.host.request('server.setSecret', { name: 'web', id: 'a', value: 'entered-value' })
    await expect(run.host.request('server.putBackSecrets', { name: 'web' })).rejects.toMatchObject({ code: 'config.invalid' })
    expect(run.everything()).not.toContain('entered-value')
  })
})

describe('the approval of a launch', () => {
  const asked = (run: Run): string[][] =>
    [...run.host.context.store.audit.all()]
      .filter(({ kind, by, decision }) => kind === 'launch' && decision === 'allowed' && by !== 'rule')
      .map(({ detail }) => (detail['changedValues'] as string[] | undefined) ?? [])

  it('covers the values in the file, and those that are kept', async () => {
    const server = await gossip()
    const run = start({ web: { url: server.url, headers: { 'X-Tenant': 'one', 'X-Token': input('token') } } })
    const { host } = run
    await host.request('server.setSecret', { name: 'web', id: 'token', value: 'first-value' })
    await host.request('server.start', { name: 'web' })
    await host.request('server.setSecret', { name: 'web', id: 'token', value: 'second-value' })
    await host.request('server.restart', { name: 'web' })
    expect([asked(run), server.seen.at(-1)?.headers['x-token']]).toEqual([[[], [input('token')]], 'second-value'])
    writeFileSync(join(run.dataDir, 'servers.json'), run.text().replace('"one"', '"two"'))
    await eventually(() => expect(asked(run)).toEqual([[], [input('token')], ['X-Tenant']]))
  })
})

describe('secrets follow their server', () => {
  const web = () => start({ web: { url: 'https://x.example', headers: { A: input('a') } } })
  const kept = async ({ platform }: Run, server: string): Promise<string | undefined> => platform.secrets.get(`input/${server}/a`)

  it('to its new name', async () => {
    const run = web()
    await run.host.request('server.setSecret', { name: 'web', id: 'a', value: 'v' })
    const definition = run.definition('web') as ServerDefinition
    await run.host.request('server.save', { name: 'site', previousName: 'web', definition })
    expect([await kept(run, 'web'), await kept(run, 'site')]).toEqual([undefined, 'v'])
  })

  it('away when it is removed, and back when that is undone', async () => {
    const run = web()
    await run.host.request('server.setSecret', { name: 'web', id: 'a', value: 'v' })
    const { text } = await run.host.request('server.remove', { name: 'web' })
    expect(await kept(run, 'web')).toBeUndefined()
    await run.host.request('config.save', { text })
    await eventually(async () => expect(await kept(run, 'web')).toBe('v'))
  })

  it('nowhere when nothing names them any more', async () => {
    const run = web()
    await run.host.request('server.setSecret', { name: 'web', id: 'a', value: 'v' })
    await run.host.request('server.save', { name: 'web', definition: http('https://x.example', { B: 'plain' }) })
    expect(await kept(run, 'web')).toBeUndefined()
  })
})

it('whatever the secrets are, none is in a file, an event, the snapshot, the record, a log or an error', async () => {
  const server = await gossip()
  /** Long enough not to be there by chance; a header takes no control characters and no space at its ends. */
  const secret = fc.stringMatching(/^[!-~]{12,40}$/).filter((text) => !/[{}]|^(Bearer|Basic|Token)/i.test(text))
  await fc.assert(
    fc.asyncProperty(secret, secret, secret, async (header, variable, argument) => {
      const run = start({
        program: { ...raw('tools'), env: { ECHO_TOKEN: input('variable') }, args: [...raw('tools').args, input('argument')] },
      })
      const { host } = run
      const definition = http(server.url, { Authorization: header })
      await host.request('server.save', { name: 'web', definition, keepSecrets: ['Authorization'] })
      await host.request('server.start', { name: 'program' }).catch(() => undefined)
      await host.request('server.setSecret', { name: 'program', id: 'variable', value: variable })
      await host.request('server.setSecret', { name: 'program', id: 'argument', value: argument })
      await Promise.all([host.request('server.start', { name: 'web' }), host.request('server.start', { name: 'program' })])
      await eventually(() => expect(JSON.stringify(host.context.servers.log('program'))).toContain('token'))
      const failure = await host.context.servers
        .readResource('web', 'x:', { signal: new AbortController().signal })
        .catch((reason: Error) => `${reason.message} ${JSON.stringify(reason)}`)
      const shown = `${run.everything()}\n${String(failure)}`
      for (const value of [header, variable, argument])
        for (const form of [value, JSON.stringify(value).slice(1, -1), Buffer.from(value).toString('base64')])
          expect(shown).not.toContain(form)
      expect([failure, host.context.servers.view('web')?.session?.instructions].every((said) => String(said).includes('I was sent'))).toBe(
        true,
      )
      await run.remove()
    }),
    { numRuns: 4 },
  )
}, 60_000)
