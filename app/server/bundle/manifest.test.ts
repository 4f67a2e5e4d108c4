import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { isSameOrigin, type SignatureSummary } from './bundle-signature.ts'
import { changesBetween } from './bundle-summary.ts'
import { checkFit } from './compatibility.ts'
import { type BundleManifest, readManifest } from './manifest.ts'
import { compareVersions, satisfies } from './semver-range.ts'
import { faultOfValue } from './user-config.ts'

const base: JsonObject = {
  manifest_version: '0.3',
  name: 'notes',
  version: '1.0.0',
  description: 'Notes',
  author: { name: 'Maya' },
  server: { type: 'node', entry_point: 'i.js', mcp_config: { command: 'node', args: ['i.js'] } },
}
const read = (more: JsonObject): ReturnType<typeof readManifest> => readManifest(JSON.stringify({ ...base, ...more }))
function manifest(more: JsonObject = {}): BundleManifest {
  const found = read(more)
  if (found.kind !== 'read') throw new Error(JSON.stringify(found.problems))
  return found.manifest
}

describe('a manifest', () => {
  test.each<[string, JsonObject]>([
    ['of each version', { manifest_version: '0.4' }],
    ['of DXT', { manifest_version: undefined as never, dxt_version: '0.1' }],
    ['with keys that nobody knows', { icons: [{ src: 'a.png', size: '1x1' }], _meta: { a: { b: 1 } }, more: [1] }],
    ['with other clients’ versions', { compatibility: { claude_desktop: '>=1', other: 1 } }],
    ['without a command, for uv', { server: { type: 'uv', entry_point: 'a.py' } }],
  ])('%s is read', (_, more) => {
    expect(read(more).kind).toBe('read')
  })

  test.each<[string, JsonObject, string]>([
    ['no version of its own kind', { manifest_version: undefined as never }, 'manifest_version'],
    ['no author’s name', { author: {} }, 'author.name'],
    ['another type', { server: { type: 'shell', entry_point: 'x', mcp_config: { command: 'x' } } }, 'server.type'],
    ['no command', { server: { type: 'node', entry_point: 'x' } }, 'server.mcp_config'],
    [
      'a line break in an argument',
      { server: { type: 'node', entry_point: 'x', mcp_config: { command: 'node', args: ['a\nb'] } } },
      'server.mcp_config.args[0]',
    ],
    [
      'a NUL in a variable',
      { server: { type: 'node', entry_point: 'x', mcp_config: { command: 'node', env: { A: '\0' } } } },
      'server.mcp_config.env.A',
    ],
    [
      'a variable that is no name',
      { server: { type: 'node', entry_point: 'x', mcp_config: { command: 'node', env: { 'A=B': '' } } } },
      'server.mcp_config.env.A=B',
    ],
    ['too many tools', { tools: Array.from({ length: 3000 }, (_, index) => ({ name: `t${index}` })) }, 'tools'],
    ['a setting of another type', { user_config: { a: { type: 'secret' } } }, 'user_config.a.type'],
  ])('with %s names the field', (_, more, field) => {
    expect(read(more)).toMatchObject({ kind: 'wrong', problems: [{ field }] })
  })

  test('that is not JSON is told so', () => {
    expect(readManifest('{')).toMatchObject({ kind: 'wrong', problems: [{ field: '' }] })
  })
})

test.each<[string, string, boolean | undefined]>([
  ['20.19.1', '>=16.0.0', true],
  ['14.0.0', '>=16', false],
  ['1.2.3', '^1.2.0', true],
  ['2.0.0', '^1.2.0', false],
  ['0.3.0', '^0.2.1', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['3.11.4', '>=3.8,<4.0', true],
  ['3.7.0', '>= 3.8, < 4.0', false],
  ['1.5.0', '1.x', true],
  ['5.0.0', '>=16 || ^5', true],
  ['2.1.0', '1.0.0 - 2.0.0', false],
  ['3.9', '~=3.8', true],
  ['v22.1.0', '*', true],
  ['1.0.0', 'latest', undefined],
  ['', '>=1', undefined],
])('%s within %s: %s', (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected)
})

test('versions are in order by their numbers, then releases before what leads to them', () => {
  expect([
    compareVersions('1.10.0', '1.9.0'),
    compareVersions('1.0.0-beta.2', '1.0.0'),
    compareVersions('1.0', '1.0.0'),
    compareVersions('new', '1'),
  ]).toEqual([1, -1, 0, undefined])
})

