// The shell in a process of its own, over the fake: what happens to a failure that nobody caught, and to a log whose
// terminal is gone. Recorded: a broken stderr is an exception nobody caught, a box for each line of the log
// (microsoft/vscode pull request 186717, Emanuele-web04/synara issue 287, vladimiry/ElectronMail issue 730).
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let child: ChildProcessWithoutNullStreams
let lines: Interface
let ended: Promise<unknown[]>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-failures-'))
  mkdirSync(join(folder, 'dist', 'renderer'), { recursive: true })
  writeFileSync(join(folder, 'dist', 'renderer', 'index.html'), '<!doctype html>')
  const program = resolve(import.meta.dirname, '../../../e2e/electron-fake/start.ts')
  child = spawn(process.execPath, [program, join(folder, 'profile'), join(folder, 'dist')])
  ended = once(child, 'exit')
  child.stdin.on('error', () => undefined) // it ended: `ended` says how
  lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
})
afterEach(async () => {
  child.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

const log = (): string => readFileSync(join(folder, 'profile', 'logs', 'assent.log'), 'utf8')
/** Undefined: it ended before it answered. */
async function ask(line: string): Promise<string | undefined> {
  const answer = Promise.race([once(lines, 'line').then(([text]) => String(text)), ended.then(() => undefined)])
  child.stdin.write(`${line}\n`)
  return answer
}

test('a log whose terminal is closed goes on in its file, and the app with it', async () => {
  child.stderr.destroy()
  const answers = [await ask('reject'), await ask('reject'), await ask('still there')]
  expect([answers, log().match(/rejected in vain/g)?.length]).toEqual([['reject', 'reject', 'still there'], 2])
})

test('what nobody caught ends the app with everything in it, and is in the log with where it came from', async () => {
  child.stderr.resume()
  child.stdin.write('throw\n')
  expect(await ended).toEqual([1, null])
  expect(log()).toMatch(/nobody caught: Error: thrown in vain < at .*start\.ts/)
})
