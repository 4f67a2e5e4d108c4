// Ways to more than was approved: an answer of the page, a file that another program writes, a link, a name. In each row a server tries to
// read a file that its approved sandbox does not hold; in its control the same read succeeds, once the person allowed that.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsentAnswer, LaunchRequest } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { noGrants, type SandboxSettings } from '#app/server/sandbox/sandbox-settings.ts'
import { makeTestHost } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { makeSceneFolder } from '#main/servers/process/sandbox/scene-folder.testing.ts'
import { type Attack, same, unless } from '../../attack.ts'

const secret = 'S3CRET'

const program = `#!${process.execPath}
const { readFileSync } = require('node:fs')
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'read', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { path } }) => {
    let text
    try { text = readFileSync(path, 'utf8') } catch (error) { text = error.code }
    return { content: [{ type: 'text', text }] }
  },
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error: { code: -32601, message: 'no' } }) }))
})
`

interface Place {
  readonly folder: string
  readonly dataDir: string
  /** Folder that is suggested, among the arguments. */
  readonly notes: string
  readonly hidden: string
  readonly file: string
  readonly program: string
}

const read = (path: string): SandboxSettings => ({ kind: 'on', grants: { ...noGrants, read: [path] } })
const yes = (sandbox?: SandboxSettings): ConsentAnswer => ({ kind: 'allow', scope: 'always', ...(sandbox ? { sandbox } : {}) })
const no: ConsentAnswer = { kind: 'deny' }

function makePlace(): Place {
  const folder = makeSceneFolder()
  const [dataDir, notes, hidden, bin] = ['data', 'notes', 'hidden', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const each of [dataDir, notes, hidden, bin]) mkdirSync(each)
  const [file, path] = [join(hidden, 'secret'), join(bin, 'docker')]
  writeFileSync(file, secret)
  writeFileSync(path, program)
  chmodSync(path, 0o755)
  return { folder, dataDir, notes, hidden, file, program: path }
}

type Launches = (request: LaunchRequest) => ConsentAnswer

/** One life of the host on the place's profile: what was asked and refused, and what the server read, or why it does not run. */
async function life(
  { dataDir, file }: Place,
  launches: Launches,
  {
    meanwhile,
    option,
  }: { readonly meanwhile?: (request: (name: never, params: never) => Promise<unknown>) => Promise<unknown>; readonly option?: 'off' } = {},
): Promise<string> {
  const asked: string[] = []
  const { host } = makeTestHost({
    dataDir,
    startServers: false,
    sandboxed: option === undefined,
    environment: createEnvironment({ isTerminal: true }),
  })
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    if (request.kind === 'launch') asked.push(request.why.kind)
    const answer: ConsentAnswer = request.kind === 'launch' ? launches(request) : { kind: 'allow', scope: 'once' }
    host.request('consent.answer', { id: request.id, answer }).catch(async ({ code }) => {
      asked.push(code)
      await host.request('consent.answer', { id: request.id, answer: no })
    })
  })
  const codeOf = (error: unknown): string => (error instanceof HostError ? error.code : String(error))
  const came = (end: string): string => [...[...new Set(asked)].sort(), end].join(' ')
  try {
    await host.request('server.start', { name: 'probe' })
    if (meanwhile) {
      const refused = await meanwhile(host.request as never).then(() => undefined, codeOf)
      if (refused !== undefined) asked.push(refused)
      await host.request('server.restart', { name: 'probe' })
    }
    const called = await host.request('tool.call', { server: 'probe', tool: 'read', arguments: { path: file } })
    const [text] = 'result' in called ? (called.result['content'] as { text: string }[]) : []
    return came(text?.text ?? 'error')
  } catch (error) {
    return came(codeOf(error))
  } finally {
    await host.dispose()
  }
}

const entry = ({ program: command, notes }: Place): JsonObject => ({ command, args: [notes] })
const write = (place: Place, more: JsonObject = {}): void =>
  writeFileSync(join(place.dataDir, 'servers.json'), JSON.stringify({ mcpServers: { probe: { ...entry(place), ...more } } }))

interface Answer {
  readonly name: string
  /** What happens, and what came of it: what was asked, and what was read. */
  readonly act: (place: Place) => Promise<string>
  readonly held: string
  /** The same with the person's yes; the secret has to be read. */
  readonly control: (place: Place) => Promise<string>
}

const missing = (await findEngine()).kind === 'none' ? 'this computer has no bubblewrap, or does not let it work' : undefined

