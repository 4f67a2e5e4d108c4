// Bundles of the other kinds really run: what their manifests declare of paths, variables and settings reaches the program,
// and a tool of it answers through the host.

import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { modeOf, onWindows } from '#main/base/this-system.testing.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import { approve } from '#main/servers/lifecycle/servers.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { makeManifest, makeZip, plainServer, type ZipFile } from './bundles.testing.ts'

let test_: TestHost
const ref = (name: string): string => `\${${name}}`

beforeAll(() => {
  test_ = makeTestHost({ environment: createEnvironment({ isTerminal: true }), startServers: false })
  test_.host.onEvent((event) => {
    if (event.name === 'consent.opened') test_.host.context.broker.answer(event.payload.request.id, { kind: 'allow', scope: 'once' })
  })
})
afterAll(() => test_.remove())

/** In Python's standard library alone; what it tells of comes from a module that only `server/lib` has. */
const python = `
import json, os, sys
from told import told

def send(id, result):
    sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': result}) + '\\n')
    sys.stdout.flush()

for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get('method'), message.get('id')
    if id is None:
        continue
    if method == 'initialize':
        send(id, {'protocolVersion': message['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'told', 'version': '1'}})
    elif method == 'tools/list':
        send(id, {'tools': [{'name': 'told', 'description': 'What it was told', 'inputSchema': {'type': 'object'}}]})
    elif method == 'tools/call':
        send(id, {'content': [{'type': 'text', 'text': json.dumps(told())}]})
    else:
        sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': id, 'error': {'code': -32601, 'message': 'unknown'}}) + '\\n')
        sys.stdout.flush()
`
const toldModule = `
import os, sys
def told():
    return {'args': sys.argv[1:], 'env': {k: v for k, v in os.environ.items() if k.startswith('TOLD_')}, 'cwd': os.getcwd()}
`

/** A program of its own, which begins with a line for the system. */
const program = '#!/bin/sh\nexec node "$(dirname "$0")/index.mjs" "$@" "$0"\n'

const userConfig = {
  token: { type: 'string', title: 'Token', description: '', sensitive: true, required: true },
  folders: { type: 'directory', title: 'Folders', description: '', multiple: true, default: [`${ref('HOME')}/notes`] },
  limit: { type: 'number', title: 'Limit', description: '', default: 3 },
  loud: { type: 'boolean', title: 'Loud', description: '', default: false },
}

/** Installed and started; what its tool says that it was told. */
async function run(
  name: string,
  server: JsonObject,
  files: readonly ZipFile[],
  values: JsonObject,
): Promise<{ readonly told: JsonObject; readonly files: string }> {
  const manifest = makeManifest({ name, manifest_version: '0.4', server, user_config: userConfig })
  const zip = makeZip([{ name: 'manifest.json', text: JSON.stringify(manifest) }, ...files])
  const path = join(test_.dataDir, `${name}.mcpb`)
  writeFileSync(path, zip)
  const { id } = await test_.host.context.bundles.openPath(path)
  await test_.host.request('bundle.install', { id, server: name, values: values as never })
  await test_.host.request('server.start', { name })
  const { servers } = test_.host.context
  const approval = approve(servers, name, 'told')
  const { result } = await servers.call(approval, { ...approval, signal: new AbortController().signal })
  const [content] = result.content as unknown as readonly { readonly text: string }[]
  const { cwd = '' } = test_.host.context.config.definitions().get(name) as StdioDefinition
  return { told: JSON.parse(content?.text ?? '{}') as JsonObject, files: cwd }
}

describe('a Python bundle', () => {
  test('runs with its own modules, its settings as words and variables, and its secret from the store', async () => {
    const { told, files } = await run(
      'snake',
      {
        type: 'python',
        entry_point: 'server/main.py',
        mcp_config: {
          // Where only `python3` is there, it is that one.
          command: 'python',
          args: [
            `${ref('__dirname')}${ref('/')}server${ref('pathSeparator')}main.py`,
            ref('user_config.folders'),
            `--limit=${ref('user_config.limit')}`,
          ],
          env: {
            PYTHONPATH: `${ref('__dirname')}/server/lib`,
            TOLD_TOKEN: `Bearer ${ref('user_config.token')}`,
            TOLD_HOME: ref('HOME'),
            TOLD_LOUD: ref('user_config.loud'),
          },
        },
      },
      [
        { name: 'server/main.py', text: python },
        { name: 'server/lib/told.py', text: toldModule },
      ],
      { token: 'sn4ke $HOME', folders: ['/a b', '/c;d'], limit: 4, loud: true },
    )
    expect(told).toEqual({
      args: ['/a b', '/c;d', '--limit=4'],
      env: { TOLD_TOKEN: 'Bearer sn4ke $HOME', TOLD_HOME: homedir(), TOLD_LOUD: 'true' },
      cwd: files,
    })
    expect(readFileSync(join(test_.dataDir, 'servers.json'), 'utf8')).not.toContain('sn4ke')
  })
})

// The program is a shell script. app/server/bundle/bundle-command.test.ts reads the paths and `platform_overrides` of Windows.
describe.skipIf(onWindows)('a bundle with a program of its own', () => {
  test('runs it, also where its archive does not mark it as one that can be run', async () => {
    const { told, files } = await run(
      'own',
      {
        type: 'binary',
        entry_point: 'server/run',
        mcp_config: { command: 'server/run', args: [ref('user_config.folders')], env: { NOTES_TOKEN: ref('user_config.token') } },
      },
      [
        { name: 'server/run', text: program },
        { name: 'server/index.mjs', text: plainServer('1.0.0') },
      ],
      { token: 't0ken', folders: ['/one', '/two words'] },
    )
    expect(told).toEqual({ version: '1.0.0', args: ['/one', '/two words', join(files, 'server/run')], token: 't0ken' })
    expect(modeOf(join(files, 'server/run'), 0o700)).toBe(0o700)
  })
})

test('a bundle for uv becomes its command; where uv is not there, the start says where it is from', async () => {
  const bare = makeTestHost({ environment: createEnvironment({ isTerminal: true, env: { PATH: '/nowhere' } }), startServers: false })
  bare.host.onEvent((event) => {
    if (event.name === 'consent.opened') bare.host.context.broker.answer(event.payload.request.id, { kind: 'allow', scope: 'once' })
  })
  const path = join(bare.dataDir, 'uv.mcpb')
  const manifest = makeManifest({ manifest_version: '0.4', server: { type: 'uv', entry_point: 'src/server.py' } })
  writeFileSync(
    path,
    makeZip([
      { name: 'manifest.json', text: JSON.stringify(manifest) },
      { name: 'src/server.py', text: python },
    ]),
  )
  const { id, fit } = await bare.host.context.bundles.openPath(path)
  await bare.host.request('bundle.install', { id, server: 'uv', values: {} })
  const { command, args, cwd } = bare.host.context.config.definitions().get('uv') as StdioDefinition
  await bare.host.request('server.start', { name: 'uv' }).catch(() => undefined)
  const { diagnosis } = await bare.host.request('server.doctor', { name: 'uv' })
  await bare.remove()
  expect([fit, command, args, diagnosis?.code]).toEqual([
    [{ what: 'uv', fits: 'no' }],
    'uv',
    ['run', '--directory', cwd, 'src/server.py'],
    'command-not-found',
  ])
  expect(JSON.stringify(diagnosis)).toContain('Get uv from astral.sh/uv')
})
