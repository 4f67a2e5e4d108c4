import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ServerDefinition } from '#app/server/definition.ts'
import { inputReference } from '#app/server/inputs/variable-references.ts'
import { emptyOAuth } from './oauth-form.ts'
import { emptyServerForm, formHints, pair, sameForm, secretsToKeep, splitArgs, toDefinition, toForm, validateForm } from './server-form.ts'

const filled = { ...emptyServerForm(), name: 'notes', command: 'npx' }

describe('the form of a server', () => {
  it('gives back any stdio definition that it can show', () => {
    const line = fc.string().map((text) => text.replace(/[\r\n]/g, ''))
    const args = fc.array(line).filter((list) => list.at(-1) !== '')
    const env = fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), fc.string())
    fc.assert(
      fc.property(
        args,
        env,
        fc.boolean(),
        fc.boolean(),
        fc.option(fc.integer({ min: 1, max: 86_400 })),
        fc.option(fc.integer({ min: 1, max: 10_080 })),
        (args, env, enabled, trusted, seconds, minutes) => {
          const definition: ServerDefinition = {
            transport: 'stdio',
            command: 'npx',
            args,
            env,
            cwd: '/tmp',
            enabled,
            trusted,
            start: 'launch',
            ...(seconds === null ? {} : { timeoutMs: seconds * 1000 }),
            ...(minutes === null ? {} : { idleMinutes: minutes }),
          }
          expect(toDefinition(toForm('notes', definition))).toEqual({ ...definition, env: { ...env } })
        },
      ),
    )
  })

  it('gives back a remote definition', () => {
    const definition: ServerDefinition = {
      transport: 'sse',
      url: 'https://mcp.example/sse',
      headers: { Authorization: 'Bearer x' },
      enabled: true,
      trusted: false,
      start: 'needed',
    }
    expect(toDefinition(toForm('notes', definition))).toEqual(definition)
  })

  it('gives back how to sign in, masks and all', () => {
    const definition: ServerDefinition = {
      transport: 'streamable-http',
      url: 'https://mcp.example/mcp',
      headers: {},
      oauth: { clientId: 'assent', clientSecret: '••••', scopes: ['a', 'b'], callbackPort: 4000, dpop: false },
      enabled: true,
      trusted: false,
      start: 'needed',
    }
    expect(toDefinition(toForm('notes', definition))).toEqual(definition)
    const { oauth: _none, ...without } = definition
    expect(toDefinition(toForm('notes', without))).toEqual(without)
  })

  it('keeps the secrets of a sign-in that were typed, wherever there is a keyring or none', () => {
    const oauth = { ...emptyOAuth, clientSecret: 'typed', privateKey: '••••', subjectToken: inputReference('x'), idpClientSecret: '' }
    const form = { ...emptyServerForm(), transport: 'streamable-http' as const, oauth }
    expect([secretsToKeep(form, true), secretsToKeep(form, false)]).toEqual([['oauth clientSecret'], ['oauth clientSecret']])
    expect(secretsToKeep({ ...form, transport: 'stdio' }, true)).toEqual([])
  })

  it('takes arguments line by line, with blank lines inside kept and those at the end dropped', () => {
    expect(splitArgs('-y\r\nnotes mcp\n\n--dir\n\n')).toEqual(['-y', 'notes mcp', '', '--dir'])
    expect(splitArgs('')).toEqual([])
  })

  it.each([
    ['no name', { name: '' }, 'name'],
    ['a name with a space at its end', { name: 'notes ' }, 'name'],
    ['a name that is taken', { name: 'files' }, 'name'],
    ['no program', { command: '  ' }, 'command'],
    ['a NUL in an argument', { args: 'a\0b' }, 'args'],
    ['a variable without a name', { env: [pair('', 'x')] }, 'env'],
    ['a variable with = in its name', { env: [pair('A=B', 'x')] }, 'env'],
    ['a variable twice', { env: [pair('A', '1'), pair('A', '2')] }, 'env'],
    ['no address', { transport: 'streamable-http' as const, url: '' }, 'url'],
    ['half an address', { transport: 'streamable-http' as const, url: 'mcp.example' }, 'url'],
    ['a file address', { transport: 'streamable-http' as const, url: 'file:///etc/passwd' }, 'url'],
    [
      'a header twice, whatever its case',
      { transport: 'sse' as const, url: 'https://a.example', headers: [pair('X-A', '1'), pair('x-a', '2')] },
      'headers',
    ],
    [
      'a callback port that is none',
      { transport: 'streamable-http' as const, url: 'https://a.example', oauth: { ...emptyOAuth, callbackPort: '70000' } },
      'oauth.callbackPort',
    ],
    ['a time limit that is no number', { timeout: 'soon' }, 'timeout'],
    ['a time limit of nothing', { timeout: '0' }, 'timeout'],
    ['a rest that is no number', { idle: 'soon' }, 'idle'],
    ['a rest of nothing', { idle: '0' }, 'idle'],
    ['a rest beyond a week', { idle: '10081' }, 'idle'],
  ])('refuses %s beside its field', (_what, change, field) => {
    expect(Object.keys(validateForm({ ...filled, ...change }, ['files']))).toEqual([field])
  })

  it('has nothing against a good form, nor against rows left empty', () => {
    expect(validateForm({ ...filled, env: [pair(), pair('A', '1')] }, ['files'])).toEqual({})
    expect(toDefinition({ ...filled, env: [pair(), pair('A', '1')] })).toMatchObject({ env: { A: '1' } })
  })

  it('warns of arguments in the command, quotes in arguments and unencrypted addresses without refusing them', () => {
    expect(Object.keys(formHints({ ...filled, command: 'npx -y notes', args: '"quoted"' }))).toEqual(['command', 'args'])
    expect(formHints({ ...filled, command: '/opt/My Tools/run' })).toEqual({})
    expect(Object.keys(formHints({ ...filled, transport: 'sse', url: 'http://nas.lan/mcp' }))).toEqual(['url'])
    expect(formHints({ ...filled, transport: 'sse', url: 'http://127.0.0.1:3000/mcp' })).toEqual({})
  })

  it('knows an untouched form by its content', () => {
    const definition = toDefinition({ ...filled, env: [pair('A', '1')] })
    expect(sameForm(toForm('notes', definition), toForm('notes', definition))).toBe(true)
    expect(sameForm(toForm('notes', definition), { ...toForm('notes', definition), args: 'x' })).toBe(false)
  })
})
