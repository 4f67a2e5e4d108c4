// A bundle that is updated: its new version never starts unasked, and what was allowed for the old one counts for tools that stayed the
// same, of the same author's bundle, and for nothing else.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { makeManifest, makeZip } from '#main/install/bundles/bundles.testing.ts'
import { type Attack, always, no, once, only, same, unless } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { order } from '../../obey.ts'
import { tool } from '../../puppet.ts'
import { onStage, type Stage } from '../../stage.ts'
import { openBundle } from '../bundles.ts'
import { fileOf, rule, save, start } from './changed-programs.ts'

const family = 'bundle updates'
const ref = (name: string): string => `\${${name}}`

interface Version {
  readonly version: string
  readonly tools?: readonly JsonObject[]
  readonly author?: string
  readonly env?: JsonObject
  readonly more?: JsonObject
}
const send = tool('send', { description: 'Sends' })
const other = tool('other', { description: 'Another' })

/** MCP server that notes each start and each call. */
const program = (folder: string, { version, tools = [send, other] }: Version): string => `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const note = (what) => appendFileSync(${JSON.stringify(join(folder, 'ran'))}, what + '\\n')
note('started ${version}')
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize') send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '${version}' } })
  else if (method === 'tools/list') send(id, { tools: ${JSON.stringify(tools)} })
  else if (method === 'tools/call') { note(params.name + ' ${version}'); send(id, { content: [{ type: 'text', text: 'done' }] }) }
  else send(id, {})
})
`
const bundleOf = (folder: string, one: Version): Buffer => {
  const { version, author = 'Maya', env = {}, more = {} } = one
  const server = {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'node', args: [`${ref('__dirname')}/server/index.mjs`], env },
  }
  return makeZip([
    { name: 'manifest.json', text: JSON.stringify(makeManifest({ version, author: { name: author }, server, ...more })) },
    { name: 'server/index.mjs', text: program(folder, one) },
  ])
}

type Values = Record<string, string>
async function install(stage: Stage, one: Version, server = 'notes', values: Values = {}): Promise<void> {
  const { id } = await openBundle(stage, bundleOf(stage.folder, one))
  await stage.host.request('bundle.install', { id, server, values })
}
async function update(stage: Stage, one: Version, values: Values = {}): Promise<void> {
  const { id } = await openBundle(stage, bundleOf(stage.folder, one))
  await stage.host.request('bundle.update', { id, server: 'notes', values })
}
const restart = async (stage: Stage, name = 'notes'): Promise<void> => {
  await stage.host.request('server.stop', { name })
  await start(stage, name)
}
/** What ran since the last look. */
function ran({ folder }: Stage): string[] {
  const file = join(folder, 'ran')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  rmSync(file, { force: true })
  return lines
}
const call = async (stage: Stage, name: string, server = 'notes'): Promise<string[]> => {
  await stage.turn(order(`${server}__${name}`))
  return ran(stage).filter((line) => !line.startsWith('started'))
}
const launches = ({ asked }: Stage): number => asked.filter(({ kind, server }) => kind === 'launch' && server === 'notes').length

interface Row {
  readonly name: string
  readonly first?: Partial<Version>
  readonly values?: Values
  /** Terms of the rule for `notes`; default: its tool `send`. */
  readonly rules?: readonly JsonObject[]
  /** After a rule was shown to count for 1.0.0. Returns what is called then and on which server. */
  change(stage: Stage, launchesAs: (person: Person) => void): Promise<void>
  /** Called by the obedient model while the person says no, each with what it ran. */
  readonly calls: Readonly<Record<string, readonly string[]>>
  readonly server?: string
  readonly launched: number
}

