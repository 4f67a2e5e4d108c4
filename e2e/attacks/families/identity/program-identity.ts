// Rules, trust and approved launches belong to a program: not to its name, not to another entry of it, and to no other version of its tools.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { type Attack, always, no, once, same, unless } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { order } from '../../obey.ts'
import { type Part, tool } from '../../puppet.ts'
import { onStage, type Stage, trust } from '../../stage.ts'

const family = 'program identity'
export const send: Part = { tools: () => [tool('send'), tool('read', { annotations: { readOnlyHint: true } })] }
const ran = (server: string, name = 'send'): string => `ran ${server} ${name} {}`

/** Calls as the model does; what became of it is in the effects. */
export const call = (stage: Stage, server: string, name = 'send'): Promise<unknown> => stage.turn(order(`${server}__${name}`))
const allow = ({ host }: Stage, server: string, name?: string): Promise<unknown> =>
  host.request('rule.save', { rule: { effect: 'allow', server, ...(name !== undefined && { tool: name }), scope: { kind: 'always' } } })
export const textOf = async ({ host }: Stage): Promise<Record<string, JsonObject>> =>
  (JSON.parse((await host.request('config.get', {})).text) as { mcpServers: Record<string, JsonObject> }).mcpServers
export const save = ({ host }: Stage, servers: Record<string, JsonObject>): Promise<unknown> =>
  host.request('config.save', { text: JSON.stringify({ mcpServers: servers }) })
export const start = ({ host }: Stage, name: string): Promise<unknown> =>
  host.request('server.start', { name }).catch((error: unknown) => error)
export const took = (stage: Stage): string[] => stage.effects.splice(0)
export const ofEntry = (stage: Stage, name: string) => {
  const definition = stage.host.snapshot().servers.find((server) => server.name === name)?.definition
  if (!definition) throw new Error(`there is no ${name}`)
  return definition
}
const launchesOf = (stage: Stage): number => stage.asked.filter(({ kind }) => kind === 'launch').length

interface Bound {
  readonly name: string
  readonly env?: JsonObject
  /** What is done after the rule was shown to count for `notes`; returns the server that is called then. */
  change(stage: Stage): Promise<string>
  /** The tool that is called then; default `send`. */
  readonly then?: string
  /** Whether the rule goes on. */
  readonly keeps?: true
  readonly trusts?: true
}

/** Row: a rule for `notes`, which counts; then a change, after which it does not; with a yes the call runs. */
export const bound = ({ name, env, change, then = 'send', keeps, trusts }: Bound): Attack => ({
  family,
  name,
  run: () =>
    onStage(
      () => ({ notes: send, other: send }),
      async (stage) => {
        if (trusts) {
          await trust(stage, 'notes')
          await stage.host.request('settings.set', { consentMode: 'ask-writes' })
        } else await allow(stage, 'notes')
        stage.setPerson(no)
        const first = trusts ? 'read' : 'send'
        await call(stage, 'notes', first)
        const control = same('control: happened', took(stage), [ran('notes', first)])
        const server = await change(stage)
        took(stage)
        await call(stage, server, trusts ? 'read' : then)
        const effect = ran(server === 'renamed' ? 'notes' : server, trusts ? 'read' : then)
          .split(' ')
          .slice(2)
          .join(' ')
        const happened = took(stage).map((one) => one.split(' ').slice(2).join(' '))
        stage.setPerson(once)
        await call(stage, server, trusts ? 'read' : then)
        return [
          ...control,
          ...same('happened', happened, keeps ? [effect] : []),
          ...unless(took(stage).length === 1, 'control: with a yes it does not happen either'),
        ]
      },
      { ...(env && { more: { notes: { env } } }) },
    ),
})

/** A program that leaves a mark, at a path. */
function script(path: string, mark: string): void {
  writeFileSync(path, `#!/bin/sh\necho ran >> '${mark}'\n`)
  chmodSync(path, 0o755)
}

