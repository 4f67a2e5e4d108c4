import { describe, expect, it } from 'vitest'
import { type HostErrorCode, hostErrorCodes } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { exitWords, type FailedServer, failureView } from './failure-view.ts'

const stdio: FailedServer = {
  name: 'ledger',
  os: 'mac',
  definition: { transport: 'stdio', command: 'uvx', args: ['ledger-mcp'], env: {}, enabled: true, start: 'needed', trusted: false },
}
const remote: FailedServer = {
  name: 'linear',
  os: 'linux',
  definition: {
    transport: 'streamable-http',
    url: 'https://mcp.linear.app/mcp',
    headers: {},
    enabled: true,
    start: 'needed',
    trusted: false,
  },
}
const view = (code: HostErrorCode, server: FailedServer, data?: JsonObject) =>
  failureView({ code, message: 'the host’s own sentence', ...(data ? { data } : {}) }, server)
const presses = (code: HostErrorCode, server: FailedServer, data?: JsonObject): string[] =>
  view(code, server, data).remedies.map((remedy) => (remedy.kind === 'edit' ? `edit ${remedy.field}` : remedy.kind))

/** code · server · data · what can be pressed · what the words must carry */
const table: readonly (readonly [HostErrorCode, FailedServer, JsonObject | undefined, string[], string[]])[] = [
  ['server.unknown', stdio, undefined, ['text'], ['ledger']],
  ['server.disabled', stdio, undefined, ['enable'], ['ledger']],
  ['server.refused', stdio, undefined, ['retry', 'edit command'], ['ledger']],
  ['server.page-first', stdio, undefined, ['retry'], ['ledger', 'the host’s own sentence']],
  ['server.secret-missing', stdio, { ids: ['one', 'two'] }, ['retry'], ['ledger', 'one and two']],
  ['server.command-not-found', stdio, { command: 'uvx' }, ['copy', 'edit command', 'retry'], ['ledger', 'uvx']],
  ['server.command-not-found', stdio, { command: 'my-own', didYouMean: 'my-owl' }, ['edit command', 'retry'], ['my-own', 'my-owl']],
  ['server.cwd-not-found', stdio, { cwd: '/gone' }, ['edit cwd', 'retry'], ['/gone']],
  ['server.spawn-failed', stdio, { errno: 'EACCES' }, ['edit command', 'retry'], ['uvx']],
  ['server.spawn-failed', stdio, undefined, ['edit command', 'retry'], ['the host’s own sentence']],
  [
    'server.exited',
    { ...stdio, exit: { code: 3, signal: null } },
    { stderr: ['one', 'no such book'] },
    ['retry', 'log', 'edit args'],
    ['3', '“no such book”'],
  ],
  ['server.not-mcp', stdio, { output: 'Hello!' }, ['edit command', 'log', 'retry'], ['“Hello!”']],
  ['server.not-mcp', remote, undefined, ['edit url', 'log', 'retry'], ['linear']],
  ['server.start-timeout', stdio, { timeoutMs: 30_000 }, ['retry', 'log', 'edit command'], ['30 s']],
  [
    'server.unreachable',
    remote,
    { origin: 'https://other.example:8443', reason: 'ECONNREFUSED' },
    ['retry', 'edit url'],
    ['other.example:8443'],
  ],
  ['server.unreachable', remote, { reason: 'CERT_HAS_EXPIRED' }, ['retry', 'edit url'], ['CERT_HAS_EXPIRED']],
  ['server.unreachable', remote, undefined, ['retry', 'edit url'], ['mcp.linear.app']],
  ['server.http-status', remote, { status: 401 }, ['edit headers', 'retry'], ['401']],
  ['server.http-status', remote, { status: 404 }, ['edit url', 'retry'], ['404']],
  ['server.http-status', remote, { status: 429 }, ['retry'], ['429']],
  ['server.http-status', remote, { status: 503 }, ['retry'], ['503']],
  ['server.http-status', remote, undefined, ['retry', 'edit url'], ['the host’s own sentence']],
  ['server.sign-in-needed', remote, undefined, ['retry', 'edit headers'], ['linear']],
  ['server.sign-in-refused', remote, undefined, ['retry', 'edit headers'], ['linear']],
  ['server.sign-in-failed', remote, undefined, ['retry', 'edit oauth'], ['the host’s own sentence']],
  ['server.sign-in-failed', remote, { reason: 'not-offered' }, ['edit headers', 'retry'], ['the host’s own sentence']],
  ['server.sign-in-failed', remote, { reason: 'access_denied', issuer: 'https://auth.linear.app' }, ['retry'], ['auth.linear.app']],
  ['server.sign-in-failed', remote, { reason: 'invalid_client', issuer: 'nonsense' }, ['edit oauth', 'retry'], ['nonsense']],
  ['server.sign-in-failed', remote, { reason: 'invalid_scope' }, ['edit oauth', 'retry'], ['linear']],
  ['server.sign-in-failed', remote, { reason: 'invalid_grant' }, ['retry'], ['linear']],
  ['server.sign-in-failed', remote, { reason: 'consent_required' }, ['retry'], ['linear']],
  ['server.sign-in-failed', remote, { reason: 'server_error', issuer: 'https://auth.linear.app' }, ['retry'], ['auth.linear.app']],
  ['server.sign-in-timeout', remote, undefined, ['retry'], ['linear']],
  ['server.version-mismatch', stdio, { supported: ['2031-01-01'] }, ['edit command', 'retry'], ['the host’s own sentence']],
  ['config.invalid', stdio, { variable: 'TOKEN' }, ['edit env', 'retry'], ['the host’s own sentence']],
  ['config.invalid', remote, { variable: 'TOKEN' }, ['edit headers', 'retry'], ['the host’s own sentence']],
  ['server.protocol', stdio, undefined, ['retry', 'log'], ['the host’s own sentence']],
  ['server.too-large', stdio, { limit: 64_000_000 }, ['retry', 'log'], ['64 MB']],
  ['server.stopped', stdio, undefined, ['retry'], ['ledger']],
  ['server.not-offered', stdio, undefined, ['retry', 'log'], ['the host’s own sentence']],
  ['server.connection-lost', remote, undefined, ['retry', 'log'], ['the host’s own sentence']],
]

