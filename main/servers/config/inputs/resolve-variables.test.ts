import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputReference as input } from '#app/server/inputs/variable-references.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { http, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { resolveBuiltinVariables, resolveVariables } from './resolve-variables.ts'

const place = (name: string): string => `\${${name}}`
const code = (expected: string, data: object) => expect.objectContaining({ code: expected, data: expect.objectContaining(data) })
const values = (inputs: Record<string, string>, environment: Record<string, string> = {}) => ({
  inputs: new Map(Object.entries(inputs)),
  environment,
})

describe('places', () => {
  const definition = {
    ...raw('tools'),
    command: `${place('userHome')}${place('/')}run`,
    args: [`${place('workspaceFolder')}x`],
    cwd: place('userHome'),
  }

  it('are put in wherever they stand, before anybody is asked', () => {
    expect(resolveBuiltinVariables('a', definition, { home: '/home/ada', folder: '/work' })).toMatchObject({
      command: `/home/ada${sep}run`,
      args: ['/workx'],
      cwd: '/home/ada',
    })
  })

  it('are put into the paths of a sandbox', () => {
    const grants = { ...noGrants, read: [`${place('workspaceFolder')}/r`, '~/kept'], write: [`${place('userHome')}/w`] }
    const sandboxed = { ...raw('tools'), sandbox: { kind: 'on' as const, grants } }
    expect(resolveBuiltinVariables('a', sandboxed, { home: '/home/ada', folder: '/work' })).toMatchObject({
      sandbox: { kind: 'on', grants: { ...noGrants, read: ['/work/r', '~/kept'], write: ['/home/ada/w'] } },
    })
  })

  it('that are not set are an error which names them', () => {
    expect(() => resolveBuiltinVariables('a', definition, { home: '/home/ada' })).toThrow(
      code('config.invalid', { variable: 'workspaceFolder' }),
    )
  })
})

describe('what stands for nothing where it is', () => {
  it.each([
    ['a variable in the arguments', { args: [place('env:K')] }, 'args', place('env:K')],
    ['a variable in the folder', { cwd: place('env:K') }, 'cwd', place('env:K')],
    ['a value in the name of the program', { command: input('k') }, 'command', input('k')],
    ['a setting of another program', { env: { A: `x${place('config:a.b')}` } }, 'env', place('config:a.b')],
    ['a variable without a name', { env: { A: place('env:') } }, 'env', place('env:')],
    ['a folder by its name', { args: [place('workspaceFolder:web')] }, 'args', place('workspaceFolder:web')],
    ['a slip', { args: [place('workspaceFoldr')] }, 'args', place('workspaceFoldr')],
    ['another case', { args: [place('workspacefolder')] }, 'args', place('workspacefolder')],
  ])('is an error which names it: %s', (_what, change, field, reference) => {
    const definition = { ...raw('tools'), ...change }
    expect(() => resolveBuiltinVariables('a', definition, { home: '/home/ada', folder: '/work' })).toThrow(
      code('config.invalid', { field, reference }),
    )
  })

  it('is left alone where a program may want it', () => {
    const args = ['-c', `echo ${place('HOME')} ${place('file')} ${place('env:-x')} ${place('cwd')} ${place('user_home')} $(ls)`]
    expect(resolveBuiltinVariables('a', { ...raw('tools'), command: 'sh', args }, {})).toMatchObject({ args })
  })
})

describe('values', () => {
  it('go into arguments, variables, the folder, headers, and encoded into an address', () => {
    const program = { ...raw('tools'), args: [`--key=${input('k')}`], env: { A: `x${input('k')}` }, cwd: join('/', input('k')) }
    expect(resolveVariables('a', program, values({ k: 'v' }))).toMatchObject({ args: ['--key=v'], env: { A: 'xv' }, cwd: join('/', 'v') })
    const address = http(`https://x.example/mcp?key=${input('k')}`, { Authorization: `Bearer ${input('k')}` })
    expect(resolveVariables('a', address, values({ k: 'a/b&c=1' }))).toMatchObject({
      url: 'https://x.example/mcp?key=a%2Fb%26c%3D1',
      headers: { Authorization: 'Bearer a/b&c=1' },
    })
  })

  it('go into the settings of a sign-in', () => {
    const definition = { ...http('https://x.example'), oauth: { clientId: 'c', clientSecret: input('s'), privateKey: place('env:PEM') } }
    expect(resolveVariables('a', definition, values({ s: 'v' }, { PEM: '-----BEGIN' }))).toMatchObject({
      oauth: { clientId: 'c', clientSecret: 'v', privateKey: '-----BEGIN' },
    })
  })

  it('are no references themselves, and never name the program', () => {
    const program = { ...raw('tools'), env: { A: input('k') } }
    const evil = `${input('other')}${place('env:HOME')}`
    expect(resolveVariables('a', program, values({ k: evil, other: 'stolen' }, { HOME: '/h' }))).toMatchObject({
      env: { A: evil },
    })
  })

  it('of the environment count in variables and headers', () => {
    const program = { ...raw('tools'), env: { A: place('env:K') } }
    expect(resolveVariables('a', program, values({}, { K: 'v' }))).toMatchObject({ env: { A: 'v' } })
    expect(() => resolveVariables('a', program, values({}))).toThrow(code('config.invalid', { variable: 'K' }))
  })
})

describe('an address or a header that cannot be sent', () => {
  const remote = (url: string, headers: Record<string, string> = {}) =>
    ({ transport: 'streamable-http', url, headers, enabled: true, start: 'needed', trusted: false }) as const
  it.each([
    ['a password in the address', remote('https://ada:hunter22@h.example/mcp'), 'url'],
    ['a name in the address', remote(`https://\${input:k}@h.example/mcp`), 'url'],
    ['a line break', remote('https://h.example/mcp', { 'X-Key': `\${input:k}` }), 'X-Key'],
    ['a letter beyond Latin-1', remote('https://h.example/mcp', { 'X-Key': 'kľúč hunter22' }), 'X-Key'],
    ['no name', remote('https://h.example/mcp', { 'X Key': 'v' }), 'X Key'],
  ])('is named, and its value is not: %s', (_what, definition, name) => {
    const fill = () => resolveVariables('a', definition, { environment: {}, inputs: new Map([['k', 'hunter22\nx']]) })
    expect(fill).toThrow(expect.objectContaining({ code: 'config.invalid', data: { server: 'a', name } }))
    expect(fill).not.toThrow(/hunter22/)
  })
})
