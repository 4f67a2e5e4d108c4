// Real processes, and hosts that are gone: their ledgers are written by a process that has ended.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#main/base/host-log.ts'
import { createProcessTable } from '../process-table.ts'
import { newTag, tagVariable } from '../server-process.ts'
import { createProcessLedger, windowsSystem } from './ledger.ts'
import { type LedgerLine, ledgerLine } from './ledger-file.ts'

const table = createProcessTable()
let dataDir: string
let said: string[]
const log: Log = {
  debug() {},
  info: (message) => void said.push(message),
  warn: (message) => void said.push(message),
  error: (message) => void said.push(message),
}
const children: ChildProcess[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assent-ledger-'))
  said = []
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true })
})

/** Leads a group, and stays; with `stubborn` a shell that ignores SIGTERM, with a child. */
function startProcess(tag: string, stubborn = false): { readonly child: ChildProcess; readonly pid: number; readonly start: number } {
  const script = stubborn ? 'trap "" TERM; sleep 600 & while :; do sleep 1; done' : 'exec sleep 600'
  const child = spawn('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin:/bin', [tagVariable]: tag }, detached: true, stdio: 'ignore' })
  children.push(child)
  const pid = child.pid ?? 0
  return { child, pid, start: table?.start(pid) ?? 0 }
}

/** Of a process that has ended. */
const deadHost = (): LedgerLine => {
  const { pid } = spawnSync('/bin/true')
  return { kind: 'host', version: 1, boot: table?.boot ?? '', pid, start: 1 }
}

function writeLedger(...lines: LedgerLine[]): string {
  const path = join(dataDir, 'processes', `${newTag()}.jsonl`)
  mkdirSync(join(dataDir, 'processes'), { recursive: true })
  writeFileSync(path, lines.map(ledgerLine).join(''))
  return path
}

const startHost = async (): Promise<void> => {
  const ledger = createProcessLedger({ dataDir, log, grace: 300 })
  await ledger.reaped
  ledger.dispose()
}
const isRunning = ({ pid, start }: { readonly pid: number; readonly start: number }): boolean => table?.start(pid) === start
const files = (): string[] => readdirSync(join(dataDir, 'processes'))

describe.skipIf(process.platform !== 'linux')('at the next start', () => {
  it('what a host left behind is ended, also a stubborn one with what it started, and what had only been about to start', async () => {
    const [a, b, c] = [newTag(), newTag(), newTag()]
    const [one, two, three] = [startProcess(a), startProcess(b, true), startProcess(c)]
    writeLedger(
      deadHost(),
      { kind: 'started', tag: a, pid: one.pid, start: one.start },
      { kind: 'started', tag: b, pid: two.pid, start: two.start },
      { kind: 'expected', tag: c },
    )
    await startHost()
    expect([one, two, three].filter(isRunning)).toEqual([])
    expect(table?.tagged().filter(({ tag }) => [a, b, c].includes(tag))).toEqual([])
    expect([files(), said.length]).toEqual([[], 1])
  })

  it('what left its group is ended though its leader is gone', async () => {
    const tag = newTag()
    const stray = startProcess(tag)
    writeLedger(deadHost(), { kind: 'started', tag, pid: spawnSync('/bin/true').pid, start: stray.start })
    await startHost()
    expect(isRunning(stray)).toBe(false)
  })

  it('a stranger is left alone: one that has the number but not the tag, or the tag but not the start', async () => {
    const tag = newTag()
    const [untagged, later] = [startProcess(newTag()), startProcess(tag)]
    const path = writeLedger(
      deadHost(),
      { kind: 'started', tag: newTag(), pid: untagged.pid, start: untagged.start },
      { kind: 'started', tag, pid: later.pid, start: later.start + 1 },
    )
    await startHost()
    expect([isRunning(untagged), isRunning(later), existsSync(path), said]).toEqual([true, true, false, []])
  })

  it('what a host that lives has started is left alone, and so is its ledger', async () => {
    const tag = newTag()
    const one = startProcess(tag)
    const host = startProcess(newTag())
    const path = writeLedger(
      { kind: 'host', version: 1, boot: table?.boot ?? '', pid: host.pid, start: host.start },
      { kind: 'started', tag, pid: one.pid, start: one.start },
    )
    await startHost()
    expect([isRunning(one), existsSync(path)]).toEqual([true, true])
  })

  it('what ran before the machine was started anew is not looked for', async () => {
    const tag = newTag()
    const one = startProcess(tag)
    writeLedger({ ...deadHost(), boot: 'another' } as LedgerLine, { kind: 'started', tag, pid: one.pid, start: one.start })
    await startHost()
    expect([isRunning(one), files()]).toEqual([true, []])
  })

  it('a file that is no ledger is put aside, and the log says so', async () => {
    const path = writeLedger()
    writeFileSync(path, '{"kind":"host"}\n')
    writeLedger() // Its host came to write nothing.
    await startHost()
    expect([existsSync(path), files().length, said.length]).toEqual([false, 1, 1])
    await startHost()
    expect([files().length, said.length]).toEqual([1, 1])
  })
})

describe.skipIf(process.platform !== 'linux')('the ledger of a host that runs', () => {
  it('tells of a process before it is there, and when it is; a clean end removes it', () => {
    const ledger = createProcessLedger({ dataDir, log })
    const tag = newTag()
    const watched = ledger.expect(tag)
    const one = startProcess(tag)
    watched.started(one.pid)
    const [name = ''] = files()
    const lines = readFileSync(join(dataDir, 'processes', name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LedgerLine)
    expect(lines).toEqual([
      { kind: 'host', version: 1, boot: table?.boot, pid: process.pid, start: table?.start(process.pid) },
      { kind: 'expected', tag },
      { kind: 'started', tag, ...{ pid: one.pid, start: one.start } },
    ])
    ledger.dispose()
    expect(files()).toHaveLength(1)
    watched.ended()
    watched.ended()
    ledger.dispose()
    expect(files()).toEqual([])
  })

  it('that cannot be written costs a warning, and no start', () => {
    writeFileSync(join(dataDir, 'processes'), 'a file')
    const ledger = createProcessLedger({ dataDir, log })
    ledger.expect(newTag()).started(startProcess(newTag()).pid)
    expect(said.filter((line) => line.includes('could not be written'))).toHaveLength(1)
  })

  it('of Windows writes down when a server was about to be started, and that it still runs', async () => {
    const system = { ...windowsSystem({ list: () => Promise.resolve([]), now: () => 7 }), confirmMs: [1, 1] }
    const ledger = createProcessLedger({ dataDir, log, system })
    const tag = newTag()
    const watched = ledger.expect(tag)
    watched.started(process.pid)
    const lines = (): LedgerLine[] =>
      readFileSync(join(dataDir, 'processes', files()[0] ?? ''), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as LedgerLine)
    await expect.poll(() => lines().length).toBe(5)
    expect(lines()).toMatchObject([
      { kind: 'host', boot: '', pid: process.pid, start: 7 },
      { kind: 'expected', tag },
      { kind: 'started', tag, pid: process.pid, start: 7, from: expect.any(Number) },
      { kind: 'seen', tag, at: expect.any(Number) },
      { kind: 'seen', tag, at: expect.any(Number) },
    ])
    watched.ended()
    ledger.dispose()
    expect(files()).toEqual([])
  })
})