const row = ({ name, first, values, rules = [{ tool: 'send' }], change, calls: expected, server = 'notes', launched }: Row): Attack => ({
  family,
  name,
  run() {
    let launching: Person = always
    return onStage(
      () => ({}),
      async (stage) => {
        await install(stage, { version: '1.0.0', ...first }, 'notes', values)
        await start(stage, 'notes')
        for (const each of rules) await rule(stage, { server: 'notes', ...each })
        stage.setPerson(only())
        const control = same('control: before', [await call(stage, 'send'), launches(stage)], [['send 1.0.0'], 1])
        // Not restarted by each change, so that launches can be counted.
        await stage.host.request('server.stop', { name: 'notes' })
        await change(stage, (person) => {
          launching = person
        })
        ran(stage)
        const wrong: string[] = []
        for (const [each, runs] of Object.entries(expected)) wrong.push(...same(`called ${each}`, await call(stage, each, server), runs))
        wrong.push(...same('launches asked', launches(stage), launched))
        stage.setPerson(once)
        for (const each of Object.keys(expected))
          wrong.push(...unless((await call(stage, each, server)).length === 1, `control: with a yes ${each} does not run either`))
        return [...control, ...wrong]
      },
      { launches: (request) => launching(request), starts: [] },
    )
  },
})

const two: Version = { version: '2.0.0' }
const updated = (one: Version, values?: Values) => async (stage: Stage) => {
  await update(stage, one, values)
  await restart(stage)
}
const token = { user_config: { token: { type: 'string', title: 'Token', sensitive: true, required: true } } }
const withToken: Partial<Version> = { env: { TOKEN: ref('user_config.token') }, more: token }

/** Checks that nothing of the new version ran without a yes to it, and that it does with one. */
const unasked = (name: string, answer: Person): Attack => ({
  family,
  name,
  run() {
    let launching: Person = always
    return onStage(
      () => ({}),
      async (stage) => {
        await install(stage, { version: '1.0.0' })
        await start(stage, 'notes')
        await rule(stage, { server: 'notes', tool: 'send' })
        ran(stage)
        launching = answer
        await update(stage, two)
        await stage.host.request('server.stop', { name: 'notes' })
        const starting = start(stage, 'notes')
        await new Promise((done) => setTimeout(done, 1500))
        stage.setPerson(no)
        await Promise.race([stage.turn(order('notes__send')), new Promise((done) => setTimeout(done, 1500))])
        const before = ran(stage)
        const question = stage.asked.filter(({ kind }) => kind === 'launch').at(-1)
        for (const { id, kind } of stage.host.context.broker.open())
          if (kind === 'launch') stage.host.context.broker.answer(id, { kind: 'deny' })
        await starting
        launching = always
        await start(stage, 'notes')
        return [
          ...same('ran', before, []),
          ...unless(
            question?.kind === 'launch' && question.target.transport === 'stdio' && question.target.args.join().includes('2-0-0'),
            'the question does not show the new program',
          ),
          ...unless(ran(stage).includes('started 2.0.0'), 'control: with a yes it does not start either'),
        ]
      },
      { launches: (request) => launching(request), starts: [] },
    )
  },
})

/** Lays files beside the bundles as another program would, with a record that calls itself the next version of the one that is there. */
function plantVersion(stage: Stage): string {
  const root = join(stage.test.dataDir, 'bundles')
  const planted = join(root, 'notes_2-0-0_abcdef12')
  mkdirSync(join(planted, 'files/server'), { recursive: true })
  writeFileSync(join(planted, 'files/server/index.mjs'), program(stage.folder, two))
  const manifest = makeManifest({ version: '2.0.0' })
  const record = { format: 1, manifest, signature: { kind: 'none' }, installedAt: Date.now(), values: {}, secrets: {}, config: '' }
  writeFileSync(join(planted, 'bundle.json'), JSON.stringify(record))
  return join(planted, 'files')
}

/** Changes the entry to files that were laid beside its bundle. */
async function moveToPlanted(stage: Stage): Promise<void> {
  const files = plantVersion(stage)
  const servers = await fileOf(stage)
  const before = dirname(dirname((servers['notes'] as { args: string[] }).args[0] ?? ''))
  await save(stage, JSON.parse(JSON.stringify(servers).replaceAll(before, files)) as Record<string, JsonObject>)
  await restart(stage)
}

