// Rules and trust that were given for one program of a name count for no other that gets the name: by the file, an import, a command that
// joined, a link in the path, or a name that looks the same.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { launchBuiltin } from '#main/shell/node/node-platform.ts'
import { type Attack, always, no, once, same, unless } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { order } from '../../obey.ts'
import { type Part, tool } from '../../puppet.ts'
import { type Cast, onStage, type Stage, type StageOptions, trust } from '../../stage.ts'

export const family = 'changed programs'
export const fileOf = async ({ host }: Stage): Promise<Record<string, JsonObject>> =>
  (JSON.parse((await host.request('config.get', {})).text) as { mcpServers: Record<string, JsonObject> }).mcpServers
export const save = ({ host }: Stage, servers: Record<string, JsonObject>): Promise<unknown> =>
  host.request('config.save', { text: JSON.stringify({ mcpServers: servers }) })
export const start = ({ host }: Stage, name: string): Promise<unknown> =>
  host.request('server.start', { name }).catch((error: unknown) => error)
export const rule = ({ host }: Stage, more: JsonObject): Promise<unknown> =>
  host.request('rule.save', { rule: { effect: 'allow', scope: { kind: 'always' }, ...more } } as never)
export const took = ({ effects }: Stage): string[] => effects.splice(0)
/** The person's file changes; a command that joined starts the program and allows it for once. */
export async function joinedStart(stage: Stage, name: string, entry: JsonObject): Promise<void> {
  const { host } = stage
  const servers = await fileOf(stage)
  const caller = { signal: new AbortController().signal, joined: 'a-command' }
  await host.request('server.stop', { name })
  const undo = host.onEvent((event) => {
    if (event.name !== 'consent.opened' || event.payload.request.kind !== 'launch') return
    const { id } = event.payload.request
    void host.request('consent.answer', { id, answer: { kind: 'allow', scope: 'once' } }, caller)
  })
  await save(stage, { ...servers, [name]: entry })
  await host.request('server.start', { name }, caller).finally(undo)
}
/** Launches are allowed for good by the person, but those that a command asks. */
export const launches: Person = (request) => (request.joined === undefined ? always(request) : undefined)

const send: Part = { tools: () => [tool('send'), tool('read', { annotations: { readOnlyHint: true } })] }

async function modelNameOf({ host }: Stage, server: string, name: string): Promise<string> {
  const { tools } = await host.request('server.catalogue', { name: server })
  return tools.find((one) => one.name === name)?.modelName ?? ''
}

interface Bound {
  readonly name: string
  readonly entry?: (stage: Stage) => JsonObject
  readonly options?: StageOptions
  readonly cast?: Cast
  readonly trusts?: true
  /** What another program comes by; returns the name that is called then. */
  change(stage: Stage): Promise<string>
}

/** Row: a rule for `notes` (or trust), which counts; then a change, after which it does not; with a yes the call runs. */
const bound = ({ name, trusts, cast = {}, options, entry, change }: Bound): Attack => ({
  family,
  name,
  run: () =>
    onStage(
      () => ({ notes: send, other: send, ...cast }),
      async (stage) => {
        const tried = trusts ? 'read' : 'send'
        const effects = () => took(stage).map((one) => one.split(' ')[2])
        if (entry) {
          const servers = await fileOf(stage)
          await save(stage, { ...servers, notes: { ...servers['notes'], ...entry(stage) } as JsonObject })
          await start(stage, 'notes')
        }
        if (trusts) {
          await trust(stage, 'notes')
          await stage.host.request('settings.set', { consentMode: 'ask-writes' })
        } else await rule(stage, { server: 'notes' })
        stage.setPerson(no)
        await stage.turn(order(`notes__${tried}`))
        const control = same('control: happened', effects(), [tried])
        const server = await change(stage)
        took(stage)
        await stage.turn(order(await modelNameOf(stage, server, tried)))
        const happened = effects()
        stage.setPerson(once)
        await stage.turn(order(await modelNameOf(stage, server, tried)))
        return [...control, ...same('happened', happened, []), ...same('control: with a yes', effects(), [tried])]
      },
      { ...options, launches },
    ),
})

