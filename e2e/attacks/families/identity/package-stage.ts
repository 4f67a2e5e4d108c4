// A profile whose servers are fetched by npx and its like, with two registries on this computer: the person's and the attacker's. What
// packages do when they run is a line in a file, of both.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaunchRequest, LaunchTarget } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { type FakeRegistry, type Published, startNpmRegistry } from '#main/servers/lifecycle/packages/npm-registry.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { type Attack, always, unless } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'

export interface PackageStage {
  readonly home: string
  /** Folder of a project, which others write in. */
  readonly project: string
  readonly good: FakeRegistry
  readonly evil: FakeRegistry
  /** Launches that were asked, in all lives. */
  readonly asked: LaunchRequest[]
  /** Calls that were asked: `server tool`. */
  readonly calls: string[]
  readonly dataDir: string
  /** What ran since the last look. */
  ran(): string[]
  /** Publishes with marks. */
  publish(where: FakeRegistry, version: string, more?: Published): void
  /** Opens the profile with these servers. `person`: answers all but `launches`. */
  life<T>(
    servers: Readonly<Record<string, JsonObject>>,
    launches: Person,
    play: (test: TestHost) => Promise<T>,
    person?: Person,
  ): Promise<T>
  /** Runs what an entry says without Assent, to see what it would do. `fresh`: with a cache of its own. */
  byHand(entry: JsonObject, fresh?: boolean): Promise<string[]>
  /** Makes a program of that name, found before all others. */
  program(name: string, script: string): string
  /** Folder of npm's cache that holds the package. */
  cached(): string
}

export const started = ({ host }: TestHost, name = 'notes'): Promise<string> =>
  host.request('server.start', { name }).then(
    () => 'ready',
    (error: { code: string }) => error.code,
  )
export const packageOf = (target: LaunchTarget | undefined) => (target?.transport === 'stdio' ? target.package : undefined)
const unpinnedOf = (target: LaunchTarget | undefined) => (target?.transport === 'stdio' ? target.unpinned : undefined)
export const refuse: Person = () => ({ kind: 'deny' })
export const npx = (...args: readonly string[]): JsonObject => ({ command: 'npx', args: [...args] })

/** Lines that `file` writes into the marks when it is run or loaded by Node. */
export const marking = (stage: Pick<PackageStage, 'home'>, mark: string): string =>
  `require('node:fs').appendFileSync(${JSON.stringify(join(stage.home, 'ran'))}, ${JSON.stringify(`${mark}\n`)})\n`

/** A copy of the package that says `evil`, in a folder of modules. */
export function plant(stage: PackageStage, modules: string, version = '1.2.3'): void {
  const at = join(modules, 'notes-mcp')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'notes-mcp', version, bin: { 'notes-mcp': 'server.js' } }))
  for (const file of [join(at, 'server.js'), join(modules, '.bin/notes-mcp')]) {
    writeFileSync(file, `#!/usr/bin/env node\n${marking(stage, 'evil')}`)
    chmodSync(file, 0o755)
  }
}

async function open(folder: string): Promise<{ stage: PackageStage; close(): Promise<void> }> {
  const home = join(folder, 'home')
  const project = join(folder, 'work/project')
  const bin = join(folder, 'bin')
  const dataDir = join(folder, 'data')
  for (const each of [home, project, bin, dataDir]) mkdirSync(each, { recursive: true })
  const [good, evil] = [await startNpmRegistry(), await startNpmRegistry()]
  writeFileSync(join(home, '.npmrc'), `registry=${good.url}\nfetch-retries=0\n`)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: home }
  const asked: LaunchRequest[] = []
  const calls: string[] = []
  let seen = 0
  let platform: TestHost['platform'] | undefined
  const marks = join(home, 'ran')
  const ran = (): string[] => {
    const all = existsSync(marks) ? readFileSync(marks, 'utf8').trimEnd().split('\n') : []
    const from = seen
    seen = all.length
    return all.slice(from)
  }
  let hands = 0
  const stage: PackageStage = {
    home,
    project,
    good,
    evil,
    asked,
    calls,
    dataDir,
    ran,
    publish: (where, version, more) => where.publish(version, { marks, ...more }),
    async life(servers, launches, play, person = refuse) {
      writeFileSync(join(dataDir, 'servers.json'), JSON.stringify({ mcpServers: servers }))
      const test = makeTestHost({
        dataDir,
        environment: createEnvironment({ isTerminal: true, env, home }),
        startServers: false,
        ...(platform && { platform }),
      })
      platform = test.platform
      const { host } = test
      host.onEvent((event) => {
        if (event.name !== 'consent.opened') return
        const { request } = event.payload
        if (request.kind === 'launch') asked.push(request)
        else calls.push(`${request.server} ${request.kind === 'tool-call' ? request.tool : request.kind}`)
        const answer = request.kind === 'launch' ? launches(request) : person(request)
        if (answer) host.context.broker.answer(request.id, answer)
      })
      try {
        return await play(test)
      } finally {
        await host.dispose()
      }
    },
    async byHand(entry, fresh = false) {
      ran()
      const { command, args, cwd, env: more } = entry as { command: string; args: string[]; cwd?: string; env?: Record<string, string> }
      const child = spawn(command, args, {
        cwd: cwd ?? home,
        env: { ...env, ...(fresh && { npm_config_cache: join(folder, `cache-${++hands}`) }), ...more },
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
      return ran()
    },
    program(name, script) {
      const file = join(bin, name)
      writeFileSync(file, script)
      chmodSync(file, 0o755)
      return file
    },
    cached() {
      const at = join(home, '.npm/_npx')
      return join(at, readdirSync(at).find((name) => existsSync(join(at, name, 'node_modules/notes-mcp'))) ?? '', 'node_modules')
    },
  }
  return {
    stage,
    close: async () => {
      await Promise.all([good.close(), evil.close()])
    },
  }
}

export const onPackages = (family: string, name: string, play: (stage: PackageStage) => Promise<readonly string[]>): Attack => ({
  family,
  name,
  long: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'assent-packages-'))
    const { stage, close } = await open(folder)
    try {
      stage.publish(stage.good, '1.2.3')
      return await play(stage)
    } finally {
      await close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  },
})

