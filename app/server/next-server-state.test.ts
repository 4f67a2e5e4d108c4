import { describe, expect, it } from 'vitest'
import type { ErrorValue } from '../errors.ts'
import type { Diagnosis } from './doctor.ts'
import { crashWindowMs, nextServerState, type ServerEvent } from './next-server-state.ts'
import { type ServerState, serverState } from './server-state.ts'

const session = { era: 'legacy', protocolVersion: '2025-11-25', foundBy: 'initialize' } as const
const died: ErrorValue = { code: 'server.exited', message: 'gone' }
const missing: ErrorValue = { code: 'server.command-not-found', message: 'no such program' }

const doubt: Diagnosis = { code: 'not-mcp', short: 's', message: 'm', why: '', remedy: 'r', actions: [], tone: 'warn' }

const states = {
  disabled: { kind: 'disabled' },
  stopped: { kind: 'stopped', reason: 'never-started' },
  waiting: { kind: 'waiting', requestId: 'q1' },
  starting: { kind: 'starting', since: 100, attempt: 1, step: 'launching', starts: [100] },
  ready: { kind: 'ready', since: 200, session, pid: 7, attempt: 1, starts: [100] },
  stopping: { kind: 'stopping', since: 300, next: 'stopped', reason: 'user' },
  failed: { kind: 'failed', at: 400, error: died, attempt: 1, retryAt: 1400, starts: [100] },
  refused: { kind: 'refused', at: 500 },
} satisfies Record<ServerState['kind'], ServerState>

const events = {
  enable: { kind: 'enable' },
  start: { kind: 'start', at: 1000, by: 'person' },
  need: { kind: 'start', at: 1000, by: 'need' },
  asked: { kind: 'asked', requestId: 'q2' },
  launched: { kind: 'launched', at: 1000 },
  refused: { kind: 'refused', at: 1000 },
  step: { kind: 'step', step: 'listing' },
  doubted: { kind: 'doubted', diagnosis: doubt },
  ready: { kind: 'ready', at: 1000, session, pid: 9 },
  died: { kind: 'failed', at: 1000, error: died, exit: { code: 1, signal: null } },
  missing: { kind: 'failed', at: 1000, error: missing },
  stop: { kind: 'stop', at: 1000, reason: 'user' },
  disable: { kind: 'stop', at: 1000, reason: 'disabled' },
  restart: { kind: 'restart', at: 1000 },
  gone: { kind: 'gone', at: 1000 },
  replaced: { kind: 'replaced' },
} satisfies Record<string, ServerEvent>

const fresh: ServerState = { kind: 'starting', since: 1000, attempt: 1, step: 'launching', starts: [1000] }
const stoppingTo = (next: 'stopped' | 'starting' | 'disabled', since = 1000): ServerState =>
  next === 'stopped' ? { kind: 'stopping', since, next, reason: 'user' } : { kind: 'stopping', since, next }
const failedWith = (error: ErrorValue, more: Partial<Extract<ServerState, { kind: 'failed' }>>): ServerState => ({
  kind: 'failed',
  at: 1000,
  error,
  attempt: 1,
  starts: [100],
  ...more,
})
const exit = { code: 1, signal: null }

