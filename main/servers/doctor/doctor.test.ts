import { describe, expect, it } from 'vitest'
import { type HostErrorCode, hostErrorCodes } from '#app/errors.ts'
import { diagnosis, diagnosisCodes } from '#app/server/doctor.ts'
import type { DiagnosisCase } from './diagnosis-input.ts'
import { diagnosisTable } from './diagnosis-table.testing.ts'
import { attempt, blank, blocked, linuxFacts, made } from './doctor.testing.ts'
import { diagnose } from './doctor.ts'
import { systemTable } from './system-table.testing.ts'
import { wordsTable } from './words-table.testing.ts'

const table = [...diagnosisTable, ...systemTable, ...wordsTable]

const said = (one: DiagnosisCase): string => {
  const { short, message, why, remedy, actions } = diagnose(one)
  return [short, message, why, remedy, ...actions.map((action) => (action.kind === 'copy' ? action.text : ''))].join(' ')
}

describe('a diagnosis', () => {
  it.each(table)('of %s', (_what, one, code, words) => {
    expect(diagnose(one).code).toBe(code)
    for (const word of words) expect(said(one)).toContain(word)
  })

  it.each(table)('of %s says what happened and what to do, with something to press', (_what, one) => {
    const found = diagnose(one)
    expect(diagnosis.parse(found)).toEqual(found)
    expect([found.message !== '', found.remedy !== '', found.actions.length > 0]).toEqual([true, true, true])
    expect(new Set(found.actions.map(({ label }) => label)).size).toBe(found.actions.length)
  })

  it('has a row for each code that there is', () => {
    const rows = new Set(table.map(([, , code]) => code))
    expect(diagnosisCodes.filter((code) => !rows.has(code))).toEqual([])
  })

  it('says something of every error, whatever its data', () => {
    const odd = { command: 7, ids: 'x', supported: {}, status: 'x', timeoutMs: 'soon', stderr: { a: 1 }, origin: ':', there: [] } as never
    for (const code of hostErrorCodes) expect(diagnose(made(code, odd)).message).not.toBe('')
  })

  // What real servers said, and what the proxy of their sandbox saw: mcp-server-mysql, @modelcontextprotocol/server-redis, @sveltejs/mcp,
  // @stripe/mcp, @supabase/mcp-server-supabase.
  const host = (target: string, port: number, refused: 'not-found' | 'unreachable') => ({
    ...attempt,
    kind: 'host' as const,
    target,
    port,
    refused,
  })
  const failed = (code: HostErrorCode, stderr: string[], data = {}): DiagnosisCase =>
    made(code, data, { trace: { ...blank, exit: code === 'server.exited' ? { code: 1, signal: null } : null, stderr } })
  it.each([
    ['nothing', failed('server.exited', []), host('127.0.0.1', 3306, 'unreachable'), 'service-not-running', '127.0.0.1:3306'],
    [
      'its retries',
      failed('server.exited', ['[Redis Fatal] Stack: Error: Max retries reached']),
      host('localhost', 6379, 'unreachable'),
      'service-not-running',
      'localhost:6379',
    ],
    [
      'a fetch',
      failed('server.exited', ['[TypeError: fetch failed] {', '  (DOMException [Error]: Request was cancelled.)']),
      host('svelte.dev', 443, 'not-found'),
      'host-unknown',
      'svelte.dev',
    ],
    [
      'a cancelled request',
      failed('server.start-timeout', ['Error forwarding message to server: [TypeError: fetch failed] {']),
      host('mcp.stripe.com', 443, 'not-found'),
      'host-unknown',
      'mcp.stripe.com',
    ],
    [
      'it on the wire',
      failed('server.list-failed', [], { reason: 'fetch failed', code: -32603 }),
      host('supabase.com', 443, 'not-found'),
      'host-unknown',
      'supabase.com',
    ],
    [
      'that a key is wrong',
      failed('server.exited', ['Error: the API key is invalid']),
      host('telemetry.example', 443, 'not-found'),
      'crashed-at-once',
      'API key',
    ],
  ])('names the host that did not answer a server which says %s', (_what, one, seen, code, words) => {
    const found = diagnose(blocked(one, [seen]))
    expect([found.code, found.why]).toEqual([code, expect.stringContaining(words)])
  })

  it('says that the sandbox hides what a shell did not find, and nothing of a host that was refused beside it', () => {
    const path = '/home/u/src/server/.venv/bin/python'
    const one = failed('server.exited', [`/home/u/bin/run.sh: 2: exec: ${path}: not found`])
    const read = { ...attempt, kind: 'read' as const, target: path, port: undefined, refused: 'not-granted' as const }
    const reach = { ...attempt, kind: 'host' as const, target: 'a.example', port: 443, refused: 'not-granted' as const }
    expect([[read], [reach], []].map((seen) => diagnose(blocked(one, seen)).code)).toEqual([
      'blocked-by-sandbox',
      'command-not-found',
      'command-not-found',
    ])
  })

  it('does not advise to leave the sandbox, whatever a server writes', () => {
    for (const line of ['bwrap: setting up uid map: Permission denied', 'sandbox-exec: sandbox_apply: Operation not permitted'])
      expect(diagnose(failed('server.exited', [line])).remedy).toBe('Try again.')
  })

  it('offers the install command of the person’s own system', () => {
    const on = (platform: NodeJS.Platform) =>
      diagnose(made('server.command-not-found', { command: 'uvx' }, { facts: { ...linuxFacts, platform } })).actions.flatMap((action) =>
        action.kind === 'copy' ? [action.text] : [],
      )
    expect([on('darwin'), on('win32'), on('linux')]).toEqual([
      ['brew install uv'],
      ['winget install --id=astral-sh.uv -e'],
      ['pipx install uv'],
    ])
  })

  it('offers chmod for a file that may not be executed, in quotation marks where a shell needs them, and never on Windows', () => {
    const copied = (file: string, platform: NodeJS.Platform = 'linux') =>
      diagnose(
        made('server.command-not-found', { command: 'x', there: 'file', file }, { facts: { ...linuxFacts, platform } }),
      ).actions.flatMap((action) => (action.kind === 'copy' ? [action.text] : []))
    expect([copied('/bin/x-1'), copied("/a b/it's"), copied('/a\nb'), copied('C:\\x', 'win32')]).toEqual([
      ['chmod +x /bin/x-1'],
      ["chmod +x '/a b/it'\\''s'"],
      [],
      [],
    ])
  })

  it('offers to have the shell read again where a change of its start-up files may be what is missing', () => {
    const offered = (one: DiagnosisCase) => diagnose(one).actions.some(({ kind }) => kind === 'environment')
    const missing = (pathSource: string) => offered(made('server.command-not-found', { command: 'uvx', pathSource }))
    expect([missing('login-shell'), missing('terminal'), missing('config')]).toEqual([true, true, false])
    expect([offered(made('config.invalid', { variable: 'TOKEN' })), offered(made('server.not-mcp'))]).toEqual([true, false])
    expect([offered(made('server.unreachable', { reason: 'proxy' })), offered(made('server.http-status', { status: 407 }))]).toEqual([
      true,
      true,
    ])
  })

  it('offers to put the right command in place, and to wait longer than it did', () => {
    const kinds = (one: DiagnosisCase) => diagnose(one).actions.filter(({ kind }) => kind === 'use-command' || kind === 'wait')
    expect(kinds(made('server.command-not-found', { command: 'pythn3', didYouMean: 'python3' }))).toEqual([
      { kind: 'use-command', label: 'Use python3', command: 'python3' },
    ])
    expect(kinds(made('server.start-timeout', { timeoutMs: 60_000 }))).toMatchObject([{ kind: 'wait', startTimeoutMs: 180_000 }])
    expect(kinds(made('server.start-timeout', { timeoutMs: 900_000 }))).toEqual([])
  })
})
