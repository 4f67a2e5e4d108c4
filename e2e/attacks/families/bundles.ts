// Bundles and links: what a file holds or a link says never writes outside of its folder, never starts anything, and never
// gets what is another's. Each row beside a control: the same, without the attack, does happen.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { readInstallLink } from '#app/server/import/formats/deep-link.ts'
import { makeManifest, makeZip, type ZipFile } from '#main/install/bundles/bundles.testing.ts'
import { type Attack, once, same, unless } from '../attack.ts'
import { onStage, type Stage, until } from '../stage.ts'

const family = 'bundles and links'
const ref = (name: string): string => `\${${name}}`

/** Leaves a file behind when it runs. */
const program = (folder: string): string =>
  `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(folder, 'started'))}, JSON.stringify({ args: process.argv.slice(2), env: process.env }))`
const bundleOf = (folder: string, manifest: JsonObject, files: readonly ZipFile[] = []): Buffer =>
  makeZip([{ name: 'manifest.json', text: JSON.stringify(manifest) }, { name: 'server/index.mjs', text: program(folder) }, ...files])

let count = 0
/** The summary of an uploaded bundle. */
export async function openBundle({ host }: Stage, bytes: Buffer) {
  const upload = `attack-${count++}`
  for (let at = 0; at < bytes.length; at += 900_000)
    await host.request('bundle.part', { upload, at, data: bytes.subarray(at, at + 900_000).toString('base64') })
  return host.request('bundle.open', { upload, file: 'attack.mcpb' })
}
/** The code of why not; '': it was installed. */
async function install(stage: Stage, bytes: Buffer, values: Record<string, string> = {}, server = 'evil'): Promise<string> {
  try {
    const { id } = await openBundle(stage, bytes)
    await stage.host.request('bundle.install', { id, server, values })
    return ''
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}
const start = (stage: Stage, name = 'evil'): Promise<unknown> => stage.host.request('server.start', { name }).catch(() => undefined)
const started = ({ folder }: Stage): boolean => existsSync(join(folder, 'started'))
const launches = ({ asked }: Stage): number => asked.filter(({ kind }) => kind === 'launch').length
const all = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String)

const attack = (name: string, play: (stage: Stage) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  run: () => onStage(() => ({}), play, { launches: once }),
})

/** Refused whole; nothing of it is anywhere. */
const refused = (name: string, files: (folder: string) => readonly ZipFile[]): Attack =>
  attack(`a bundle with ${name} is refused whole`, async (stage) => {
    const { folder, test } = stage
    const before = all(test.dataDir).filter((path) => path.includes('evil'))
    const code = await install(stage, bundleOf(folder, makeManifest(), files(folder)))
    const kept = all(test.dataDir).filter((path) => path.includes('evil'))
    const held = [...same('refused', code, 'bundle.unreadable'), ...same('kept', kept, before), ...same('outside', readdirSync(folder), [])]
    const control = await install(stage, bundleOf(folder, makeManifest(), [{ name: 'evil.txt', text: 'x' }]))
    const there = all(test.dataDir).some((path) => path.endsWith('evil.txt'))
    return [...held, ...same('control: installed', control, ''), ...unless(there, 'control: no file of it is there')]
  })

/** Its command is not taken. */
const notTaken = (name: string, config: JsonObject, values: Record<string, string> = {}, more: JsonObject = {}): Attack =>
  attack(`a bundle ${name} is missing`, async (stage) => {
    const server = (mcp_config: JsonObject): JsonObject => ({ type: 'node', entry_point: 'server/index.mjs', mcp_config })
    const code = await install(
      stage,
      bundleOf(stage.folder, makeManifest({ server: server({ command: 'node', ...config }), ...more })),
      values,
    )
    const held = [
      ...unless(code === 'bundle.manifest' || code === 'bundle.values', `it was taken (${code})`),
      ...same('servers', [...stage.host.context.config.definitions().keys()], []),
    ]
    const honest = server({ command: 'node', args: [`${ref('__dirname')}/server/index.mjs`] })
    const control = await install(stage, bundleOf(stage.folder, makeManifest({ server: honest })))
    await start(stage)
    return [...held, ...same('control: installed', control, ''), ...unless(started(stage), 'control: it never runs')]
  })

