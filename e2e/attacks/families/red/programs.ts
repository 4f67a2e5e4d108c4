// What a program was allowed, against all that makes another program of its entry; and what was refused, against all that gives the same
// program another name. Written from SECURITY.md alone, on the stage of program identity.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { type Attack, once, same, unless } from '../../attack.ts'
import { onStage, type Stage } from '../../stage.ts'
import { bound, call, ofEntry, save, send, start, textOf, took } from '../identity/program-identity.ts'

/** Writes these members into the entry, as the file’s editor does, and starts it again. */
const edited =
  (change: (entry: JsonObject, stage: Stage) => JsonObject) =>
  async (stage: Stage): Promise<string> => {
    const servers = await textOf(stage)
    const notes = servers['notes'] as JsonObject
    await save(stage, { ...servers, notes: { ...notes, ...change(notes, stage) } })
    await start(stage, 'notes')
    return 'notes'
  }
const variable = (name: string, value: string, trusts?: true): Attack =>
  bound({
    name: `${trusts ? 'trust' : 'a rule'} ends with ${name} in the entry`,
    ...(trusts && { trusts }),
    change: edited(() => ({ env: { [name]: value } })),
  })
const inFolder = (name: string, folder: (stage: Stage) => string): Attack =>
  bound({ name, change: edited((_entry, stage) => ({ cwd: folder(stage) })) })

/** Row: a refusal for `notes`; then the same program has another name, and the refusal holds; without it, the call runs with a yes. */
const refusal = (name: string, change: (stage: Stage) => Promise<string>): Attack => ({
  family: 'program identity',
  name,
  run: () =>
    onStage(
      () => ({ notes: send }),
      async (stage) => {
        const { rule } = await stage.host.request('rule.save', {
          rule: { effect: 'deny', server: 'notes', tool: 'send', scope: { kind: 'always' } },
        })
        stage.setPerson(once)
        await call(stage, 'notes')
        const control = same('control: refused', took(stage), [])
        const server = await change(stage)
        took(stage)
        await call(stage, server)
        const happened = took(stage)
        for (const one of stage.host.snapshot().rules) await stage.host.request('rule.remove', { id: one.id })
        void rule
        await call(stage, server)
        return [
          ...control,
          ...same('happened', happened, []),
          ...unless(took(stage).length === 1, 'control: without the refusal it does not run'),
        ]
      },
    ),
})
const rename = async (stage: Stage, name: string, more: JsonObject = {}): Promise<string> => {
  await stage.host.request('server.save', { name, previousName: 'notes', definition: { ...ofEntry(stage, 'notes'), ...more } as never })
  await start(stage, name)
  return name
}

export const programs: readonly Attack[] = [
  variable('NODE_OPTIONS', '--no-warnings'),
  variable('PATH', '/tmp/evil:/usr/bin:/bin'),
  variable('LD_LIBRARY_PATH', '/tmp/evil'),
  variable('npm_config_registry', 'http://127.0.0.1:9'),
  variable('NODE_EXTRA_CA_CERTS', '/tmp/evil.pem'),
  variable('NODE_PATH', '/tmp/evil', true),
  variable('TOKEN', 'two'),
  inFolder('a rule ends with another folder', ({ folder }) => folder),
  inFolder('a rule ends with the folder above', ({ folder }) => join(folder, '..')),
  inFolder('a rule ends with a folder whose name differs in case', ({ folder }) => {
    mkdirSync(join(folder, 'Work'))
    return join(folder, 'Work')
  }),
  bound({
    name: 'a rule ends when arguments change places',
    change: edited((entry) => ({ args: [...(entry['args'] as string[])].concat('--a', '--b') })),
  }),
  bound({ name: 'a rule ends with an empty argument more', change: edited((entry) => ({ args: [...(entry['args'] as string[]), ''] })) }),
  bound({
    name: 'a rule ends with a hidden character more',
    change: edited((entry) => ({ args: [...(entry['args'] as string[]), '\u200b'] })),
  }),
  bound({
    name: 'a rule ends when the command is a copy of the program',
    change: edited((entry, stage) => {
      const copy = join(stage.folder, 'node')
      copyFileSync(String(entry['command']), copy)
      return { command: copy }
    }),
  }),
  bound({
    name: 'control: a rule comes back when the removal of its very entry is undone',
    keeps: true,
    async change(stage) {
      const servers = await textOf(stage)
      await stage.host.request('server.remove', { name: 'notes' })
      await save(stage, servers)
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule of a removed entry does not count for one that is renamed to it',
    async change(stage) {
      await stage.host.request('server.remove', { name: 'notes' })
      await stage.host.request('server.save', { name: 'notes', previousName: 'other', definition: ofEntry(stage, 'other') })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule goes along when its entry is renamed twice, and back',
    keeps: true,
    async change(stage) {
      await rename(stage, 'between')
      await stage.host.request('server.save', { name: 'notes', previousName: 'between', definition: ofEntry(stage, 'between') })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule does not stay at the name that its entry left',
    async change(stage) {
      const servers = await textOf(stage)
      await rename(stage, 'renamed')
      await save(stage, { ...(await textOf(stage)), notes: servers['other'] as JsonObject })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  refusal('a refusal goes along when its entry is renamed', (stage) => rename(stage, 'renamed')),
  refusal('a refusal goes along when its entry is renamed and changed in one step', (stage) =>
    rename(stage, 'renamed', { env: { MODE: 'b' } }),
  ),
  refusal('a refusal outlives another token', async (stage) => edited(() => ({ env: { TOKEN: 'two' } }))(stage)),
  refusal('a refusal outlives its entry that is removed and written again', async (stage) => {
    const servers = await textOf(stage)
    await stage.host.request('server.remove', { name: 'notes' })
    await save(stage, servers)
    await start(stage, 'notes')
    return 'notes'
  }),
]
