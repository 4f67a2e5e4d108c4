import { describe, expect, it } from 'vitest'
import { nextShutdown, type Shutdown, type ShutdownEvent, type ShutdownStep } from './termination.ts'

const running: Shutdown = { kind: 'running' }
const inputEnded: Shutdown = { kind: 'input-ended' }
const terminating = (leader: 'alive' | 'gone'): Shutdown => ({ kind: 'terminating', leader })
const killing = (leader: 'alive' | 'gone'): Shutdown => ({ kind: 'killing', leader })
const gone: Shutdown = { kind: 'gone' }

const close: ShutdownEvent = { kind: 'close' }
const force: ShutdownEvent = { kind: 'force' }
const timeout: ShutdownEvent = { kind: 'timeout' }
const empty: ShutdownEvent = { kind: 'group-empty' }
const exited = (left: boolean): ShutdownEvent => ({ kind: 'exited', left })

const terminate = (leader: 'alive' | 'gone'): ShutdownStep => ({ state: terminating(leader), effect: 'terminate', wait: 'terminate' })
const kill = (leader: 'alive' | 'gone'): ShutdownStep => ({ state: killing(leader), effect: 'kill', wait: 'kill' })

const table: [Shutdown, ShutdownEvent, ShutdownStep][] = [
  [running, close, { state: inputEnded, effect: 'end-input', wait: 'stdin' }],
  [running, force, kill('alive')],
  [running, timeout, { state: running }],
  [running, exited(false), { state: gone }],
  [running, exited(true), terminate('gone')],
  [running, empty, { state: running }],

  [inputEnded, close, { state: inputEnded }],
  [inputEnded, force, kill('alive')],
  [inputEnded, timeout, terminate('alive')],
  [inputEnded, exited(false), { state: gone }],
  [inputEnded, exited(true), terminate('gone')],

  [terminating('alive'), close, { state: terminating('alive') }],
  [terminating('alive'), force, kill('alive')],
  [terminating('alive'), timeout, kill('alive')],
  [terminating('alive'), exited(false), { state: gone }],
  [terminating('alive'), exited(true), { state: terminating('gone') }],
  [terminating('alive'), empty, { state: terminating('alive') }],
  [terminating('gone'), timeout, kill('gone')],
  [terminating('gone'), empty, { state: gone }],

  [killing('alive'), force, { state: killing('alive') }],
  [killing('alive'), timeout, { state: gone }],
  [killing('alive'), exited(false), { state: gone }],
  [killing('alive'), exited(true), { state: killing('gone') }],
  [killing('gone'), empty, { state: gone }],
  [killing('gone'), timeout, { state: gone }],

  [gone, close, { state: gone }],
  [gone, force, { state: gone }],
  [gone, timeout, { state: gone }],
]

describe('nextShutdown', () => {
  it.each(table)('%j on %j', (state, event, step) => {
    expect(nextShutdown(state, event, true)).toEqual(step)
  })

  it('leaves SIGTERM out where there is none', () => {
    expect(nextShutdown(inputEnded, timeout, false)).toEqual(kill('alive'))
    expect(nextShutdown(running, exited(true), false)).toEqual(kill('gone'))
  })

  it('is over after three timeouts, whatever else is asked', () => {
    let step = nextShutdown(running, close, true)
    for (let n = 0; n < 3; n++) step = nextShutdown(nextShutdown(step.state, close, true).state, timeout, true)
    expect(step.state).toEqual(gone)
  })
})