/** Row: what was allowed for good is asked again after `change`, though the entry stays to the letter. */
const behind = (
  name: string,
  entry: (folder: string) => JsonObject,
  lay: (folder: string, mark: string) => void,
  change: (folder: string, mark: string) => void,
): Attack => ({
  family,
  name,
  run() {
    let launches: Person = always
    return onStage(
      () => ({}),
      async (stage) => {
        const { readFileSync, existsSync } = await import('node:fs')
        const marks = (what: string): number => {
          const file = join(stage.folder, what)
          return existsSync(file) ? readFileSync(file, 'utf8').length : 0
        }
        lay(stage.folder, join(stage.folder, 'good'))
        await save(stage, { notes: entry(stage.folder) })
        await start(stage, 'notes')
        await start(stage, 'notes')
        const asked = launchesOf(stage)
        const control = [...same('control: asked', asked, 1), ...unless(marks('good') > 0, 'control: it never ran')]
        change(stage.folder, join(stage.folder, 'evil'))
        launches = no
        await start(stage, 'notes')
        const unasked = marks('evil')
        launches = always
        await start(stage, 'notes')
        return [...control, ...same('ran unasked', unasked, 0), ...unless(marks('evil') > 0, 'control: with a yes it does not run either')]
      },
      { launches: (request) => launches(request), starts: [] },
    )
  },
})

