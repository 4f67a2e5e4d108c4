// Both phases of a start whose launcher fetches, in real sandboxes, with registries on this computer. uv itself is a script here, which
// tells how it was called: its own registry is not reached from everywhere.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { LaunchPackage } from '#app/server/fetched.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { runToEnd } from '#main/servers/process/sandbox/run-confined.ts'
import { createSandbox } from '#main/servers/process/sandbox/sandbox.ts'
import { type FakeRegistry, startNpmRegistry } from './npm-registry.testing.ts'
import { createPackages } from './packages.ts'
import { hasPipx, startPythonIndex } from './python-index.testing.ts'

const hasEngine = (await findEngine()).kind === 'bubblewrap'
/** Rows of `npm run test:full`: launchers whose packages npm installs as it does for their siblings (e2e/full-only.ts). */
const ofFullRun = <T>(...rows: readonly T[]): readonly T[] => (process.env['ASSENT_TESTS'] === 'quick' ? [] : rows)
const signal = new AbortController().signal
const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listen = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

let root: string
let home: string
let dataDir: string
let registry: FakeRegistry
let other: Server
let now: number
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'assent-phases-')))
  ;[home, dataDir] = [join(root, 'home'), join(root, 'home/.data')]
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(home, 'secret'), 'S3CRET')
  registry = await startNpmRegistry()
  writeFileSync(join(home, '.npmrc'), `registry=${registry.url}\n//registry.example/:_authToken=T0KEN\nfetch-retries=0\n`)
  other = createServer((_request, response) => response.end('reached'))
  await listen(other)
  now = 1
})
afterEach(async () => {
  await registry.close()
  other.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 3 })
})

const define = (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): StdioDefinition => ({
  transport: 'stdio',
  command,
  args: [...args],
  env: { ...env },
  cwd: home,
  enabled: true,
  start: 'needed',
  trusted: false,
})

function make(path = process.env['PATH'] ?? '') {
  const environment = createEnvironment({ isTerminal: true, env: { PATH: path, HOME: home }, home })
  const sandbox = createSandbox({ dataDir, home })
  const folders = { locks: join(dataDir, 'packages'), installs: join(dataDir, 'packages/installed') }
  const packages = createPackages({
    json: { get: () => expect.fail('a registry was asked') },
    environment,
    sandbox,
    home,
    ...folders,
    now: () => now,
  })
  return {
    packages,
    ready: (definition: StdioDefinition, pinned?: LaunchPackage, grants = noGrants) =>
      packages.ready(definition, pinned, { server: 'notes', grants, signal }).then((made) => made.definition),
    /** Runs a launch as its server would run. */
    async run(definition: StdioDefinition, grants = noGrants) {
      const launch = await environment.prepare(definition)
      const confined = await sandbox.confine({ server: 'notes', grants, launch, onAttempt: () => undefined })
      const { code, stdout, stderr } = await runToEnd(launch, { signal, timeoutMs: 20_000, confined })
      return { code, stdout, stderr }
    },
  }
}

/** A script for `node -e` that tries what it should not be able to do, and prints how each went. */
const probe = (places: Readonly<Record<string, string>>, ports: Readonly<Record<string, number>>): string => `
const { readFileSync, writeFileSync } = require('node:fs'), { connect } = require('node:net'), found = {}
for (const [name, path] of Object.entries(${JSON.stringify(places)})) try { found[name] = name.startsWith('read') ? readFileSync(path, 'utf8') : (writeFileSync(path, 'x'), 'done') } catch (error) { found[name] = error.code }
const ask = (port) => new Promise((resolve) => connect(43128, '127.0.0.1').on('data', (bytes) => { resolve(Number(String(bytes).split(' ')[1])) }).on('error', (error) => resolve(error.code)).write('CONNECT 127.0.0.1:' + port + ' HTTP/1.1\\r\\n\\r\\n'))
;(async () => { for (const [name, port] of Object.entries(${JSON.stringify(ports)})) found[name] = await ask(port); writeFileSync('found.json', JSON.stringify(found)); process.stdout.write(JSON.stringify(found), () => process.exit()) })()`

const quoted = (code: string): string => `node -e "eval(Buffer.from('${Buffer.from(code).toString('base64')}', 'base64').toString())"`

const only = (folder: string): string => join(folder, readdirSync(folder).find((name) => name !== 'current.json') ?? '')
const installed = (): string => only(only(join(dataDir, 'packages/installed')))