/** What changes; every pair that is not here must leave the state as it is. */
const table: { [S in ServerState['kind']]: Partial<Record<keyof typeof events, ServerState>> } = {
  disabled: { enable: states.stopped },
  stopped: { start: fresh, need: fresh, restart: fresh, stop: { kind: 'stopped', reason: 'user' }, disable: states.disabled },
  waiting: {
    asked: { kind: 'waiting', requestId: 'q2' },
    launched: fresh,
    refused: { kind: 'refused', at: 1000 },
    died: failedWith(died, { exit, starts: [], retryAt: 2000 }),
    missing: failedWith(missing, { starts: [] }),
    stop: stoppingTo('stopped'),
    disable: stoppingTo('disabled'),
    restart: stoppingTo('starting'),
  },
  starting: {
    asked: { kind: 'waiting', requestId: 'q2' },
    refused: { kind: 'refused', at: 1000 },
    step: { ...states.starting, step: 'listing' },
    doubted: { ...states.starting, diagnosis: doubt },
    ready: { kind: 'ready', since: 1000, session, pid: 9, attempt: 1, starts: [100] },
    died: failedWith(died, { exit, retryAt: 2000 }),
    missing: failedWith(missing, {}),
    stop: stoppingTo('stopped'),
    disable: stoppingTo('disabled'),
    restart: stoppingTo('starting'),
  },
  ready: {
    died: failedWith(died, { exit, retryAt: 2000 }),
    missing: failedWith(missing, {}),
    stop: stoppingTo('stopped'),
    disable: stoppingTo('disabled'),
    restart: stoppingTo('starting'),
  },
  stopping: {
    start: stoppingTo('starting', 300),
    need: stoppingTo('starting', 300),
    restart: stoppingTo('starting', 300),
    stop: stoppingTo('stopped', 300),
    disable: stoppingTo('disabled', 300),
    gone: { kind: 'stopped', reason: 'user' },
  },
  failed: {
    start: fresh,
    need: { kind: 'starting', since: 1000, attempt: 2, step: 'launching', starts: [100, 1000] },
    restart: fresh,
    stop: { kind: 'stopped', reason: 'user' },
    disable: states.disabled,
    replaced: states.stopped,
  },
  refused: {
    start: fresh,
    restart: fresh,
    stop: { kind: 'stopped', reason: 'user' },
    disable: states.disabled,
    replaced: states.stopped,
  },
}

