import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '#main/base/eventually.testing.ts'
import { isProcessRunning, launchProgram, pidsIn, program } from '../transport/stdio/stdio.testing.ts'
import { newTag } from './server-process.ts'
import { createWatchdog } from './watchdog.ts'

/** What `parent` has started and still runs, this look itself aside. */
function children(parent: number | undefined): number[] {
  const ps = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
  const rows = ps.stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows.flatMap(([pid, ppid, state]) =>
    Number(ppid) === parent && Number(pid) !== ps.pid && !state?.startsWith('Z') ? [Number(pid)] : [],
  )
}

/** Waits until none of them runs: the guard gives them 2 s between its signals. */
const expectGone = (pids: readonly number[]): Promise<void> => eventually(() => expect(pids.filter(isProcessRunning)).toEqual([]))

const hosts: ChildProcess[] = []
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill('SIGKILL')
})

/** A host of its own with three servers, each a shell, the server behind it, and a child of that, all of them stubborn. */
async function startHost(): Promise<{ readonly host: ChildProcess; readonly pids: number[] }> {
  const host = spawn(process.execPath, [program('host.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  hosts.push(host)
  const lines: string[] = []
  createInterface({ input: host.stdout }).on('line', (line) => lines.push(line))
  await eventually(() => expect(pidsIn(lines)).toHaveLength(6))
  // Its own children are the three shells and the watcher.
  const direct = children(host.pid)
  expect(direct).toHaveLength(4)
  return { host, pids: [...pidsIn(lines), ...direct] }
}

describe.skipIf(process.platform === 'win32')('the process guard', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGHUP'] as const)('leaves nothing behind when the host dies of %s', async (signal) => {
    const { host, pids } = await startHost()
    expect(pids.filter(isProcessRunning)).toEqual(pids)
    host.kill(signal)
    await expectGone(pids)
  })

  it('is there before anything is watched once it is told to be ready, and one alone', async () => {
    const before = new Set(children(process.pid))
    const mine = (): number[] => children(process.pid).filter((pid) => !before.has(pid))
    const guard = createWatchdog()
    guard.ready()
    const [pid] = mine()
    guard.expect(newTag()).ended()
    expect(mine()).toEqual([pid])
    await guard.dispose()
    expect(mine()).toEqual([])
  })

  it.runIf(process.platform === 'linux')('finds what has left its group', async () => {
    const guard = createWatchdog()
    const server = launchProgram('strays.mjs', ['stubborn'], { env: { PATH: '/usr/bin:/bin' }, watches: [guard] })
    await eventually(() => expect(pidsIn(server.output.map(({ line }) => line))).toHaveLength(2))
    const pids = pidsIn(server.output.map(({ line }) => line))
    await guard.dispose()
    expect(pids.filter(isProcessRunning)).toEqual([])
  })

  it('outlives the signals that a terminal sends to everything in it', async () => {
    const { host, pids } = await startHost()
    const isWatcher = (pid: number): boolean =>
      spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes('read -r')
    const watchers = children(host.pid).filter(isWatcher)
    expect(watchers).toHaveLength(1)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(watchers[0] ?? 0, signal)
    host.kill('SIGKILL')
    await expectGone(pids)
  })

  it('knows no more of a server that has ended, and ends itself when disposed of, twice as well as once', async () => {
    const before = children(process.pid)
    const guard = createWatchdog()
    const kept = launchProgram('lingers.mjs', ['stubborn'], { watches: [guard] })
    // It is stubborn only once it runs.
    await eventually(() => expect(kept.output).toHaveLength(1))
    const ended = launchProgram('exits.mjs', ['0'], { watches: [guard] })
    await ended.exited
    expect(children(process.pid).filter((pid) => !before.includes(pid) && pid !== kept.pid)).toHaveLength(1)
    await Promise.all([guard.dispose(), guard.dispose()])
    expect(await kept.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(children(process.pid)).toEqual(before)
  })

  it('does not signal a group that is watched no longer', async () => {
    const guard = createWatchdog()
    const server = launchProgram('lingers.mjs')
    await eventually(() => expect(server.output).toHaveLength(1))
    const [watched, other] = [guard.expect(newTag()), guard.expect(newTag())]
    watched.started(server.pid ?? 0)
    other.started(999_999)
    watched.ended()
    watched.ended()
    other.ended()
    await guard.dispose()
    expect(isProcessRunning(server.pid ?? 0)).toBe(true)
  })

  it('starts its watcher again when somebody kills that', async () => {
    const before = children(process.pid)
    const guard = createWatchdog()
    const server = launchProgram('lingers.mjs', ['stubborn'], { watches: [guard] })
    await eventually(() => expect(server.output).toHaveLength(1))
    const watchers = (): number[] => children(process.pid).filter((pid) => !before.includes(pid) && pid !== server.pid)
    const [first = 0] = watchers()
    process.kill(first, 'SIGKILL')
    await eventually(() => expect(watchers().filter((pid) => pid !== first)).toHaveLength(1))
    await guard.dispose()
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })
})