export const bundleUpdates: readonly Attack[] = [
  row({
    name: 'control: a rule goes on over an update whose tool stayed, and the launch is asked once',
    change: updated(two),
    calls: { send: ['send 2.0.0'], other: [] },
    launched: 2,
  }),
  row({
    name: 'control: a rule goes on over two updates with no start between them',
    async change(stage) {
      await update(stage, two)
      await updated({ version: '3.0.0' })(stage)
    },
    calls: { send: ['send 3.0.0'] },
    launched: 2,
  }),
  row({
    name: 'control: a rule goes on over an update whose variables name its own folder',
    first: { env: { DATA: `${ref('__dirname')}/data`, NODE_PATH: `${ref('__dirname')}/lib` } },
    change: updated({ version: '2.0.0', env: { DATA: `${ref('__dirname')}/data`, NODE_PATH: `${ref('__dirname')}/lib` } }),
    calls: { send: ['send 2.0.0'] },
    launched: 2,
  }),
  row({
    name: 'a tool that the update changed is asked again, the other not',
    rules: [{ tool: 'send' }, { tool: 'other' }],
    change: updated({ version: '2.0.0', tools: [tool('send', { description: 'Sends all' }), other] }),
    calls: { send: [], other: ['other 2.0.0'] },
    launched: 2,
  }),
  row({
    name: 'a tool that the update only gave other annotations is asked again',
    change: updated({ version: '2.0.0', tools: [tool('send', { description: 'Sends', annotations: { readOnlyHint: true } }), other] }),
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'a tool that comes with the update is not allowed by a rule for all, nor is one that changed',
    rules: [{}],
    change: updated({ version: '2.0.0', tools: [send, tool('other', { description: 'Other by now' }), tool('more')] }),
    calls: { send: ['send 2.0.0'], other: [], more: [] },
    launched: 2,
  }),
  row({
    name: 'a rule ends when the update is given another token',
    first: withToken,
    values: { token: 'one' },
    change: updated({ version: '2.0.0', ...withToken }, { token: 'two' }),
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'a rule ends when another bundle of that name and author gets the place of a removed one',
    async change(stage) {
      await save(stage, {})
      await install(stage, two)
      await start(stage, 'notes')
    },
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'a rule ends when the entry is changed to the files of another bundle',
    async change(stage) {
      await install(stage, { version: '2.0.0', author: 'Mallory' }, 'extra')
      const servers = await fileOf(stage)
      await save(stage, { ...servers, notes: servers['extra'] as JsonObject })
      await restart(stage)
    },
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'a rule ends when a program lays a version beside the bundle and the entry is changed to it',
    change: moveToPlanted,
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'a rule ends when an update is followed by a change of the entry to files that were laid beside it',
    async change(stage) {
      await update(stage, two)
      await moveToPlanted(stage)
    },
    calls: { send: [] },
    launched: 2,
  }),
  row({
    name: 'an update that is only looked at changes nothing',
    async change(stage) {
      await openBundle(stage, bundleOf(stage.folder, two))
      await restart(stage)
    },
    calls: { send: ['send 1.0.0'], other: [] },
    launched: 1,
  }),
  row({
    name: 'an update that was refused and taken back leaves the rule to the version before, unasked',
    async change(stage, launchesAs) {
      launchesAs(no)
      await updated(two)(stage)
      await stage.host.request('bundle.goBack', { server: 'notes' })
      await start(stage, 'notes')
      launchesAs(always)
    },
    calls: { send: ['send 1.0.0'] },
    launched: 2,
  }),
  row({
    name: 'a variable that loads code in the update is shown with its value',
    change: async (stage) => {
      await updated({ version: '2.0.0', env: { NODE_OPTIONS: '--no-warnings' } })(stage)
      const shown = stage.asked.filter(({ kind }) => kind === 'launch').at(-1)
      if (!JSON.stringify(shown).includes('--no-warnings')) throw new Error('it was not shown')
    },
    calls: { other: [] },
    launched: 2,
  }),
  unasked('an update that was refused does not run', no),
  unasked('an update that nobody answered does not run', () => undefined),
]
