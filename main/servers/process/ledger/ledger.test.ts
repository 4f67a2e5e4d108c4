import { describe, expect, it } from 'vitest'
import { newTag } from '../server-process.ts'
import type { WindowsProcess } from '../windows-process-table.ts'
import { isGoneOnWindows, leftBehindOnWindows, windowsSystem } from './ledger.ts'
import type { LedgerContent, LedgerEntry } from './ledger-file.ts'

const row = (pid: number, parent: number, start: number): WindowsProcess => ({
  pid,
  parent,
  start,
  name: '',
  command: '',
  memory: 0,
  cpuMs: 0,
})
/** Of a host that wrote at 1000; its server 50 was started between 2000 and 2050, and seen at 7000. */
const entry: LedgerEntry = { tag: newTag(), leader: { pid: 50, start: 2050, from: 2000 }, seen: 7000 }
const content = (...entries: LedgerEntry[]): LedgerContent => ({ host: { boot: '', pid: 40, start: 1000 }, entries })
const left = (...all: WindowsProcess[]): number[] =>
  leftBehindOnWindows(content(entry), all)
    .map(({ pid }) => pid)
    .sort((a, b) => a - b)

describe('what a host left behind on Windows', () => {
  it.each<[string, WindowsProcess[], number[]]>([
    ['the server, with all that came of it', [row(50, 40, 2010), row(51, 50, 2100), row(52, 51, 9000)], [50, 51, 52]],
    ['children whose server is gone, and theirs', [row(51, 50, 2100), row(52, 51, 9000)], [51, 52]],
    ['nothing of another who has the number now', [row(50, 3, 8000), row(51, 50, 8100)], []],
    ['its own children beside those of another who has the number now', [row(50, 3, 8000), row(51, 50, 8100), row(52, 50, 6000)], [52]],
    ['nothing that began after it was last seen, when it is gone', [row(51, 50, 7001)], []],
    ['what began later, while it is there', [row(50, 40, 2010), row(51, 50, 9000)], [50, 51]],
    ['no child of an earlier owner of the number', [row(50, 40, 2010), row(51, 50, 1500)], [50]],
    ['nobody who had the number before', [row(50, 3, 1900)], []],
    ['no grandchild by a parent that is younger', [row(50, 40, 2010), row(51, 50, 3000), row(52, 51, 2500)], [50, 51]],
    ['what runs through a circle of numbers once', [row(50, 51, 2010), row(51, 50, 2010)], [50, 51]],
    ['never ourselves', [row(50, 40, 2010), row(process.pid, 50, 3000)], [50]],
  ])('is %s', (_what, all, expected) => {
    expect(left(...all)).toEqual(expected)
  })

  it('is not known of a server that was only about to be started, nor where no time was written down', () => {
    const all = [row(50, 40, 2010), row(51, 50, 2100)]
    expect(leftBehindOnWindows(content({ tag: newTag(), leader: undefined }), all)).toEqual([])
    expect(leftBehindOnWindows(content({ tag: newTag(), leader: { pid: 50, start: 2050 } }), all)).toEqual([])
  })

  it('counts only when the host is gone: nobody has its number, or somebody who came later', () => {
    const gone = (...all: WindowsProcess[]): boolean => isGoneOnWindows(content(entry), all)
    expect([gone(), gone(row(40, 1, 900)), gone(row(40, 1, 1001)), gone(row(40, 1, 5000)), gone(row(41, 1, 900))]).toEqual([
      true,
      false,
      false,
      true,
      true,
    ])
  })

  it('is ended, with what it starts meanwhile, and what would not end is told', async () => {
    const running = new Map([row(50, 40, 2010), row(51, 50, 2100), row(60, 3, 500)].map((one) => [one.pid, one]))
    const ended: number[] = []
    const system = windowsSystem({
      list: () => Promise.resolve([...running.values()]),
      end(pid) {
        ended.push(pid)
        if (pid === 51 && !running.has(52)) running.set(52, row(52, 50, 2200))
        return pid === 52 || running.delete(pid)
      },
    })
    expect(await system.reap(content(entry))).toEqual({ found: 3, left: 1 })
    expect([...new Set(ended)].sort((a, b) => a - b)).toEqual([50, 51, 52])
    expect([...running.keys()]).toEqual([60, 52])
  })
})