const row = ({ name, act, held, control }: Answer): Attack => ({
  family: 'sandbox',
  name,
  ...(missing === undefined ? {} : { skip: missing }),
  async run() {
    const on = async (work: (place: Place) => Promise<string>): Promise<string> => {
      const place = makePlace()
      write(place)
      try {
        return await work(place)
      } finally {
        rmSync(place.folder, { recursive: true, force: true })
      }
    }
    const allowed = await on(control)
    return [...same('what came of it', await on(act), held), ...unless(allowed.endsWith(secret), `control: it is not read: ${allowed}`)]
  },
})

const approve = (place: Place): Promise<string> => life(place, () => yes())
const swap = ({ notes, hidden }: Place): void => {
  renameSync(notes, `${notes}-before`)
  symlinkSync(hidden, notes)
}

export const sandboxAnswers: readonly Attack[] = [
  row({
    name: 'an answer of the page that names the data folder starts nothing',
    act: (place) => life({ ...place, file: join(place.dataDir, 'servers.json') }, () => yes(read(place.dataDir))),
    held: 'first-launch server.sandbox-grant server.refused',
    control: (place) => life(place, () => yes(read(place.hidden))),
  }),
  row({
    name: 'an answer of the page that names a link is not what the link leads to',
    act(place) {
      symlinkSync(place.hidden, join(place.folder, 'link'))
      return life(place, () => yes(read(join(place.folder, 'link'))))
    },
    held: 'first-launch server.sandbox-grant server.refused',
    control: (place) => life(place, () => yes(read(place.hidden))),
  }),
  row({
    name: 'an approved folder that is a link by now is asked again',
    async act(place) {
      await approve(place)
      swap(place)
      return life(place, () => no)
    },
    held: 'launch-changed server.refused',
    async control(place) {
      await approve(place)
      swap(place)
      return life(place, () => yes())
    },
  }),
  ...(
    [
      ['says that it runs without a sandbox', () => ({ sandboxEnabled: false })],
      ['lists more to read', ({ hidden }) => ({ sandboxEnabled: true, sandbox: { filesystem: { allowRead: [hidden] } } })],
    ] as const satisfies readonly (readonly [string, (place: Place) => JsonObject])[]
  ).map(([what, more]) =>
    row({
      name: `another program that writes servers.json, which then ${what}, is asked about`,
      async act(place) {
        await approve(place)
        write(place, more(place))
        return life(place, () => no)
      },
      held: 'launch-changed server.refused',
      async control(place) {
        await approve(place)
        write(place, more(place))
        return life(place, () => yes())
      },
    }),
  ),
  row({
    name: 'a sandbox that is set for another launch than the approved one is refused',
    act: (place) =>
      life(place, ({ why }) => (why.kind === 'first-launch' ? yes() : no), {
        async meanwhile(request) {
          const text = JSON.stringify({ mcpServers: { probe: { ...entry(place), args: [place.notes, 'evil'] } } })
          await request('config.save' as never, { text } as never)
          await request('server.setSandbox' as never, { name: 'probe', sandbox: read(place.hidden) } as never)
        },
      }),
    held: 'first-launch launch-changed server.refused server.refused',
    control: (place) =>
      life(place, () => yes(), {
        meanwhile: (request) => request('server.setSandbox' as never, { name: 'probe', sandbox: read(place.hidden) } as never),
      }),
  }),
  row({
    name: 'a program that is named like a container engine is no reason for no sandbox',
    act: approve,
    held: 'first-launch ENOENT',
    control: (place) => life(place, () => yes({ kind: 'off' })),
  }),
  row({
    name: 'a container engine from a PATH of the entry is no reason for no sandbox',
    act(place) {
      write(place, { command: 'docker', env: { PATH: `${join(place.folder, 'bin')}:${process.env['PATH'] ?? ''}` } })
      return approve(place)
    },
    held: 'first-launch ENOENT',
    control(place) {
      write(place, { command: 'docker', env: { PATH: `${join(place.folder, 'bin')}:${process.env['PATH'] ?? ''}` } })
      return life(place, () => yes({ kind: 'off' }))
    },
  }),
  row({
    name: 'a server that was approved without a sandbox does not run so after a no',
    async act(place) {
      await life(place, () => yes(), { option: 'off' })
      return life(place, () => no)
    },
    held: 'launch-sandbox server.refused',
    async control(place) {
      await life(place, () => yes(), { option: 'off' })
      return life(place, () => yes({ kind: 'off' }))
    },
  }),
]
