// What a file of servers could make the host start: nothing before a yes, never through a shell, and nothing else than
// what was read. A program that was started leaves a file behind, with the arguments that it got.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { type Attack, always, same, unless } from '../attack.ts'
import type { Person } from '../obedient-host.ts'
import { onStage, type Stage } from '../stage.ts'

const family = 'launches'
const refuse: Person = () => ({ kind: 'deny' })

/** Leaves its arguments in `started`, and ends. */
const program = (folder: string, ...args: string[]): JsonObject => {
  const file = join(folder, 'program.mjs')
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(folder, 'started'))}, JSON.stringify(process.argv.slice(2)))\n`,
  )
  return { command: process.execPath, args: [file, ...args] }
}
const save = (stage: Stage, entry: JsonObject): Promise<unknown> =>
  stage.host.request('config.save', { text: JSON.stringify({ mcpServers: { evil: entry } }) })
/** It speaks no protocol: its start fails, whatever it did before. */
const start = (stage: Stage): Promise<unknown> => stage.host.request('server.start', { name: 'evil' }).catch(() => undefined)
const started = ({ folder }: Stage): boolean => existsSync(join(folder, 'started'))
const launchesAsked = (stage: Stage): number => stage.asked.filter(({ kind }) => kind === 'launch').length

/** `launches` may be changed in mid-play. */
const attack = (name: string, play: (stage: Stage, say: (launches: Person) => void) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  run() {
    let launches: Person = refuse
    return onStage(
      () => ({}),
      (stage) => play(stage, (next) => (launches = next)),
      { launches: (request) => launches(request), starts: [] },
    )
  },
})

/** What is allowed is `before`; what is in the file then, `after`, which is not started by that yes. */
const swapped = (what: string, before: (folder: string) => JsonObject, after: (folder: string) => JsonObject): Attack =>
  attack(`another ${what} than was allowed is asked for again`, async (stage, say) => {
    const { folder } = stage
    say(always)
    await save(stage, before(folder))
    await start(stage)
    await start(stage)
    const control = same('control: asked for the same', launchesAsked(stage), 1)
    const at = join(folder, 'started')
    if (existsSync(at)) writeFileSync(at, 'before')
    say(refuse)
    await save(stage, after(folder))
    await start(stage)
    const runs = existsSync(at) && readFileSync(at, 'utf8') !== 'before'
    return [...control, ...same('asked', launchesAsked(stage), 2), ...unless(!runs, 'it was started')]
  })

/** Allowed as it is: it reaches the program letter for letter, and no shell. */
const literal = (argument: (folder: string) => string, shown: string): Attack =>
  attack(`${shown} in an argument is an argument`, async (stage, say) => {
    const { folder } = stage
    say(always)
    await save(stage, program(folder, argument(folder)))
    await start(stage)
    return [
      ...same('made', readdirSync(folder).sort(), ['program.mjs', 'started']),
      ...same('control: its arguments', started(stage) ? JSON.parse(readFileSync(join(folder, 'started'), 'utf8')) : null, [
        argument(folder),
      ]),
    ]
  })

/** Nothing is started at all. */
const impossible = (what: string, entry: (folder: string) => JsonObject): Attack =>
  attack(`${what} is not started`, async (stage, say) => {
    say(always)
    await save(stage, entry(stage.folder))
    await start(stage)
    const held = same(
      'made',
      readdirSync(stage.folder).filter((name) => name !== 'program.mjs'),
      [],
    )
    await save(stage, program(stage.folder))
    await start(stage)
    return [...held, ...unless(started(stage), 'control: nothing is ever started')]
  })

export const launches: readonly Attack[] = [
  attack('a server from a file is not started before a yes', async (stage, say) => {
    await save(stage, { ...program(stage.folder), start: 'launch', trusted: true })
    await start(stage)
    const held = unless(!started(stage), 'it was started')
    say(always)
    await start(stage)
    return [...held, ...same('asked', launchesAsked(stage), 2), ...unless(started(stage), 'control: it is never started')]
  }),
  attack('a pasted server is neither started nor trusted by its own word', async (stage, say) => {
    say(always)
    const text = JSON.stringify({ mcpServers: { evil: { ...program(stage.folder), trusted: true, start: 'launch' } } })
    const { servers } = await stage.host.request('config.parse', { text })
    const held = [
      ...same(
        'trusted',
        servers.map(({ definition }) => definition.trusted),
        [false],
      ),
      ...unless(!started(stage), 'it was started'),
    ]
    await stage.host.request('config.save', { text })
    await start(stage)
    return [...held, ...unless(started(stage), 'control: it is never started')]
  }),
  swapped(
    'command',
    (folder) => program(folder),
    (folder) => ({ ...program(folder), command: 'node' }),
  ),
  swapped(
    'argument',
    (folder) => program(folder),
    (folder) => program(folder, '--evil'),
  ),
  swapped(
    'folder',
    (folder) => program(folder),
    (folder) => ({ ...program(folder), cwd: folder }),
  ),
  swapped(
    'variable',
    (folder) => program(folder),
    (folder) => ({ ...program(folder), env: { NODE_OPTIONS: '--import ./evil.mjs' } }),
  ),
  swapped(
    'value of a variable',
    (folder) => ({ ...program(folder), env: { MODE: 'safe' } }),
    (folder) => ({ ...program(folder), env: { MODE: 'evil' } }),
  ),
  ...(
    [
      ['a semicolon', (folder) => `; touch ${folder}/evil`],
      ['a command substitution', (folder) => `$(touch ${folder}/evil)`],
      ['a backtick', (folder) => `\`touch ${folder}/evil\``],
      ['an ampersand', (folder) => `&& touch ${folder}/evil`],
      ['a pipe', (folder) => `| tee ${folder}/evil`],
      ['a redirection', (folder) => `> ${folder}/evil`],
      ['a quote', (folder) => `'"; touch ${folder}/evil #`],
    ] satisfies [string, (folder: string) => string][]
  ).map(([shown, argument]) => literal(argument, shown)),
  impossible('a command with a shell’s words in it', (folder) => ({
    command: `${process.execPath} ${folder}/program.mjs; touch ${folder}/evil`,
    args: [],
  })),
  impossible('an argument with a NUL', (folder) => program(folder, 'a\u0000b')),
  impossible('an argument with a line break', (folder) => program(folder, 'a\nb')),
  impossible('an address that is no web address', (folder) => ({ url: `file://${folder}/program.mjs` })),
]
