import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { type BundleCommandContext, commandFor, makeCommand } from './bundle-command.ts'
import { concernsOf, unknownVariables } from './command-warnings.ts'
import { type BundleManifest, bundleManifest } from './manifest.ts'

const ref = (name: string): string => `\${${name}}`
const manifest = (config: JsonObject, more: JsonObject = {}): BundleManifest =>
  bundleManifest.parse({
    manifest_version: '0.3',
    name: 'x',
    version: '1',
    description: '',
    author: { name: 'a' },
    server: { type: 'node', entry_point: 'i.js', mcp_config: { command: 'node', ...config } },
    user_config: {
      key: { type: 'string', title: 'Key', description: '', sensitive: true },
      text: { type: 'string', title: 'Text', description: '' },
      folders: { type: 'directory', title: 'Folders', description: '', multiple: true },
      on: { type: 'boolean', title: 'On', description: '' },
    },
    ...more,
  })
const context = (change: Partial<BundleCommandContext> = {}): BundleCommandContext => ({
  folder: '/data/b/files',
  system: 'linux',
  folders: { HOME: '/home/m', DESKTOP: '/home/m/Desktop', DOCUMENTS: '/home/m/Documents', DOWNLOADS: '/home/m/Downloads' },
  values: {},
  secret: () => undefined,
  ...change,
})
const make = (config: JsonObject, change: Partial<BundleCommandContext> = {}) => makeCommand(manifest(config), context(change))

describe('what a manifest stands for', () => {
  test('folders, separators and what was entered are put in, once', () => {
    expect(
      make(
        { args: [`${ref('__dirname')}${ref('/')}a`, ref('DOCUMENTS'), `--on=${ref('user_config.on')}`, ref('user_config.text')] },
        { values: { on: true, text: '__dirname HOME' } },
      ),
    ).toMatchObject({
      kind: 'made',
      command: { args: ['/data/b/files/a', '/home/m/Documents', '--on=true', '__dirname HOME'], cwd: '/data/b/files' },
    })
  })

  test('several values are words of their own in an argument, and joined in a variable', () => {
    const folders = ['/a', '/b c']
    expect(make({ args: [ref('user_config.folders')], env: { A: ref('user_config.folders') } }, { values: { folders } })).toMatchObject({
      command: { args: folders, env: { A: '/a:/b c' } },
    })
  })

  test('what was left out leaves no word and no variable behind', () => {
    expect(
      make({ args: ['a', ref('user_config.text'), `--x=${ref('user_config.text')}`], env: { A: ref('user_config.key'), B: 'b' } }),
    ).toMatchObject({
      command: { args: ['a', '--x='], env: { B: 'b' } },
    })
  })

  test('a value is one word, whatever it holds', () => {
    const text = '; rm -rf ~ #\t--evil "$(id)" `id`'
    expect(make({ args: [ref('user_config.text')] }, { values: { text } })).toMatchObject({ command: { args: [text] } })
  })

  test('an override of this system replaces whole fields', () => {
    const config = { args: ['a'], env: { A: 'a', B: 'b' }, platform_overrides: { linux: { env: { A: 'x' } }, win32: { command: 'other' } } }
    expect([commandFor(manifest(config), 'linux'), commandFor(manifest(config), 'win32').command]).toEqual([
      { command: 'node', args: ['a'], env: { A: 'x' } },
      'other',
    ])
  })

  test('uv needs no command of its own', () => {
    const uv = bundleManifest.parse({ ...manifest({}), server: { type: 'uv', entry_point: 'src/server.py' } })
    expect(makeCommand(uv, context())).toMatchObject({
      command: { command: 'uv', args: ['run', '--directory', '/data/b/files', 'src/server.py'] },
    })
  })
})