describe('failureView', () => {
  it.each(table)('%s: says what happened and offers what mends it', (code, server, data, remedies, words) => {
    expect(presses(code, server, data)).toEqual(remedies)
    const said = view(code, server, data)
    for (const word of words) expect(`${said.sentence} ${said.cause}`).toContain(word)
  })

  it('has a row for every code of a server', () => {
    const rows = new Set(table.map(([code]) => code))
    expect(hostErrorCodes.filter((code) => code.startsWith('server.') && !rows.has(code))).toEqual([])
  })

  it('falls back to the host’s sentence for any other code', () => {
    expect(view('internal', stdio).cause).toBe('the host’s own sentence')
    expect(presses('internal', stdio)).toEqual(['retry', 'log'])
  })

  it('offers the install command of the person’s own system', () => {
    const text = (os: FailedServer['os']) =>
      view('server.command-not-found', { ...stdio, os }, { command: 'uvx' }).remedies.flatMap((remedy) =>
        remedy.kind === 'copy' ? [remedy.text] : [],
      )
    expect(new Set([...text('mac'), ...text('windows'), ...text('linux')]).size).toBe(3)
  })

  it('quotes the last words of the log, and knows how it ended from either place', () => {
    expect(view('server.exited', { ...stdio, lastWords: 'no such book' }).cause).toContain('“no such book”')
    expect(view('server.exited', stdio, { code: 3, signal: null }).sentence).toContain('3')
  })

  it('says that it gave up only when it does not retry', () => {
    const crashed = { ...stdio, attempt: 3, exit: { code: 1, signal: null } }
    expect(view('server.exited', crashed).cause).not.toBe(view('server.exited', { ...crashed, retries: true }).cause)
  })

  it('survives data of any shape', () => {
    for (const code of hostErrorCodes)
      for (const data of [{}, { command: 7, status: 'x', stderr: { a: 1 }, supported: 'no', limit: null }])
        expect(view(code, stdio, data).sentence).not.toBe('')
  })

  it.each([
    [{ code: 0, signal: null }, '0'],
    [{ code: 7, signal: null }, '7'],
    [{ code: null, signal: 'SIGKILL' }, 'SIGKILL'],
  ])('names how a process ended: %j', (exit, word) => {
    expect(exitWords(exit)).toContain(word)
  })
})