export const config = (folder: string): JsonObject => ({ command: process.execPath, args: [join(folder, 'program.mjs')] })
const linkOf = (folder: string, more = ''): string =>
  `assent://install?name=evil&config=${encodeURIComponent(JSON.stringify({ ...config(folder), trusted: true, start: 'launch' }))}${more}`

export const byLink = (name: string, text: (folder: string) => string): Attack =>
  attack(name, async (stage) => {
    const { folder, host } = stage
    writeFileSync(join(folder, 'program.mjs'), program(folder))
    for (let times = 0; times < 30; times++) host.openDeepLink({ kind: 'link', text: text(folder) })
    const { outside = [] } = await host.request('app.snapshot', {})
    const held = [
      ...same('servers', [...host.context.config.definitions().keys()], []),
      ...same('launches asked for', launches(stage), 0),
      ...unless(outside.length <= 1, 'it waits more than once'),
      ...unless(!started(stage), 'it was started'),
    ]
    // What a person then adds of an honest link runs after a yes to its launch.
    const [server] = readInstallLink(linkOf(folder)).servers
    if (!server) return [...held, 'control: an honest link carries nothing']
    await host.request('server.save', { name: 'evil', definition: server.definition })
    await start(stage)
    await until('the control’s program', () => started(stage))
    return [...held, ...same('control: trusted', server.definition.trusted, false), ...same('control: launches', launches(stage), 1)]
  })

