// Answers in the forms of PyPI's JSON API (https://docs.pypi.org/api/json/) and of `docker image inspect --format '{{json .RepoDigests}}'`
// (https://docs.docker.com/reference/cli/docker/image/inspect/), by a server and a program of this test: neither runs here.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchedBy } from '#app/server/fetched.ts'
import { createEnvironment } from '../../process/environment/environment.ts'
import { findPackage, type RegistryContext } from './package-registries.ts'

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
