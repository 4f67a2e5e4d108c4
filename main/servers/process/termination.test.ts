import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Clock } from '#main/base/clock.ts'
import { createTermination, windowsTree } from './termination.ts'

/** A group of which `left` processes are left, and the log of what was done to it, with the time. */
function makeTermination() {
  let now = 0
  let timers: { readonly at: number; readonly callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  }
  const log: string[] = []
  const note = (what: string) => () => void log.push(`${now} ${what}`)
  const group = { left: true, signals: true, terminate: note('SIGTERM'), kill: note('SIGKILL'), alive: () => group.left }
  const grace = { stdin: 2000, terminate: 2000, kill: 1000 }
  const termination = createTermination({ group, clock, grace, endInput: note('stdin ended') })
  void termination.gone.then((how) => log.push(`${now} ${how}`))
  const runUntil = async (time: number): Promise<void> => {
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)
      if (!next) break
      timers = timers.filter((other) => other !== next)
      now = next.at
      next.callback()
    }
    await Promise.resolve()
    now = time
  }
  return { termination, group, log, runUntil, timers: () => timers.length }
}

it('gives a server its time at each step, and gives up on what will not end even then', async () => {
  const { termination, log, runUntil, timers } = makeTermination()
  termination.stop()
  await runUntil(10_000)
  expect(log).toEqual(['0 stdin ended', '2000 SIGTERM', '4000 SIGKILL', '5000 given-up'])
  expect(timers()).toBe(0)
})

it('ends what a server that has ended by itself left behind, within the same time', async () => {
  const { termination, group, log, runUntil, timers } = makeTermination()
  termination.exited()
  await runUntil(2500)
  expect(log).toEqual(['0 SIGTERM', '2000 SIGKILL'])
  group.left = false
  await runUntil(2700)
  expect(log.at(-1)).toMatch(/gone$/)
  expect(timers()).toBe(0)
})

it('signals nobody once nothing is left', async () => {
  const { termination, group, log, runUntil, timers } = makeTermination()
  group.left = false
  termination.exited()
  termination.stop()
  termination.stop()
  termination.close()
  await runUntil(10_000)
  expect(log).toEqual(['0 gone'])
  expect(timers()).toBe(0)
})

// Exit codes of taskkill: 0, 128 (“The process "4242" not found.”), 255 (“There is no running instance of the task.”), 1 (“Access is denied.”).
it.each<[string, (taskkill: EventEmitter) => void, number[]]>([
  ['ended the tree', (taskkill) => taskkill.emit('exit', 0), []],
  ['found no process', (taskkill) => taskkill.emit('exit', 128), []],
  ['was refused', (taskkill) => taskkill.emit('exit', 1), [4242]],
  ['could not end one of the tree', (taskkill) => taskkill.emit('exit', 255), [4242]],
  ['was ended itself', (taskkill) => taskkill.emit('exit', null), [4242]],
  ['does not start', (taskkill) => taskkill.emit('error', new Error('ENOENT')), [4242]],
])('a taskkill that %s leaves to the host what it did not do', (_, ends, killed) => {
  const taskkill = new EventEmitter()
  const [asked, sent]: [unknown[], number[]] = [[], []]
  const run = (args: readonly string[]) => {
    asked.push(args)
    return taskkill as never
  }
  windowsTree(4242, run, (pid) => sent.push(pid)).kill()
  ends(taskkill)
  expect([asked, sent]).toEqual([[['/PID', '4242', '/T', '/F']], killed])
})
