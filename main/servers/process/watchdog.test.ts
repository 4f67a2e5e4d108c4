import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { powershell } from '#main/base/powershell.ts'
import { createWatchdog, jobSource, windowsWatchdogScript, windowsWord } from './watchdog.ts'

it('has a script that can be passed on as it is, with the source of its type within', () => {
  expect(jobSource).not.toMatch(/['"$`]/)
  expect(powershell(windowsWatchdogScript, {}).args.at(-1)).toContain(jobSource)
  // Node quotes an argument by doubling what stands before a quotation mark; there is nothing to double.
  expect(windowsWatchdogScript).not.toMatch(/["\\]/)
  expect(windowsWatchdogScript.length).toBeLessThan(32_000)
})

it('is told of a process by its number and the latest time at which it can have begun', () => {
  expect(windowsWord(4321, 1_732_649_856_789)).toBe('4321@133771234568390000')
})

it('is not started again and again where it never works, and says so once', async () => {
  let starts = 0
  const missing = Promise.withResolvers<void>()
  let told = 0
  const spawnWatcher = () => {
    starts += 1
    return spawn(process.execPath, ['-e', 'process.exit(1)'], { stdio: ['pipe', 'ignore', 'ignore'] })
  }
  const onMissing = (): void => {
    told += 1
    missing.resolve()
  }
  const watchdog = createWatchdog({ platform: 'win32', onMissing, spawnWatcher })
  watchdog.expect('a').started(4321)
  await missing.promise
  watchdog.expect('b').started(4322)
  await watchdog.dispose()
  expect([starts, told]).toEqual([1, 1])
})

it.each([
  ['is ended at once on Windows when nothing is watched any more, as PowerShell may still compile', true, 'killed'],
  ['is told of the end of the host while it watches something', false, 'stdin'],
])('%s', async (_title, ended, how) => {
  const busy = "process.stdin.on('end', () => process.exit(7)).resume()"
  const children: ReturnType<typeof spawn>[] = []
  const spawnWatcher = () => {
    const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] })
    children.push(child)
    return child
  }
  const watchdog = createWatchdog({ platform: 'win32', spawnWatcher })
  const watched = watchdog.expect('a')
  watched.started(4321)
  if (ended) watched.ended()
  await watchdog.dispose()
  expect(children.map(({ exitCode, signalCode }) => (signalCode === null ? (exitCode === 7 ? 'stdin' : exitCode) : 'killed'))).toEqual([
    how,
  ])
})