describe('a program', () => {
  test.each([
    ['server/tool', '/data/b/files/server/tool'],
    [`${ref('__dirname')}/./server//tool`, '/data/b/files/server/tool'],
    ['node', 'node'],
    ['/usr/bin/python3', '/usr/bin/python3'],
  ])('%s is %s', (command, found) => {
    expect(make({ command })).toMatchObject({ kind: 'made', command: { command: found } })
  })

  test.each([
    '../evil',
    'server/../../evil',
    `${ref('__dirname')}/../evil`,
    `${ref('__dirname')}/`,
    '/usr/../bin/sh',
    `${ref('HOME')}/../x`,
  ])('%s is refused', (command) => {
    expect(make({ command })).toMatchObject({ kind: 'refused', field: 'server.mcp_config.command', fault: 'escapes' })
  })

  test('on Windows a path may have either slash', () => {
    expect(make({ command: 'server/tool' }, { system: 'win32', folder: 'C:\\d\\files' })).toMatchObject({
      command: { command: 'C:\\d\\files\\server\\tool' },
    })
    expect(make({ command: '..\\evil.exe' }, { system: 'win32', folder: 'C:\\d\\files' })).toMatchObject({ fault: 'escapes' })
  })
})

describe('references to what is the person’s', () => {
  const own = ref('input:key')
  test.each<[string, JsonObject, Partial<BundleCommandContext>]>([
    ['a variable of theirs', { env: { A: ref('env:AWS_SECRET_ACCESS_KEY') } }, {}],
    ['a secret of another', { args: [ref('input:github-token')] }, {}],
    ['their folders by another name', { args: [ref('userHome')] }, {}],
    ['one that comes to be by joining', { env: { A: `${ref('user_config.text')}{env:TOKEN}` } }, { values: { text: '$' } }],
    ['one in a value', { args: [`--x=${ref('user_config.text')}`] }, { values: { text: ref('env:TOKEN') } }],
    ['one among several values', { args: [ref('user_config.folders')] }, { values: { folders: ['/a', ref('input:other')] } }],
    ['one beside the bundle’s own', { env: { A: `${ref('user_config.key')}${ref('input:other')}` } }, { secret: () => own }],
    ['the bundle’s own, by its id', { env: { A: own } }, { secret: () => own }],
  ])('%s is refused', (_, config, change) => {
    expect(make(config, change)).toMatchObject({ kind: 'refused', fault: 'foreign-reference' })
  })

  test('a secret stands in arguments and variables, never in the name of the program', () => {
    const change = { secret: () => own }
    expect(make({ args: [`--k=${ref('user_config.key')}`], env: { K: ref('user_config.key') } }, change)).toMatchObject({
      command: { args: [`--k=${own}`], env: { K: own } },
    })
    expect(make({ command: `./${ref('user_config.key')}` }, change)).toMatchObject({ fault: 'secret-in-command' })
  })
})

describe('what is worth reading', () => {
  const kinds = (config: JsonObject) => {
    const one = manifest(config)
    const raw = commandFor(one, 'linux')
    return [...concernsOf(one, raw), ...unknownVariables(one, raw)].map(({ kind }) => kind)
  }
  test.each<[string, JsonObject, string[]]>([
    ['a program of the bundle', { command: `${ref('__dirname')}/bin/tool`, args: ['-c', 'x'] }, []],
    ['node with a file of the bundle', { args: [`${ref('__dirname')}/i.js`], env: { NODE_PATH: `${ref('__dirname')}/lib` } }, []],
    ['a shell', { command: '/bin/sh', args: ['-c', 'x'] }, ['shell', 'code-in-arguments']],
    ['a program of this computer', { command: '/usr/bin/perl' }, ['other-program']],
    ['what fetches code', { command: 'npx', args: ['-y', 'x'] }, ['fetches-code']],
    ['code in arguments', { args: ['-e', 'x'] }, ['code-in-arguments']],
    ['a path that leads out', { args: ['../x', '--file=../../y'] }, ['path-outside', 'path-outside']],
    ['variables that load code', { env: { NODE_OPTIONS: '--import ./x', LD_PRELOAD: 'x.so' } }, ['variable', 'variable']],
    ['another search path', { env: { PATH: '/tmp/evil' } }, ['variable']],
    ['variables of git and of other runtimes that load code', { env: { GIT_ASKPASS: 'x', COR_PROFILER: 'x' } }, ['variable', 'variable']],
    ['another way to the network', { env: { HTTPS_PROXY: 'http://x', NODE_TLS_REJECT_UNAUTHORIZED: '0' } }, ['variable', 'variable']],
    ['what stands for nothing', { args: [ref('OTHER'), ref('user_config.unknown')] }, ['unknown-variable', 'unknown-variable']],
  ])('%s', (_, config, expected) => {
    expect(kinds(config)).toEqual(expected)
  })
})