describe('nextServerState', () => {
  for (const [from, state] of Object.entries(states) as [ServerState['kind'], ServerState][])
    for (const [name, event] of Object.entries(events) as [keyof typeof events, ServerEvent][]) {
      const wanted = table[from][name]
      it(`${from} + ${name} ${wanted ? `becomes ${wanted.kind}` : 'stays as it is'}`, () => {
        const next = nextServerState(state, event)
        expect(next).toEqual(wanted ?? state)
        if (!wanted) expect(next).toBe(state)
        expect(serverState.safeParse(next).success).toBe(true)
      })
    }

  it('leaves a server stopped that the person stopped, whatever takes its place', () => {
    const byPerson: ServerState = { kind: 'stopped', reason: 'user' }
    expect(nextServerState(byPerson, events.replaced)).toBe(byPerson)
  })

  it('forgets a doubt about a server that has come to its lists, and keeps it until then', () => {
    const doubted = nextServerState(states.starting, events.doubted)
    expect(nextServerState(doubted, { kind: 'step', step: 'negotiating' })).toMatchObject({ step: 'negotiating', diagnosis: doubt })
    expect(nextServerState(doubted, events.step)).toEqual({ ...states.starting, step: 'listing' })
  })

  it('goes where stopping was to lead', () => {
    expect(nextServerState(stoppingTo('starting'), events.gone)).toEqual(fresh)
    expect(nextServerState(stoppingTo('disabled'), events.gone)).toEqual(states.disabled)
  })

  /** Runs a server that dies `upFor` milliseconds after each start; returns the delays until it waits for the person. */
  function delaysOf(first: ServerState, at: number, becomesReady: boolean): number[] {
    const delays: number[] = []
    let state = nextServerState(first, { kind: 'failed', at, error: died })
    let now = at
    while (state.kind === 'failed' && state.retryAt !== undefined) {
      delays.push(state.retryAt - now)
      now = state.retryAt
      state = nextServerState(state, { kind: 'start', at: now, by: 'retry' })
      if (becomesReady) state = nextServerState(state, { kind: 'ready', at: now, session })
      state = nextServerState(state, { kind: 'failed', at: now, error: died })
    }
    return delays
  }

  it('stops after three starts in five minutes, whether they failed at once or died when ready', () => {
    expect(delaysOf(states.starting, 100, false)).toEqual([1000, 2000])
    expect(delaysOf(states.ready, 300, true)).toEqual([1000, 2000])
  })

  it('gives a server that ran for long all three delays', () => {
    expect(delaysOf(states.ready, 100 + crashWindowMs, false)).toEqual([1000, 2000, 4000])
  })

  it('keeps one that died three times for the person alone, who starts it anew', () => {
    const ready: ServerState = { kind: 'ready', since: 900, session, attempt: 3, starts: [1, 2, 3] }
    const waits = nextServerState(ready, events.died)
    expect(waits).toMatchObject({ kind: 'failed', loop: true })
    expect(serverState.safeParse(waits).success).toBe(true)
    for (const by of ['need', 'launch', 'retry'] as const)
      for (const at of [1000, 1000 + 2 * crashWindowMs]) expect(nextServerState(waits, { kind: 'start', at, by })).toBe(waits)
    expect(nextServerState(waits, events.start)).toEqual(fresh)
    expect(nextServerState(waits, events.restart)).toEqual(fresh)
    expect(nextServerState(waits, events.replaced)).toEqual(states.stopped)
  })

  describe('of one that runs elsewhere', () => {
    const error: ErrorValue = { code: 'server.unreachable', message: 'gone' }
    const ready: ServerState = { kind: 'ready', since: 900, session, attempt: 1, starts: [1, 2, 3] }
    const fail = (from: ServerState, network: 'up' | 'down' | 'unsure', at = 1000) =>
      nextServerState(from, { kind: 'failed', at, error, remote: { network, random: 0.5 } })

    it('delays grow until it rests; that is no crash loop, and a need connects', () => {
      const delays: number[] = []
      let state = fail(ready, 'up')
      for (let now = 1000; state.kind === 'failed' && state.retryAt !== undefined; ) {
        expect(state).not.toHaveProperty('loop')
        delays.push(state.retryAt - now)
        now = state.retryAt
        state = fail(nextServerState(state, { kind: 'start', at: now, by: 'retry' }), 'up', now)
      }
      expect(delays).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000])
      expect(state).not.toHaveProperty('loop')
      expect(state).not.toHaveProperty('offline')
      expect(nextServerState(state, { kind: 'start', at: 10_000_000, by: 'need' }).kind).toBe('starting')
    })

    it('nothing is tried without a network, and what comes then counts anew', () => {
      const waits = fail({ ...ready, attempt: 3 }, 'down')
      expect(waits).toMatchObject({ kind: 'failed', offline: true, attempt: 3 })
      expect(waits).not.toHaveProperty('retryAt')
      expect(serverState.safeParse(waits).success).toBe(true)
      expect(nextServerState(waits, { kind: 'start', at: 9000, by: 'retry' })).toMatchObject({ kind: 'starting', attempt: 1 })
    })

    it('it is tried again all the same when it is not sure that there is no network', () => {
      expect(fail(ready, 'unsure')).toMatchObject({ offline: true, retryAt: 1750 })
    })

    it('what the person must mend has nothing to do with the network', () => {
      const refused = { code: 'server.sign-in-needed', message: 'who are you' } as const
      const failed = nextServerState(ready, { kind: 'failed', at: 1000, error: refused, remote: { network: 'down', random: 0 } })
      expect([failed.kind, 'retryAt' in failed, 'offline' in failed]).toEqual(['failed', false, false])
    })
  })

  it('lets a need try again what another start may find mended', () => {
    const failed = nextServerState(states.starting, events.missing)
    expect(failed).not.toHaveProperty('loop')
    expect(nextServerState(failed, events.need)).toMatchObject({ kind: 'starting', attempt: 2 })
  })

  it('retries a 503 but not a 404', () => {
    const status = (code: number): ServerState =>
      nextServerState(states.starting, {
        kind: 'failed',
        at: 1000,
        error: { code: 'server.http-status', message: '', data: { status: code } },
      })
    expect(status(503)).toHaveProperty('retryAt', 2000)
    expect(status(404)).not.toHaveProperty('retryAt')
  })

  it.each([
    [0, 2000],
    [5000, 6000],
    [3_600_000, 61_000],
  ])('comes again to a server that wants to be left alone for %d ms', (retryAfterMs, retryAt) => {
    const error = { code: 'server.http-status', message: '', data: { status: 429, retryAfterMs } } as const
    expect(nextServerState(states.starting, { kind: 'failed', at: 1000, error })).toHaveProperty('retryAt', retryAt)
  })

  it.each([{ status: 404 }, { revision: '2026-07-28' }])(
    'does not count the start of one that worked and then lost its session: %j',
    (data) => {
      const ready: ServerState = { kind: 'ready', since: 900, session, attempt: 1, starts: [700, 800, 900] }
      const lost = nextServerState(ready, { kind: 'failed', at: 1000, error: { code: 'server.connection-lost', message: '', data } })
      expect(lost).toMatchObject({ kind: 'failed', starts: [700, 800], retryAt: expect.any(Number) })
      expect(nextServerState(ready, events.died)).not.toHaveProperty('retryAt')
    },
  )
})