export const bundles: readonly Attack[] = [
  refused('a path that leads out', () => [{ name: '../../evil', text: 'x' }]),
  refused('a path from the root', (folder) => [{ name: join(folder, 'evil'), text: 'x' }]),
  refused('a backslash in a name', () => [{ name: '..\\..\\evil', text: 'x' }]),
  refused('a drive in a name', () => [{ name: 'C:evil', text: 'x' }]),
  refused('a link out of its folder', (folder) => [
    { name: 'evil', text: folder, mode: 0o120777 },
    { name: 'evil/x', text: 'x' },
  ]),
  refused('two files that are one on other systems', () => [
    { name: 'EVIL.js', text: 'a' },
    { name: 'evil.js', text: 'b' },
  ]),
  refused('a file of two names', () => [{ name: 'good.js', localName: 'evil', text: 'x' }]),
  refused('a NUL in a name', () => [{ name: 'evil\0.txt', text: 'x' }]),
  refused('a device of Windows', () => [{ name: 'evil/NUL', text: 'x' }]),
  attack('a bundle that unpacks to far more than it holds is refused', async (stage) => {
    const zeros = '0'.repeat(40_000_000)
    const bomb = bundleOf(
      stage.folder,
      makeManifest(),
      [1, 2, 3].map((index) => ({ name: `evil-${index}`, text: zeros })),
    )
    const code = await install(stage, bomb)
    const control = await install(stage, bundleOf(stage.folder, makeManifest(), [{ name: 'evil-1', text: zeros.slice(0, 1_000_000) }]))
    return [...same('refused', code, 'bundle.too-large'), ...same('control: installed', control, '')]
  }),
  attack('a bundle that makes more than it says is refused, and leaves nothing', async (stage) => {
    const code = await install(stage, bundleOf(stage.folder, makeManifest(), [{ name: 'evil', text: '0'.repeat(9_000_000), size: 10 }]))
    const kept = all(join(stage.test.dataDir, 'bundles')).filter((path) => path.includes('evil'))
    const control = await install(stage, bundleOf(stage.folder, makeManifest(), [{ name: 'evil', text: '0'.repeat(9_000_000) }]))
    return [...same('refused', code, 'bundle.unreadable'), ...same('kept', kept, []), ...same('control: installed', control, '')]
  }),
  notTaken('whose program is outside of it', { command: '../../../bin/sh' }),
  notTaken('whose program is outside of it by its own folder', { command: `${ref('__dirname')}/../../evil` }),
  notTaken('that names a variable of the person’s', { env: { A: ref('env:HOME') } }),
  notTaken('that names another server’s secret', { args: [ref('input:github-token')] }),
  notTaken(
    'that makes a reference of two halves',
    { env: { A: `${ref('user_config.half')}{env:HOME}` } },
    { half: '$' },
    { user_config: { half: { type: 'string' } } },
  ),
  notTaken(
    'that is told a reference',
    { args: [ref('user_config.text')] },
    { text: ref('env:HOME') },
    { user_config: { text: { type: 'string' } } },
  ),
  notTaken('with a line break in an argument', { args: ['a\n--evil'] }),
  attack('installing runs nothing of a bundle, whatever its files are called', async (stage) => {
    const run = program(stage.folder)
    const files = ['preinstall.js', 'postinstall.mjs', 'package.json', '.npmrc', 'setup.py', 'autorun.inf'].map((name) => ({
      name,
      text: run,
      mode: 0o100755,
    }))
    const code = await install(stage, bundleOf(stage.folder, makeManifest(), files))
    const held = [...same('installed', code, ''), ...unless(!started(stage), 'something of it ran'), ...same('asked', launches(stage), 0)]
    await start(stage)
    return [...held, ...same('control: asked', launches(stage), 1), ...unless(started(stage), 'control: it never runs')]
  }),
  attack('variables that change what its program loads are named before it is installed', async (stage) => {
    const env = { NODE_OPTIONS: '--import ./evil.mjs', LD_PRELOAD: './evil.so', PATH: '/tmp/evil' }
    const with_ = (more: JsonObject): JsonObject =>
      makeManifest({
        server: {
          type: 'node',
          entry_point: 'server/index.mjs',
          mcp_config: { command: 'node', args: [`${ref('__dirname')}/server/index.mjs`], ...more },
        },
      })
    const { concerns } = await openBundle(stage, bundleOf(stage.folder, with_({ env })))
    const plain = await openBundle(stage, bundleOf(stage.folder, with_({ env: { MODE: 'x' } })))
    return [
      ...same(
        'named',
        concerns.flatMap((one) => (one.kind === 'variable' ? [one.name] : [])),
        Object.keys(env),
      ),
      ...same('control: named', plain.concerns, []),
    ]
  }),
  attack('a bundle that bears another’s name gets neither its place nor what was entered for it', async (stage) => {
    const token = { user_config: { token: { type: 'string', sensitive: true } } }
    const mine = (author: string): Buffer => bundleOf(stage.folder, makeManifest({ ...token, author: { name: author } }))
    await install(stage, mine('Maya'), { token: 's3cret' }, 'notes')
    const other = await openBundle(stage, mine('Mallory'))
    const code = await stage.host.request('bundle.update', { id: other.id, server: 'notes', values: {} }).then(
      () => '',
      () => 'refused',
    )
    const own = await openBundle(stage, mine('Maya'))
    return [
      ...same('updated', code, 'refused'),
      ...same(
        'offered',
        other.updates.map(({ sameOrigin }) => sameOrigin),
        [false],
      ),
      ...same(
        'control: offered',
        own.updates.map(({ sameOrigin }) => sameOrigin),
        [true],
      ),
    ]
  }),
  attack('a name that looks like a server’s is said to', async (stage) => {
    await install(stage, bundleOf(stage.folder, makeManifest()), {}, 'github')
    const twin = await openBundle(stage, bundleOf(stage.folder, makeManifest({ name: 'g\u0456thub' })))
    const plain = await openBundle(stage, bundleOf(stage.folder, makeManifest({ name: 'weather' })))
    return [
      ...same(
        'said',
        twin.concerns.some(({ kind }) => kind === 'look-alike'),
        true,
      ),
      ...same(
        'control: said',
        plain.concerns.some(({ kind }) => kind === 'look-alike'),
        false,
      ),
    ]
  }),
  byLink('a link adds and starts nothing, however often it is opened', (folder) => linkOf(folder)),
  byLink('a link that says to trust, start and approve adds and starts nothing', (folder) =>
    linkOf(folder, '&trust=1&start=launch&approve=all'),
  ),
  byLink('a link of hundreds of thousands of letters is not even kept', (folder) => linkOf(folder, `&x=${'x'.repeat(300_000)}`)),
]
