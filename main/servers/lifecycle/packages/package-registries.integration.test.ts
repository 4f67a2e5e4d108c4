// Answers in the forms of PyPI's JSON API (https://docs.pypi.org/api/json/) and of `docker image inspect --format '{{json .RepoDigests}}'`
// (https://docs.docker.com/reference/cli/docker/image/inspect/), by a server and a program of this test: neither runs here.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchedBy } from '#app/server/fetched.ts'
import { createEnvironment } from '../../process/environment/environment.ts'
import { findPackage, type RegistryContext } from './package-registries.ts'
import { createPackages } from './packages.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assent-registries-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = (digit: string, yanked = false) => ({ filename: `notes-${digit}.whl`, digests: { sha256: digit.repeat(64) }, yanked })
const releases = {
  '1.0.0': [file('a')],
  '1.4.0': [file('b'), file('c')],
  '2.0.0': [file('d')],
  '2.1.0': [file('e', true)],
  '3.0.0rc1': [file('f')],
}

async function find(line: string, part: Partial<RegistryContext> = {}) {
  const [command = '', ...args] = line.split(' ')
  const fetched = fetchedBy(command, args)
  if (!fetched) throw new Error(`nothing is fetched by ${line}`)
  return findPackage(
    fetched,
    {
      json: { get: async () => ({ kind: 'json', json: { info: { version: '2.0.0' }, releases }, etag: undefined }) },
      environment: createEnvironment({ isTerminal: true, env: { PATH: `${home}:/usr/bin:/bin`, HOME: home }, home }),
      home,
      ...part,
    },
    new AbortController().signal,
  )
}

test.each([
  ['uvx notes', '2.0.0'],
  ['uvx notes@1.0.0', '1.0.0'],
  ['uvx --from notes>=1,<2 notes', '1.4.0'],
  ['pipx run notes', '2.0.0'],
  ['uvx notes@latest', '2.0.0'],
])('%s is %s, with one hash over its files', async (line, version) => {
  expect(await find(line)).toEqual({ name: 'notes', version, integrity: expect.stringMatching(/^sha256-/) as string })
})

test('the hash of a version tells its files apart', async () => {
  const [one, other] = [await find('uvx notes@1.0.0'), await find('uvx notes@1.4.0')]
  expect(typeof one === 'object' && typeof other === 'object' && one.integrity !== other.integrity).toBe(true)
})

test('a version that is not there, and an index of the person’s own', async () => {
  const environment = createEnvironment({ isTerminal: true, env: { HOME: home, PATH: '', UV_INDEX_URL: 'http://127.0.0.1:9/' }, home })
  expect([await find('uvx notes@9'), await find('uvx notes', { environment })]).toEqual(['not-found', 'own-registry'])
})

test.each(['PIP_EXTRA_INDEX_URL', 'UV_FIND_LINKS', 'PIP_CONFIG_FILE'])(
  'files may come from elsewhere by %s of the person’s',
  async (name) => {
    const environment = createEnvironment({ isTerminal: true, env: { HOME: home, PATH: '', [name]: '/elsewhere' }, home })
    expect(await find('pipx run notes', { environment })).toBe('own-registry')
  },
)

test.each([
  ['bunx notes', 'bunfig.toml'],
  ['yarn dlx notes', '.yarnrc.yml'],
  ['pnpm dlx notes', 'pnpm-workspace.yaml'],
])('a project may say where %s fetches from, by its %s', async (line, name) => {
  const [command = '', ...args] = line.split(' ')
  const fetched = fetchedBy(command, args)
  const project = mkdtempSync(join(tmpdir(), 'assent-project-'))
  const cwd = join(project, 'below')
  mkdirSync(cwd)
  const environment = createEnvironment({ isTerminal: true, env: { HOME: home, PATH: '' }, home })
  const packages = createPackages({ environment, home, json: { get: () => Promise.reject(new Error('asked')) } } as never)
  const find = () => {
    const definition = { transport: 'stdio', command, args, cwd, env: {}, enabled: true, start: 'needed', trusted: false } as const
    return fetched && packages.find(definition, fetched, new AbortController().signal)
  }
  const before = await find()
  writeFileSync(join(project, name), '')
  expect([before, await find()]).toEqual(['unreachable', 'own-registry'])
  rmSync(project, { recursive: true })
})

test.each([
  ['uvx', 'XDG_CONFIG_HOME'],
  ['uvx', 'APPDATA'],
  ['pipx', 'PIPX_DEFAULT_PYTHON'],
  ['pipx', 'PIP_INDEX_URL'],
  ['pnpm', 'XDG_CONFIG_HOME'],
  ['yarn', 'YARN_RC_FILENAME'],
  ['bunx', 'BUN_CONFIG_FILE'],
])('an entry of %s with %s says where its package is from', async (command, name) => {
  const args = { pipx: ['run', 'notes'], pnpm: ['dlx', 'notes'], yarn: ['dlx', 'notes'] }[command] ?? ['notes']
  const definition = {
    transport: 'stdio',
    command,
    args,
    env: { [name]: '/elsewhere' },
    enabled: true,
    start: 'needed',
    trusted: false,
  } as const
  const fetched = fetchedBy(command, args)
  const environment = createEnvironment({ isTerminal: true, env: { HOME: home, PATH: '' }, home })
  const packages = createPackages({ environment, home, json: { get: () => expect.fail('a registry was asked') } } as never)
  expect(fetched && (await packages.find({ ...definition, args }, fetched, new AbortController().signal))).toBe('own-registry')
})

const digest = `sha256:${'0f'.repeat(32)}`
/** A program in docker's place that prints this, or fails. */
function docker(output: string | undefined): void {
  const path = join(home, 'docker')
  writeFileSync(
    path,
    output === undefined ? '#!/bin/sh\nexit 1\n' : `#!/bin/sh\nprintf '%s %s\\n' "$4" "$5" >> ${home}/asked\necho '${output}'\n`,
  )
  chmodSync(path, 0o755)
}

test.each([
  ['docker run -i mcp/time', `["mcp/time@${digest}"]`, 'mcp/time'],
  ['docker run -i docker.io/library/notes:2', `["other/notes@sha256:${'1'.repeat(64)}","notes@${digest}"]`, 'docker.io/library/notes'],
])('%s is the digest of the image that is here', async (line, output, name) => {
  docker(output)
  expect(await find(line)).toEqual({ name, version: digest, integrity: digest })
})

test.each([
  ['an image that is not here', undefined],
  ['one that was built here', '[]'],
  ['no answer of docker', 'null'],
])('%s has no digest', async (_what, output) => {
  docker(output)
  expect(await find('docker run -i mcp/time')).toBe('not-here')
})
