import { describe, expect, it } from 'vitest'
import { childEnvironment, variable } from './child-environment.ts'
import { nearest } from './nearest.ts'

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
    })
  })

  it('lets the definition have the last word', () => {
    expect(childEnvironment({ HOME: '/home/ada' }, '/found', { PATH: '/own', HOME: '/elsewhere', TOKEN: 'x' }, 'linux')).toEqual({
      PATH: '/own',
      HOME: '/elsewhere',
      TOKEN: 'x',
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