test('whether it fits is told by what it asks for and what is here', () => {
  const one = manifest({
    compatibility: { platforms: ['darwin'], runtimes: { node: '>=18', bun: '>=1' }, claude_desktop: '>=0.10', assent: '>=9' },
  })
  expect(checkFit(one, { system: 'linux', assent: '0.1.0', programs: { node: '20.1.0' } }).map(({ what, fits }) => [what, fits])).toEqual([
    ['system', 'no'],
    ['node', 'yes'],
    ['runtime', 'unknown'],
    ['client', 'unknown'],
    ['assent', 'no'],
  ])
  expect(checkFit(manifest(), { system: 'linux', assent: '0.1.0', programs: {} })).toEqual([{ what: 'node', fits: 'no' }])
})

test('what a new version changes is told by its kind and name', () => {
  const before = manifest({ tools: [{ name: 'a', description: 'x' }, { name: 'b' }], user_config: { k: { type: 'string' } } })
  const after = manifest({
    author: { name: 'Other' },
    tools: [{ name: 'a', description: 'y' }],
    server: { type: 'node', entry_point: 'i.js', mcp_config: { command: 'node', args: ['i.js', '--all'], env: { A: '1' } } },
    user_config: { k: { type: 'string', sensitive: true } },
  })
  expect(changesBetween(before, after, 'linux')).toEqual([
    { what: 'author', before: 'Maya', after: 'Other' },
    { what: 'argument', before: 'i.js', after: 'i.js --all' },
    { what: 'variable', name: 'A', after: '1' },
    { what: 'setting', name: 'k', before: 'string', after: 'string, secret' },
    { what: 'tool', name: 'a', before: 'x', after: 'y' },
    { what: 'tool', name: 'b', before: '' },
  ])
})

describe('a bundle takes the place of another', () => {
  const signer = (key: string, organization?: string) => ({
    name: 'n',
    issuer: 'i',
    fingerprint: `f${key}`,
    key,
    validFrom: 0,
    validTo: 1,
    ...(organization ? { organization } : {}),
  })
  const none: SignatureSummary = { kind: 'none' }
  const self = (key: string): SignatureSummary => ({ kind: 'self-signed', signer: signer(key, 'Org') })
  const trusted = (key: string, organization: string): SignatureSummary => ({ kind: 'trusted', signer: signer(key, organization) })
  test.each<[string, SignatureSummary, SignatureSummary, string, boolean]>([
    ['of the same author where neither is signed', none, none, 'Maya', true],
    ['never of another author', none, none, 'Other', false],
    ['never without the signature that it had', self('a'), none, 'Maya', false],
    ['with the same key', self('a'), self('a'), 'Maya', true],
    ['never with another key of the same name', self('a'), self('b'), 'Maya', false],
    ['with a new key that an authority gave the same organization', trusted('a', 'Org'), trusted('b', 'Org'), 'Maya', true],
    ['never with a key that its owner gave themselves', trusted('a', 'Org'), self('b'), 'Maya', false],
    ['never when its bytes were changed', self('a'), { kind: 'changed', signer: signer('a') }, 'Maya', false],
    ['when it is signed from now on', none, self('a'), 'Maya', true],
  ])('%s', (_, before, after, author, expected) => {
    expect(
      isSameOrigin(
        { manifest: { author: { name: 'Maya' } }, signature: before },
        { manifest: { author: { name: author } }, signature: after },
      ),
    ).toBe(expected)
  })
})

test.each<[string, Partial<Parameters<typeof faultOfValue>[0]>, Parameters<typeof faultOfValue>[1], string | undefined]>([
  ['left out', { required: true }, undefined, 'missing'],
  ['left out, a secret that is kept', { required: true, sensitive: true, kept: true }, undefined, undefined],
  ['a number in words', { type: 'number' }, 'many', 'not-a-number'],
  ['a number below its least', { type: 'number', min: 2 }, 1, 'too-small'],
  ['one of several that is none', { multiple: true }, 'x', 'wrong-kind'],
  ['a line break', {}, 'a\nb', 'control'],
  ['a reference', {}, `a\${env:X}`, 'reference'],
  ['a folder from here', { type: 'directory' }, 'notes', 'not-whole'],
  ['a file from the person’s own folder', { type: 'file' }, '~/notes.txt', undefined],
  ['a folder of another system', { type: 'directory' }, 'C:\\notes', undefined],
  ['an empty one among several that are needed', { multiple: true, required: true }, ['/a', ''], 'missing'],
])('a value: %s', (_, field, value, expected) => {
  const whole = { type: 'string' as const, required: false, multiple: false, sensitive: false, kept: false, ...field }
  expect(faultOfValue(whole, value)).toBe(expected)
})