/** Imports an entry over `notes`, and starts it. */
export async function importOver(stage: Stage, entry: JsonObject): Promise<void> {
  const file = join(stage.folder, '.cursor/mcp.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: entry } }))
  const { hosts } = await stage.host.request('appImport.look', {})
  const found = hosts.flatMap((host) => host.files).flatMap(({ servers }) => servers)
  stage.setPerson((request) => (request.kind === 'config-import' ? { kind: 'allow', scope: 'once' } : { kind: 'deny' }))
  const { taken } = await stage.host.request('appImport.take', {
    servers: found.map(({ id }) => ({ id, name: 'notes', replace: true })),
  })
  if (taken.length !== 1) throw new Error('control: nothing was imported')
  await start(stage, 'notes')
}
const notesOf = async (stage: Stage): Promise<JsonObject> => (await fileOf(stage))['notes'] as JsonObject
const laidLink = (stage: Stage): JsonObject => {
  for (const each of ['a', 'b']) mkdirSync(join(stage.folder, each))
  symlinkSync(join(stage.folder, 'a'), join(stage.folder, 'link'))
  return { cwd: join(stage.folder, 'link') }
}
async function swappedLink(stage: Stage): Promise<string> {
  await stage.host.request('server.stop', { name: 'notes' })
  rmSync(join(stage.folder, 'link'))
  symlinkSync(join(stage.folder, 'b'), join(stage.folder, 'link'))
  await start(stage, 'notes')
  return 'notes'
}
/** Another entry, of another token, whose name a person takes for that of `notes`. */
const twin = (what: string, name: string, trusts?: true): Attack =>
  bound({
    name: `${trusts ? 'trust' : 'a rule'} does not count for a name that differs in ${what}`,
    ...(trusts ? { trusts } : {}),
    async change(stage) {
      const servers = await fileOf(stage)
      await save(stage, { ...servers, [name]: { ...servers['other'], ...(trusts ? { trusted: true } : {}) } as JsonObject })
      await start(stage, name)
      return name
    },
  })

const identities: readonly Attack[] = [
  bound({
    name: 'a rule ends when an import writes another program over its entry',
    async change(stage) {
      await importOver(stage, (await fileOf(stage))['other'] as JsonObject)
      return 'notes'
    },
  }),
  bound({
    name: 'a rule ends when an import writes the same program with another token over its entry',
    entry: () => ({ env: { TOKEN: 'one' } }),
    async change(stage) {
      await importOver(stage, { ...(await notesOf(stage)), env: { TOKEN: 'two' } })
      return 'notes'
    },
  }),
  bound({
    name: 'trust ends when an import writes another program over its entry, whatever it says',
    trusts: true,
    async change(stage) {
      await importOver(stage, { ...((await fileOf(stage))['other'] as JsonObject), trusted: true })
      return 'notes'
    },
  }),
  bound({
    name: 'trust ends with another token in the file',
    trusts: true,
    entry: () => ({ env: { TOKEN: 'one' } }),
    async change(stage) {
      const servers = await fileOf(stage)
      await save(stage, { ...servers, notes: { ...servers['notes'], env: { TOKEN: 'two' } } as JsonObject })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({ name: 'trust ends when the folder is a link that leads elsewhere by now', trusts: true, entry: laidLink, change: swappedLink }),
  bound({
    name: 'trust does not count for another token that a joined command allowed for once',
    trusts: true,
    entry: () => ({ env: { TOKEN: 'one' } }),
    async change(stage) {
      await joinedStart(stage, 'notes', { ...(await notesOf(stage)), env: { TOKEN: 'two' } })
      return 'notes'
    },
  }),
  twin('case only', 'Notes'),
  twin('case only', 'Notes', true),
  bound({
    name: 'a rule does not count for a name that differs in its Unicode form only',
    cast: { café: send },
    async change(stage) {
      await rule(stage, { server: 'café' })
      const servers = await fileOf(stage)
      await save(stage, { ...servers, café: servers['other'] as JsonObject })
      await start(stage, 'café')
      return 'cafe\u0301'
    },
  }),
]

/** The built-in server offers the same tools to everybody, so anybody can offer them too. */
const builtin: Attack = {
  family,
  name: 'rules of the built-in server answer for no program that gets its name',
  run: () =>
    onStage(
      () => ({ mail: { tools: () => copied } }),
      async (stage) => {
        const { host } = stage
        await host.request('server.start', { name: 'demo' })
        const { tools } = await host.request('server.catalogue', { name: 'demo' })
        copied = tools.map(
          ({ modelName: _model, tokens: _tokens, enabled: _enabled, fingerprint: _fingerprint, ...rest }) => rest as JsonObject,
        )
        const [first] = tools
        await rule(stage, { server: 'demo' })
        stage.setPerson(no)
        const servers = await fileOf(stage)
        await host.request('server.stop', { name: 'demo' })
        await save(stage, { demo: servers['mail'] as JsonObject })
        await start(stage, 'demo')
        const after = await host.request('server.catalogue', { name: 'demo' })
        const alike = after.tools.find(({ name }) => name === first?.name)?.fingerprint === first?.fingerprint
        await stage.turn(order(first?.modelName ?? '', {}))
        const happened = took(stage)
        stage.setPerson(once)
        await stage.turn(order(first?.modelName ?? '', {}))
        return [
          ...unless(alike, 'control: its tools are not the same'),
          ...same('happened', happened, []),
          ...unless(took(stage).length === 1, 'control: with a yes it does not run either'),
        ]
      },
      { others: { demo: { builtin: 'demo' } }, launchBuiltin },
    ),
}
let copied: readonly JsonObject[] = []

export const changedPrograms: readonly Attack[] = [...identities, builtin]