interface Tampered {
  readonly entry?: (stage: PackageStage) => JsonObject
  /** Before the person allows it for good. */
  readonly first?: (stage: PackageStage) => unknown
  /** What others do after that. */
  readonly tamper: (stage: PackageStage) => unknown
  /** Whether the card may say that no version is fixed; then all may happen. */
  readonly loose?: true
  /** What shows that the attack is one: run by hand. Default: the entry. */
  readonly hand?: (stage: PackageStage) => JsonObject
  /** What the card names; default: 1.2.3. */
  readonly version?: string
  /** Whether that takes a cache of its own. */
  readonly fresh?: boolean
}

/** Allows a server for good, once its card names what it can: a busy computer may not hear of the registry in time. */
export async function allowedPinned(stage: PackageStage, servers: Readonly<Record<string, JsonObject>>, then = started): Promise<string> {
  for (let tries = 0; tries < 6; tries += 1) {
    await stage.life(servers, refuse, started)
    if (unpinnedOf(stage.asked.at(-1)?.target) !== 'unreachable') break
  }
  const cards = stage.asked.length
  const begun = await stage.life(servers, always, then)
  if (unpinnedOf(stage.asked[cards]?.target) === 'unreachable') throw new Error('control: the registry did not answer in time')
  return begun
}

const evilIn = (marks: readonly string[]): boolean => marks.some((mark) => mark.startsWith('evil'))

/** Row: allowed for good as 1.2.3; then something else would run by hand, and does not with Assent, whatever is on the card but another program. */
export const tampered = (
  family: string,
  name: string,
  { entry = () => npx('-y', 'notes-mcp'), first, tamper, hand = entry, version = '1.2.3', fresh, loose }: Tampered,
): Attack =>
  onPackages(family, name, async (stage) => {
    await first?.(stage)
    const servers = { notes: entry(stage) }
    const begun = await allowedPinned(stage, servers)
    const before = stage.ran()
    const shown = stage.asked.at(-1)?.target
    const isSaid = unpinnedOf(shown) !== undefined
    await tamper(stage)
    const from = stage.asked.length
    await stage.life(servers, refuse, started)
    const unasked = stage.ran()
    await stage.life(servers, always, started)
    const allowed = stage.ran()
    const later = stage.asked.slice(from).map(({ target }) => JSON.stringify(target))
    const real = await stage.byHand(hand(stage), fresh)
    return [
      ...unless(begun === 'ready' && before.includes('1.2.3'), `control: it never ran (${begun}, ${before.join()})`),
      ...unless(packageOf(shown)?.version === version || isSaid, 'the card names no version, nor says so'),
      ...unless(loose || !isSaid, `control: the card says that no version is fixed (${unpinnedOf(shown)})`),
      ...unless(isSaid || !evilIn(unasked), `it ran without a yes (asked: ${later.length})`),
      ...unless(
        isSaid || !evilIn(allowed) || later.some((one) => one !== JSON.stringify(shown)),
        'it ran with a yes to what was allowed before',
      ),
      ...unless(evilIn(real), `control: by hand it does not run either (${real.join()})`),
    ]
  })

/** Row: the first card; what runs with a yes to it is what it names, or it says that no version is fixed. Nothing is asked of the attacker before. */
export const firstCard = (
  family: string,
  name: string,
  {
    entry,
    first,
    hand = entry,
    says,
  }: {
    readonly entry: (stage: PackageStage) => JsonObject
    readonly first: (stage: PackageStage) => unknown
    readonly hand?: (stage: PackageStage) => JsonObject
    readonly says?: 'unpinned'
  },
): Attack =>
  onPackages(family, name, async (stage) => {
    await first(stage)
    const servers = { notes: entry(stage) }
    await stage.life(servers, refuse, started)
    const before = [...stage.ran(), ...stage.evil.asked]
    await stage.life(servers, always, started)
    const ran = stage.ran()
    const target = stage.asked.at(-1)?.target
    const real = await stage.byHand(hand(stage), true)
    return [
      ...unless(before.length === 0, `before a yes there ran, or was asked of the attacker: ${before.join()}`),
      ...unless(stage.asked.length > 0, 'control: nothing was asked'),
      ...unless(
        unpinnedOf(target) !== undefined || (says === undefined && !evilIn(ran)),
        `the card names ${JSON.stringify(packageOf(target))}, and there ran: ${ran.join()}`,
      ),
      ...unless(evilIn(real), `control: by hand it does not run (${real.join()})`),
    ]
  })
