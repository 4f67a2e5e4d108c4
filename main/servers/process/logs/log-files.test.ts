import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogLine } from '#app/server/server-state.ts'
import type { Log } from '#main/base/host-log.ts'
import { silentLog } from '#main/base/host-log.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { modeOf } from '#main/base/this-system.testing.ts'
import { createLogFiles, type LogFilesOptions, logFileName } from './log-files.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assent-logs-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const line = (seq: number, text = `line ${seq}`): LogLine => ({ seq, time: seq, source: 'stderr', text })
const startRun = (more: Partial<LogFilesOptions> = {}) => {
  const clock = manualClock(Date.now())
  return { clock, ...createLogFiles({ dataDir, clock, log: silentLog, ...more }) }
}
/** One run that hears these lines of a server, and ends. */
async function runWith(lines: readonly LogLine[], more: Partial<LogFilesOptions> = {}): Promise<void> {
  const run = startRun(more)
  const file = run.of('files')
  for (const one of lines) file.add(one)
  await run.dispose()
}
const texts = (lines: readonly LogLine[]): string[] => lines.map(({ text }) => text)
const folder = (): string => join(dataDir, 'logs')
const path = (): string => join(folder(), logFileName('files'))
const bytes = (): number => readdirSync(folder()).reduce((sum, name) => sum + statSync(join(folder(), name)).size, 0)
const range = (count: number): LogLine[] => Array.from({ length: count }, (_, index) => line(index + 1))

describe('the log of a server on disk', () => {
  it('gives the lines of earlier runs after a restart, in order and numbered below nought, and none of this run', async () => {
    await runWith([line(1), line(2, 'two\nlines \u001b[31m')])
    await runWith([line(1, 'next')])
    const run = startRun()
    const file = run.of('files')
    file.add(line(1, 'now'))
    run.clock.advance(1000)
    expect((await file.earlier()).map(({ seq, text, source }) => [seq, text, source])).toEqual([
      [-3, 'line 1', 'stderr'],
      [-2, 'two\nlines \u001b[31m', 'stderr'],
      [-1, 'next', 'stderr'],
    ])
    expect(await run.of('other').earlier()).toEqual([])
    await run.dispose()
  })

  it('is written in batches, readable by its owner alone, with nothing that a terminal would act upon', async () => {
    const run = startRun()
    const file = run.of('files')
    file.add(line(1, '\u001b[2J\u009b2J\u202e'))
    file.add(line(2))
    run.clock.advance(999)
    await file.earlier()
    expect(existsSync(path())).toBe(false)
    run.clock.advance(1)
    await file.earlier()
    expect(readFileSync(path(), 'utf8').trim().split('\n')).toHaveLength(3)
    expect(readFileSync(path(), 'utf8')).toMatch(/^[ -~\n]*$/)
    expect([run.clock.pending, modeOf(path(), 0o600), modeOf(folder(), 0o700)]).toEqual([0, 0o600, 0o700])
  })

  it('is two files at most: the full one takes the place of the older', async () => {
    const run = startRun({ maxBytes: 10_000 })
    const file = run.of('files')
    for (const one of range(2000)) {
      file.add(one)
      if (one.seq % 20 === 0) run.clock.advance(1000)
    }
    await run.dispose()
    expect(readdirSync(folder())).toHaveLength(2)
    expect(bytes()).toBeLessThanOrEqual(20_000)
    const kept = texts(await startRun().of('files').earlier())
    expect(kept.at(-1)).toBe('line 2000')
    expect(kept.length).toBeGreaterThan(100)
    expect(kept).toEqual(texts(range(2000).slice(-kept.length)))
  })

  it('takes a flood between two batches without keeping it: the last lines are written, and how many were not', async () => {
    await runWith(range(100_000), { maxWaiting: 20_000, maxBytes: 40_000 })
    expect(bytes()).toBeLessThanOrEqual(40_000)
    const kept = await startRun().of('files').earlier()
    expect(kept.at(-1)?.text).toBe('line 100000')
    expect(kept[0]).toMatchObject({ source: 'host', level: 'warning', text: `${100_000 - (kept.length - 1)} lines were left out.` })
  })

  it('keeps to what is this run when the last one was killed in the midst of a line', async () => {
    await runWith([line(1), line(2)])
    truncateSync(path(), statSync(path()).size - 5)
    await runWith([line(1, 'after')])
    const run = startRun()
    const file = run.of('files')
    file.add(line(1, 'now'))
    run.clock.advance(1000)
    expect(texts(await file.earlier())).toEqual(['line 1', 'after'])
  })

  it('goes with the server, also what still waited, and one of the same name begins anew', async () => {
    await runWith([line(1)])
    const run = startRun()
    const gone = run.of('files')
    gone.add(line(2))
    gone.discard()
    gone.add(line(3))
    const next = run.of('files')
    next.add(line(4, 'anew'))
    await run.dispose()
    expect(texts(await startRun().of('files').earlier())).toEqual(['anew'])
  })

  it('of a server that is configured no more goes after a month, and no other', async () => {
    await runWith([line(1)])
    const [old, young, kept] = ['old', 'young', 'kept'].map((name) => join(folder(), logFileName(name))) as [string, string, string]
    for (const each of [old, `${old}.1`, young, kept]) writeFileSync(each, '')
    const longAgo = Date.now() / 1000 - 40 * 24 * 3600
    for (const each of [old, `${old}.1`, kept, path()]) utimesSync(each, longAgo, longAgo)
    const run = startRun()
    run.prune(['kept', 'files'])
    await run.dispose()
    expect([old, `${old}.1`, young, kept, path()].map((each) => existsSync(each))).toEqual([false, false, true, true, true])
  })

  it('that cannot be written costs one line in the log of the host', async () => {
    writeFileSync(join(dataDir, 'logs'), 'a file')
    const said: string[] = []
    const log: Log = { ...silentLog, error: (message) => void said.push(message) }
    const run = startRun({ log })
    for (const one of range(3)) {
      run.of('files').add(one)
      run.clock.advance(1000)
    }
    await run.dispose()
    expect(said).toHaveLength(1)
  })
})

describe('the name of a log file', () => {
  const names = [
    'files',
    'Files',
    '../../etc/passwd',
    'con',
    'a/b',
    'a\\b',
    '',
    '.',
    '\u0000',
    '書庫',
    '書店',
    'x'.repeat(5000),
    'a:b',
    'a b',
    'a-b',
  ]

  it('is safe whatever the server is called, and its own', () => {
    const files = names.map(logFileName)
    for (const file of files) expect(file).toMatch(/^[a-z0-9][a-z0-9-]{0,60}\.log$/)
    expect(new Set(files).size).toBe(names.length)
  })
})
