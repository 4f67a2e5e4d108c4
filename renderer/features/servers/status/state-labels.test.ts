import { describe, expect, it } from 'vitest'
import { formatWhen } from '#app/i18n/format-dates.ts'
import type { ServerState } from '#app/server/server-state.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import {
  countsTime,
  groupServers,
  headlineLabel,
  roughDuration,
  serverToolsLabel,
  startingLabel,
  stateWord,
  totalTokens,
} from './state-labels.ts'

const now = 1_000_000
const error = { code: 'server.exited', message: 'it ended' } as const
const session = { era: 'legacy', protocolVersion: '2025-06-18', foundBy: 'initialize' } as const
const states = {
  failed: { kind: 'failed', at: now, error, attempt: 1 },
  retrying: { kind: 'failed', at: now, error, attempt: 1, retryAt: now + 4000 },
  offline: { kind: 'failed', at: now, error: { code: 'server.unreachable', message: '' }, attempt: 1, offline: true },
  signIn: { kind: 'failed', at: now, error: { code: 'server.sign-in-needed', message: '' }, attempt: 1 },
  waiting: { kind: 'waiting', requestId: 'r' },
  starting: { kind: 'starting', since: now - 3000, attempt: 1, step: 'negotiating' },
  signingIn: { kind: 'starting', since: now - 3000, attempt: 1, step: 'signing-in' },
  ready: { kind: 'ready', since: now - 6.2 * 3_600_000, session },
  stopping: { kind: 'stopping', since: now, next: 'stopped' },
  stopped: { kind: 'stopped', reason: 'never-started' },
  disabled: { kind: 'disabled' },
  refused: { kind: 'refused', at: now },
} satisfies Record<string, ServerState>

const server = (name: string, state: ServerState, extra: Partial<ServerSummary> = {}): ServerSummary => ({
  name,
  inputs: [],
  plainSecrets: [],
  state,
  definition: { transport: 'stdio', command: 'npx', args: [], env: {}, enabled: true, start: 'needed', trusted: false },
  counts: { tools: 3, enabledTools: 3, resources: 0, prompts: 0 },
  tokens: 100,
  warnings: [],
  catalogueRevision: 1,
  ...extra,
})

describe('a server in the list', () => {
  it('stands with those that need the person, run, or do not', () => {
    const all = Object.entries(states).map(([name, state]) => server(name, state))
    expect(groupServers(all).map(({ group, servers }) => [group, servers.map((one) => one.name)])).toEqual([
      ['needs', ['failed', 'retrying', 'signIn', 'signingIn', 'waiting']],
      ['running', ['ready', 'starting', 'stopping']],
      ['idle', ['disabled', 'offline', 'refused', 'stopped']],
    ])
    expect(groupServers([server('a', states.ready)]).map(({ group }) => group)).toEqual(['running'])
  })

  it('that does not run says when it last worked', () => {
    const words = (state: ServerState, extra: Partial<ServerSummary>) => headlineLabel(server('a', state, extra), undefined, now)
    const without = words(states.failed, {})
    expect([words(states.ready, { workedAt: now }), words(states.starting, { workedAt: now })]).toEqual([
      words(states.ready, {}),
      words(states.starting, {}),
    ])
    expect(words(states.failed, { workedAt: now })).toBe(`${without} · last worked ${formatWhen(now, now)}`)
  })

  it('has a dot and a word in every state', () => {
    const dots = Object.fromEntries(Object.entries(states).map(([name, state]) => [name, stateWord(server(name, state), now)]))
    expect(Object.fromEntries(Object.entries(dots).map(([name, { dot, word }]) => [name, `${dot} ${word}`]))).toEqual({
      failed: 'bad failed',
      retrying: 'bad again in 4 s',
      offline: 'warn offline',
      signIn: 'warn Sign in',
      waiting: 'you waits for you',
      starting: 'ring starting, 3 s',
      signingIn: 'you waits for you',
      ready: 'ok ready, 6 h',
      stopping: 'ring stopping',
      stopped: 'off stopped',
      disabled: 'off off',
      refused: 'off not allowed',
    })
  })

  it('says after two seconds why a package runner takes long', () => {
    const starting = server('a', states.starting)
    expect(startingLabel(starting, now)).not.toBe(startingLabel(starting, now - 2000))
  })

  it('says how long its package is being fetched', () => {
    const fetching = server('a', { ...states.starting, step: 'fetching' })
    expect([startingLabel(fetching, now), startingLabel(fetching, now + 60_000)]).toEqual([
      'Fetching its package · 3 s',
      'Fetching its package · 1 min',
    ])
  })

  it('says that it waits for the browser, and for how long, whatever its state', () => {
    const signIn = { kind: 'waiting', issuer: 'https://auth.example', url: 'https://auth.example/a', since: now - 12_000 } as const
    for (const state of [states.signingIn, states.ready]) {
      const one = server('a', state, { signIn })
      expect([stateWord(one, now), countsTime(one), groupServers([one])[0]?.group]).toEqual([
        { dot: 'you', word: 'Waits for the browser, 12 s' },
        true,
        'needs',
      ])
    }
    const waits = startingLabel(server('a', states.signingIn, { signIn }), now)
    expect([waits.includes('12 s'), waits === startingLabel(server('a', states.signingIn), now)]).toEqual([true, false])
  })

  it('counts tools, and those that are on where that differs', () => {
    const counts = (tools: number, enabledTools: number) =>
      serverToolsLabel(server('a', states.ready, { counts: { tools, enabledTools, resources: 0, prompts: 0 } }))
    expect([counts(1, 1), counts(14, 14), counts(38, 9)]).toEqual(['1 tool', '14 tools', '38 tools, 9 on'])
  })

  it('costs nothing while it is off', () => {
    const off = server('b', states.disabled)
    expect(totalTokens([server('a', states.ready), { ...off, definition: { ...off.definition, enabled: false } }])).toBe(100)
  })

  it.each([
    [0, '0 s'],
    [59_999, '59 s'],
    [41 * 60_000, '41 min'],
    [6.9 * 3_600_000, '6 h'],
    [86_400_000, '1 day'],
    [-5, '0 s'],
  ])('shows %d ms roughly as %s', (ms, words) => {
    expect(roughDuration(ms)).toBe(words)
  })
})