describe.skipIf(!hasEngine)('a sandboxed server whose package is not pinned', { timeout: 120_000 }, () => {
  test.each([
    ['npx', ['-y', 'notes-mcp']] as const,
    ['bunx', ['notes-mcp']] as const,
    ...ofFullRun(['pnpm', ['dlx', 'notes-mcp']] as const, ['yarn', ['dlx', 'notes-mcp']] as const),
  ])('of %s is fetched before it starts, and its scripts reach the registry alone', async (command, args) => {
    const program = join(root, 'bin', command)
    mkdirSync(join(root, 'bin'))
    if (command !== 'npx') writeFileSync(program, '#!/bin/sh\nexit 9\n', { mode: 0o755 })
    const [port, registryPort] = [portOf(other), Number(new URL(registry.url).port)]
    const places = { readSecret: join(home, 'secret'), readToken: join(home, '.npmrc'), write: join(home, 'made'), writeOwn: 'here' }
    registry.publish('1.2.3', { scripts: { install: quoted(probe(places, { other: port, registry: registryPort })) } })
    const { ready, run } = make(`${process.env['PATH']}${delimiter}${join(root, 'bin')}`)
    const launch = await ready(define(command, args))
    const folder = join(installed(), 'node_modules/notes-mcp')
    expect(JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'))).toEqual({
      readSecret: 'ENOENT',
      readToken: '', // A place that the first step left.
      write: 'done', // In a home folder that is nobody's: below.
      writeOwn: 'done',
      other: 403,
      registry: 200,
    })
    expect([existsSync(join(home, 'made')), launch.command, (await run(launch)).code]).toEqual([false, 'notes-mcp', 0])
    const asked = registry.asked.length
    const inside = { write: join(folder, 'server.js'), readCache: join(home, '.npm') }
    const { stdout } = await run({ ...launch, command: 'node', args: ['-e', probe(inside, { registry: registryPort }), inside.write] })
    expect(JSON.parse(stdout)).toEqual({ write: 'EROFS', readCache: 'ENOENT', registry: 403 })
    expect(registry.asked.length).toBe(asked)
  })

  test('is fetched anew after a day, and started as it was where its registry is gone', async () => {
    registry.publish('1.0.0')
    const { ready } = make()
    const version = async () => {
      await ready(define('npx', ['-y', 'notes-mcp']))
      return (JSON.parse(readFileSync(join(installed(), 'node_modules/notes-mcp/package.json'), 'utf8')) as { version: string }).version
    }
    const first = await version()
    registry.publish('1.1.0')
    const sameDay = await version()
    now += 25 * 60 * 60_000
    const nextDay = await version()
    await registry.close()
    now += 25 * 60 * 60_000
    expect([first, sameDay, nextDay, await version()]).toEqual(['1.0.0', '1.0.0', '1.1.0', '1.1.0'])
  })

  test('is installed without an optional package whose scripts fail, and not without one that it needs', async () => {
    registry.publish('1.0.0', { name: 'native', scripts: { install: 'echo no compiler >&2; exit 1' } })
    registry.publish('1.2.3', { optionalDependencies: { native: '1.0.0' } })
    await make().ready(define('npx', ['-y', 'notes-mcp']))
    expect(readdirSync(join(installed(), 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['notes-mcp'])
    registry.publish('1.2.4', { dependencies: { native: '1.0.0' } })
    await expect(make().ready(define('npx', ['-y', 'notes-mcp@1.2.4']))).rejects.toMatchObject({
      code: 'server.package-not-installed',
      message: expect.stringMatching(/said: npm error no compiler/) as string,
    })
  })

  test('says which host its installation was kept from, and reaches it once that is granted', async () => {
    const host = `127.0.0.1:${portOf(other)}`
    registry.publish('1.2.3', { dist: { tarball: `http://${host}/notes.tgz` } })
    const entry = define('npx', ['-y', 'notes-mcp'])
    const failed = (grants = noGrants) => expect(make().ready(entry, undefined, grants)).rejects
    await failed().toMatchObject({
      code: 'server.package-not-installed',
      message: expect.stringContaining(host) as string,
      data: { refused: [host] },
    })
    // What it then gets there is no package.
    await failed({ ...noGrants, hosts: [host] }).toMatchObject({ code: 'server.package-not-installed', data: { refused: [] } })
  })

  test('is not fetched where the working folder has a copy of its own', async () => {
    mkdirSync(join(home, 'node_modules/notes-mcp'), { recursive: true })
    writeFileSync(join(home, 'node_modules/notes-mcp/package.json'), '{}')
    expect(await make().ready(define('npx', ['-y', 'notes-mcp']))).toMatchObject({ command: 'npx', args: ['-y', 'notes-mcp'] })
  })
})

describe.skipIf(!hasEngine)('a sandboxed server whose package is pinned', { timeout: 120_000 }, () => {
  test('is compared with what was approved before its scripts run, also where bunx would fetch it', async () => {
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin/bunx'), '#!/bin/sh\nexit 9\n', { mode: 0o755 })
    registry.publish('1.2.3', { scripts: { install: quoted(`require('node:fs').writeFileSync('ran', '')`) } })
    const { ready, run } = make(`${process.env['PATH']}${delimiter}${join(root, 'bin')}`)
    const answer = (await (await fetch(`${registry.url}notes-mcp`)).json()) as { versions: { '1.2.3': { dist: { integrity: string } } } }
    const integrity = answer.versions['1.2.3'].dist.integrity
    const pinned = { name: 'notes-mcp', version: '1.2.3', integrity }
    const wrong = { ...pinned, integrity: `sha512-${createHash('sha512').update('other').digest('base64')}` }
    await expect(ready(define('bunx', ['notes-mcp']), wrong)).rejects.toMatchObject({ code: 'server.package-changed' })
    const launch = await ready(define('bunx', ['notes-mcp', '--flag']), pinned)
    expect([launch.args, (await run(launch)).code]).toEqual([['--flag'], 0])
  })
})

describe.skipIf(!hasEngine || !hasPipx())('a sandboxed server of pipx', { timeout: 240_000 }, () => {
  test('is installed from the index that the person’s own settings name, and starts without it', async () => {
    const { url, asked, close } = await startPythonIndex(root)
    mkdirSync(join(home, '.config/pip'), { recursive: true })
    writeFileSync(join(home, '.config/pip/pip.conf'), `[global]\nindex-url = ${url}\n`)
    const { ready, run, packages } = make()
    const entry = define('pipx', ['run', 'notes-mcp'])
    const pinned = await ready(entry, { name: 'notes-mcp', version: '1.2.3', integrity: 'sha256-x' })
    const newest = await ready(entry)
    const before = asked.length
    close()
    expect([(await run(pinned)).stdout, (await run(newest)).stdout, await packages.registriesFor(entry)]).toEqual([
      '1.2.3\n',
      '2.0.0\n',
      [],
    ])
    // A second start installs nothing.
    expect([await ready(entry), asked.length, before > 0]).toEqual([newest, before, true])
  })
})

/** A uv that tells its arguments and settings, and installs a program that says so. */
const fakeUv = `#!/bin/sh
echo "$@" >> "$UV_TOOL_DIR.calls"
case "$1 $2" in
  'python find') exit 0 ;;
  'tool install')
    mkdir -p "$UV_TOOL_BIN_DIR"
    printf '#!/bin/sh\\necho ran "$@"\\n' > "$UV_TOOL_BIN_DIR/notes"
    chmod +x "$UV_TOOL_BIN_DIR/notes" ;;
  *) exit 2 ;;
esac
`

describe.skipIf(!hasEngine)('a sandboxed server of uvx', { timeout: 60_000 }, () => {
  test.each([
    ['uvx', ['notes', '--db', 'x'], 'notes', 'ran --db x\n'],
    [
      'uvx',
      ['--from', 'notes-mcp[a]>=1', '--with', 'more', '-p', '3.12', '--isolated', 'notes', 'x'],
      '--with more -p 3.12 notes-mcp[a]>=1',
      'ran x\n',
    ],
    ['uv', ['tool', 'run', '--from=notes-mcp', 'notes'], 'notes-mcp', 'ran\n'],
  ])('%s %j is installed as a tool, whose program is started', async (command, args, words, output) => {
    mkdirSync(join(root, 'bin'))
    for (const name of ['uv', 'uvx']) {
      writeFileSync(join(root, 'bin', name), fakeUv)
      chmodSync(join(root, 'bin', name), 0o755)
    }
    const { ready, run } = make(`${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
    const launch = await ready(define(command, args))
    const calls = readFileSync(join(installed(), 'tools.calls'), 'utf8').trimEnd().split('\n')
    expect([calls.at(-1), (await run(launch)).stdout]).toEqual([`tool install ${words}`, output])
  })

  test.each([
    ['uvx', ['--unknown', 'notes'], ['pypi.org', 'files.pythonhosted.org']],
    ['uvx', ['--index-url', 'https://pip.example/simple', '--unknown', 'notes'], ['pypi.org', 'pip.example', 'files.pythonhosted.org']],
    ['uv', ['run', '--env-file', '.env', '--with', 'x', 'server.py'], ['pypi.org', 'files.pythonhosted.org']],
    ['dnx', ['Notes.Mcp', '--unknown'], ['api.nuget.org', '*.nuget.org']],
    ['npx', ['--unknown', 'notes-mcp'], ['registry.npmjs.org', '127.0.0.1']],
    ['node', ['server.js'], []],
  ])('%s %j, which cannot be split, reaches its registry while it runs: that is suggested', async (command, args, hosts) => {
    const { ready, packages } = make()
    const found = await packages.registriesFor(define(command, args))
    expect(found.map((host) => host.replace(/:\d+$/, '')).sort()).toEqual([...hosts].sort())
    expect(await ready(define(command, args))).toMatchObject({ command, args })
  })
})

/** A uv that makes environments by Python's own means, and tells its arguments. */
const uvByPip = (index: string): string => `#!/bin/sh
echo "$PWD: $*" >> "$UV_TOOL_DIR.calls"
case "$1" in
  python) exit 0 ;;
  venv) exec /usr/bin/python3 -m venv --without-pip "$2" ;;
  sync)
    /usr/bin/python3 -c 'import sys,urllib.request as r;print(r.urlopen(sys.argv[1]).status)' "$SOURCE" > "$UV_TOOL_DIR.source" 2>&1
    exec /usr/bin/python3 -m venv --without-pip "$UV_PROJECT_ENVIRONMENT" ;;
  pip)
    environment=$4
    shift 4
    [ "$1" != --requirements ] || exit 0
    exec /usr/bin/python3 -m pip --python "$environment/bin/python" install --quiet --index-url ${index} "$@" ;;
  *) exit 2 ;;
esac
`

describe.skipIf(!hasEngine || !hasPipx())('a sandboxed server of uv run', { timeout: 120_000 }, () => {
  const printed = 'import json,os,sys\nprint(json.dumps([os.getcwd(), os.path.basename(sys.prefix), sys.argv[1:]]))\n'
  let index: Awaited<ReturnType<typeof startPythonIndex>>
  let made: ReturnType<typeof make>
  let project: string
  beforeEach(async () => {
    index = await startPythonIndex(root)
    project = join(root, 'project')
    for (const folder of [project, join(root, 'bin'), join(home, '.config/pip')]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(root, 'bin/uv'), uvByPip(index.url), { mode: 0o755 })
    writeFileSync(join(home, '.config/pip/pip.conf'), `[global]\nindex-url = ${index.url}\n`)
    writeFileSync(join(project, 'server.py'), printed)
    made = make(`${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
  })
  afterEach(() => index.close())
  const calls = (): string[] => readFileSync(join(installed(), 'tools.calls'), 'utf8').trimEnd().split('\n')

  test('has what is named beside its command installed before, and starts without the index', async () => {
    const entry = define('uv', ['run', '--with', 'notes-mcp>=1, <3', '-q', '--', 'notes-mcp'])
    const launch = await made.ready(entry)
    index.close()
    expect([(await made.run(launch)).stdout, await made.packages.registriesFor(entry)]).toEqual(['2.0.0\n', []])
  })

  test('runs in its project’s environment and folder, which is made anew when the project says something else', async () => {
    writeFileSync(join(project, 'pyproject.toml'), '[project]\nname = "notes"\n')
    const [granted, refused] = [portOf(other), Number(new URL(registry.url).port)]
    const grants = { ...noGrants, read: [project], hosts: [`127.0.0.1:${granted}`] }
    const args = ['--directory', project, 'run', '--extra', 'db', '--frozen', 'server.py', '--port', '1']
    const entry = define('uv', args, { SOURCE: `http://127.0.0.1:${granted}/` })
    const launch = await made.ready(entry, undefined, grants)
    expect(JSON.parse((await made.run(launch, grants)).stdout)).toEqual([project, 'env', ['--port', '1']])
    expect(calls().at(-1)).toBe(`${project}: sync --project ${project} --extra db --frozen`)
    // The project may name sources of its own.
    const before = launch.env['VIRTUAL_ENV'] ?? ''
    const source = (environment: string): string => readFileSync(join(environment, '../tools.source'), 'utf8')
    expect(source(before)).toBe('200\n')
    expect((await made.ready(entry, undefined, grants)).env['VIRTUAL_ENV']).toBe(before)
    writeFileSync(join(project, 'uv.lock'), 'other')
    const elsewhere = define('uv', args, { SOURCE: `http://127.0.0.1:${refused}/` })
    const after = (await made.ready(elsewhere, undefined, grants)).env['VIRTUAL_ENV'] ?? ''
    expect([after === before, source(after)]).toEqual([false, expect.stringContaining('403')])
  })

  test('gets the project neither to read nor to write where the server does not', async () => {
    writeFileSync(join(project, 'pyproject.toml'), '[project]\nname = "notes"\n')
    const entry = define('uv', ['--directory', project, 'run', 'server.py'])
    const launch = await made.ready(entry)
    expect(calls().at(-1)).toBe(`${installed()}: sync --project ${project}`)
    expect((await made.run(launch)).stderr).toContain(project)
  })

  test('has the packages that a script lists installed before, apart from a project round it', async () => {
    writeFileSync(join(project, 'pyproject.toml'), '[project]\nname = "notes"\n')
    const script = join(project, 'alone.py')
    writeFileSync(script, `# /// script\n# requires-python = ">=3.9"\n# dependencies = []\n# ///\n${printed}`)
    const launch = await made.ready(define('uv', ['run', script, 'x']))
    expect(JSON.parse((await made.run(launch)).stdout)).toEqual([home, 'env', ['x']])
    expect(calls().map((line) => line.replace(/^\S+ /, '').replaceAll(installed(), 'I'))).toEqual([
      'python find --no-project >=3.9',
      'venv I/env --no-project --python >=3.9',
      `pip install --python I/env --requirements ${script}`,
    ])
  })

  test.each([
    ['without a project and without requirements', ['run', 'server.py']],
    ['that reads its program from elsewhere', ['run', '--with', 'x', 'https://example.com/server.py']],
    ['with an option that is not known', ['run', '--unknown', '--with', 'x', 'server.py']],
    ['with variables from a file', ['run', '--env-file', 'x', '--with', 'x', 'server.py']],
  ])('%s is started as it is', async (_what, args) => {
    expect(await made.ready(define('uv', args))).toMatchObject({ command: 'uv', args })
  })
})