export const programIdentity: readonly Attack[] = [
  bound({
    name: 'control: a rule goes along when its entry is renamed',
    keeps: true,
    async change(stage) {
      await stage.host.request('server.save', { name: 'renamed', previousName: 'notes', definition: ofEntry(stage, 'notes') })
      await start(stage, 'renamed')
      return 'renamed'
    },
  }),
  bound({
    name: 'a rule does not go along when an entry is renamed and changed in one step',
    async change(stage) {
      const definition = { ...ofEntry(stage, 'notes'), args: [...((ofEntry(stage, 'notes') as { args?: string[] }).args ?? []), '--other'] }
      await stage.host.request('server.save', { name: 'renamed', previousName: 'notes', definition: definition as never })
      await start(stage, 'renamed')
      return 'renamed'
    },
  }),
  bound({
    name: 'a rule does not go along when an entry is renamed and gets another token in one step',
    env: { TOKEN: 'one' },
    async change(stage) {
      const definition = { ...ofEntry(stage, 'notes'), env: { TOKEN: 'two' } }
      await stage.host.request('server.save', { name: 'renamed', previousName: 'notes', definition: definition as never })
      await start(stage, 'renamed')
      return 'renamed'
    },
  }),
  bound({
    name: 'rules do not go along when two entries change names in the file',
    async change(stage) {
      const { notes, other } = await textOf(stage)
      await save(stage, { notes: other as JsonObject, other: notes as JsonObject })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule does not count for another entry of the program with another token',
    env: { TOKEN: 'one' },
    async change(stage) {
      const servers = await textOf(stage)
      await save(stage, { ...servers, third: { ...(servers['notes'] as JsonObject), env: { TOKEN: 'two' } } })
      await start(stage, 'third')
      return 'third'
    },
  }),
  bound({
    name: 'a rule does not count for another entry of the same program with the same token',
    env: { TOKEN: 'one' },
    async change(stage) {
      const servers = await textOf(stage)
      await save(stage, { ...servers, third: servers['notes'] as JsonObject })
      await start(stage, 'third')
      return 'third'
    },
  }),
  bound({
    name: 'a rule ends with another token in the file',
    env: { TOKEN: 'one' },
    async change(stage) {
      const servers = await textOf(stage)
      await save(stage, { ...servers, notes: { ...(servers['notes'] as JsonObject), env: { TOKEN: 'two' } } })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule for one token does not return when the token does, after another was allowed',
    env: { TOKEN: 'one' },
    async change(stage) {
      const servers = await textOf(stage)
      const withToken = (TOKEN: string) => ({ ...servers, notes: { ...(servers['notes'] as JsonObject), env: { TOKEN } } })
      await save(stage, withToken('two'))
      await start(stage, 'notes')
      await save(stage, withToken('one'))
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule does not count for a token that another entry moved to its name',
    env: { TOKEN: 'one' },
    async change(stage) {
      const servers = await textOf(stage)
      const third = { ...(servers['notes'] as JsonObject), env: { TOKEN: 'two' } }
      await save(stage, { ...servers, third })
      await start(stage, 'third')
      const { notes: _, ...rest } = servers
      await save(stage, rest as Record<string, JsonObject>)
      await save(stage, { ...(rest as Record<string, JsonObject>), notes: third })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'trust does not count for another entry of the program with another token',
    env: { TOKEN: 'one' },
    trusts: true,
    async change(stage) {
      const servers = await textOf(stage)
      await save(stage, { ...servers, third: { ...(servers['notes'] as JsonObject), env: { TOKEN: 'two' }, trusted: true } })
      await start(stage, 'third')
      return 'third'
    },
  }),
  bound({
    name: 'trust does not go along when two entries change names in the file',
    trusts: true,
    async change(stage) {
      const { notes, other } = await textOf(stage)
      await save(stage, { notes: { ...(other as JsonObject), trusted: true }, other: notes as JsonObject })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'trust ends with another argument, though the file says so',
    trusts: true,
    async change(stage) {
      const servers = await textOf(stage)
      const notes = servers['notes'] as { args: string[] }
      await save(stage, { ...servers, notes: { ...notes, args: [...notes.args, '--other'], trusted: true } as JsonObject })
      await start(stage, 'notes')
      return 'notes'
    },
  }),
  bound({
    name: 'a rule does not count when the folder of its server is a link that leads elsewhere by now',
    async change(stage) {
      const [a, b, link] = ['a', 'b', 'link'].map((one) => join(stage.folder, one)) as [string, string, string]
      for (const each of [a, b]) mkdirSync(each)
      symlinkSync(a, link)
      const servers = await textOf(stage)
      await save(stage, { ...servers, third: { ...(servers['notes'] as JsonObject), cwd: link } })
      await start(stage, 'third')
      await allow(stage, 'third')
      await call(stage, 'third')
      if (took(stage).length !== 1) throw new Error('control: the rule never counted')
      await stage.host.request('server.stop', { name: 'third' })
      rmSync(link)
      symlinkSync(b, link)
      await start(stage, 'third')
      return 'third'
    },
  }),
  behind(
    'a folder that is a link which leads elsewhere by now is asked for again',
    (folder) => ({ command: './program', args: [], cwd: join(folder, 'link') }),
    (folder, mark) => {
      mkdirSync(join(folder, 'a'))
      script(join(folder, 'a/program'), mark)
      symlinkSync(join(folder, 'a'), join(folder, 'link'))
    },
    (folder, mark) => {
      mkdirSync(join(folder, 'b'))
      script(join(folder, 'b/program'), mark)
      rmSync(join(folder, 'link'))
      symlinkSync(join(folder, 'b'), join(folder, 'link'))
    },
  ),
  behind(
    'a folder above the folder that is a link which leads elsewhere by now is asked for again',
    (folder) => ({ command: './program', args: [], cwd: join(folder, 'link/in') }),
    (folder, mark) => {
      mkdirSync(join(folder, 'a/in'), { recursive: true })
      script(join(folder, 'a/in/program'), mark)
      symlinkSync(join(folder, 'a'), join(folder, 'link'))
    },
    (folder, mark) => {
      mkdirSync(join(folder, 'b/in'), { recursive: true })
      script(join(folder, 'b/in/program'), mark)
      rmSync(join(folder, 'link'))
      symlinkSync(join(folder, 'b'), join(folder, 'link'))
    },
  ),
]
