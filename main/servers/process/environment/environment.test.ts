import { describe, expect, it } from 'vitest'
import { nearest } from '#main/base/nearest-name.ts'
import { fileKind } from './environment.ts'
import { childEnvironment, isFromTerminal, variable } from './search-path.ts'

describe('childEnvironment', () => {
  const host = {
    HOME: '/home/ada',
    USER: 'ada',
    PATH: '/ours',
    LANG: 'de_DE.UTF-8',
    LC_TIME: 'C',
    https_proxy: 'http://proxy:3128',
    NO_PROXY: 'localhost',
    Http_Proxy: 'odd',
    TMPDIR: '/tmp',
    SSH_AUTH_SOCK: '/run/agent',
    NODE_EXTRA_CA_CERTS: '/etc/company.pem',
    XDG_CONFIG_HOME: '/home/ada/.config',
    DISPLAY: ':0',
    NVM_DIR: '/home/ada/.nvm',
    GITHUB_TOKEN: 'x',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_PROFILE: 'work',
    LC_MY_TOKEN: 'x',
    XDG_SECRET: 'x',
    npm_config__authToken: 'x',
    DATABASE_URL: 'x',
    LD_PRELOAD: '/x.so',
    PYTHONPATH: '/x',
    ANTHROPIC_API_KEY: 'sk-secret',
    NODE_OPTIONS: '--inspect',
    ELECTRON_RUN_AS_NODE: '1',
    TERM: '() { :; }; echo shellshock',
    SHELL: undefined,
  }

  it('passes on what a program needs and nothing else', () => {
    expect(childEnvironment(host, '/found/bin', {}, 'linux')).toEqual({
      HOME: '/home/ada',
      USER: 'ada',
      PATH: '/found/bin',
      LANG: 'de_DE.UTF-8',
      LC_TIME: 'C',
      https_proxy: 'http://proxy:3128',
      NO_PROXY: 'localhost',
      TMPDIR: '/tmp',
      SSH_AUTH_SOCK: '/run/agent',
      NODE_EXTRA_CA_CERTS: '/etc/company.pem',
      XDG_CONFIG_HOME: '/home/ada/.config',
      DISPLAY: ':0',
      NVM_DIR: '/home/ada/.nvm',
      SHLVL: '1',
    })
  })

  it('lets the definition have the last word', () => {
    expect(childEnvironment({ HOME: '/home/ada' }, '/found', { PATH: '/own', HOME: '/elsewhere', TOKEN: 'x' }, 'linux')).toEqual({
      PATH: '/own',
      HOME: '/elsewhere',
      TOKEN: 'x',
      SHLVL: '1',
    })
  })

  it('takes names on Windows as one, however they are spelt', () => {
    const windows = { Path: 'C:\\ours', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\x86', SECRET: 'x' }
    expect(childEnvironment(windows, 'C:\\found', { path: 'C:\\own' }, 'win32')).toEqual({
      SystemRoot: 'C:\\Windows',
      'ProgramFiles(x86)': 'C:\\x86',
      path: 'C:\\own',
    })
    expect([variable(windows, 'PATH', 'win32'), variable(windows, 'PATH', 'linux')]).toEqual(['C:\\ours', undefined])
  })
})

describe('nearest', () => {
  const programs = ['npx', 'node', 'python3', 'uvx', 'uv', 'docker', 'git']

  it.each([
    ['npxx', 'npx'],
    ['nodee', 'node'],
    ['ndoe', 'node'],
    ['python', 'python3'],
    ['dokcer', 'docker'],
    ['uvxx', 'uvx'],
    ['np', undefined],
    ['my-server', undefined],
    ['deno', undefined],
  ])('to %s is %s', (name, expected) => {
    expect(nearest(name, programs)).toBe(expected)
  })
})

it.each([
  ['a terminal on Linux', { SHLVL: '1', TERM: 'xterm-256color', DISPLAY: ':0' }, 'linux', false, true],
  ['a server without a desktop', { SHLVL: '1' }, 'linux', false, true],
  ['a desktop that a shell started', { SHLVL: '1', DISPLAY: ':0' }, 'linux', false, false],
  ['the same, with the TERM of its console', { SHLVL: '1', TERM: 'linux', WAYLAND_DISPLAY: 'wayland-0' }, 'linux', false, false],
  ['a menu', { DISPLAY: ':0' }, 'linux', false, false],
  ['the Finder', { TERM: 'dumb', SHLVL: '0' }, 'darwin', false, false],
  ['a terminal of a Mac', { SHLVL: '1', TERM: 'xterm-256color' }, 'darwin', false, true],
  ['whatever has a terminal', {}, 'darwin', true, true],
] as const)('started from %s', (_, env, platform, isTty, expected) => {
  expect(isFromTerminal(env, platform, isTty)).toBe(expected)
})

// An alias of the Store: `statSync` fails with EACCES, `lstatSync` does not (python/cpython issue 76964, nodejs/node issue 36790).
it.each([
  ['an alias of the Store', 'EACCES', false, 'file'],
  ['an alias as older systems tell it', 'UNKNOWN', false, 'file'],
  ['a link that leads nowhere', 'ENOENT', false, undefined],
  ['a folder that nobody may enter', 'EACCES', true, undefined],
])('%s (%s) is %s', (_, code, isFolder, expected) => {
  const look = () => {
    throw Object.assign(new Error(code), { code })
  }
  expect(
    fileKind('C:\\Users\\Ada\\AppData\\Local\\Microsoft\\WindowsApps\\python.exe', look, () => ({ isDirectory: () => isFolder })),
  ).toBe(expected)
})