describe.skipIf(!hasEngine)('a sandboxed server of dnx', { timeout: 60_000 }, () => {
  test.each([
    ['dnx', ['Notes.Mcp@1.2', '--yes'], '--version 1.2 --tool-path', '', 'ran\n'],
    ['dnx', ['Notes.Mcp', '--version', '1.2', '--yes', '--', '--db', 'x'], '--tool-path', ' --version 1.2', 'ran --db x\n'],
    ['dotnet', ['tool', 'exec', '-y', 'Notes.Mcp', 'x'], '--tool-path', '', 'ran x\n'],
  ])('%s %j is installed as a tool, whose program is started', async (command, args, before, after, output) => {
    mkdirSync(join(root, 'bin'))
    writeFileSync(join(root, 'bin/dnx'), '#!/bin/sh\nexit 9\n', { mode: 0o755 })
    // A dotnet that tells its arguments, and installs a program that says so.
    const install = `echo "$@" > calls; mkdir -p bin/.store; printf '#!/bin/sh\\necho ran "$@"\\n' > bin/notes; chmod +x bin/notes`
    writeFileSync(join(root, 'bin/dotnet'), `#!/bin/sh\n${install}\n`, { mode: 0o755 })
    const { ready, run, packages } = make(`${join(root, 'bin')}${delimiter}${process.env['PATH']}`)
    const entry = define(command, args)
    const launch = await ready(entry)
    const said = readFileSync(join(installed(), 'calls'), 'utf8').trimEnd()
    expect(said).toBe(`tool install Notes.Mcp ${before} ${join(installed(), 'bin')}${after}`)
    expect([(await run(launch)).stdout, await packages.registriesFor(entry)]).toEqual([output, []])
  })
})

describe.skipIf(!hasEngine)('a sandboxed server of bunx --bun', { timeout: 60_000 }, () => {
  test.each([
    ['bunx', ['--bun', 'notes-mcp', '--db', 'x']] as const,
    ...ofFullRun(['bun', ['x', '--bun', 'notes-mcp', '--db', 'x']] as const),
  ])('(%s %j) is installed by npm and run by Bun', async (command, args) => {
    mkdirSync(join(root, 'bin'))
    for (const name of ['bun', 'bunx']) writeFileSync(join(root, 'bin', name), '#!/bin/sh\necho bun "$@"\n', { mode: 0o755 })
    registry.publish('1.2.3')
    const { ready, run } = make(`${process.env['PATH']}${delimiter}${join(root, 'bin')}`)
    const { stdout } = await run(await ready(define(command, args)))
    expect(stdout).toBe(`bun ${join(installed(), 'node_modules/.bin/notes-mcp')} --db x\n`)
  })
})
