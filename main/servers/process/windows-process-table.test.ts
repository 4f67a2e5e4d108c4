import { describe, expect, it } from 'vitest'
import { readProcessTree } from './list-process-tree.ts'
import { filetimeOf, millisecondsOfFiletime, readWindowsTable, type WindowsProcess, withLivingParents } from './windows-process-table.ts'

const row = (change: object) => ({
  ProcessId: 4321,
  ParentProcessId: 1234,
  Name: 'node.exe',
  CommandLine: '"C:\\Program Files\\nodejs\\node.exe" server.js',
  WorkingSetSize: 50_000_000,
  KernelModeTime: 1_250_000,
  UserModeTime: 3_750_000,
  Start: '133771234567891234',
  ...change,
})
const at = (pid: number, parent: number, start: number): WindowsProcess => ({
  pid,
  parent,
  start,
  name: `${pid}.exe`,
  command: `${pid}.exe`,
  memory: 1,
  cpuMs: 2,
})

describe('the table of Windows', () => {
  it('is read with times in milliseconds', () => {
    expect(readWindowsTable(JSON.stringify([row({})]))).toEqual([
      {
        pid: 4321,
        parent: 1234,
        start: 1_732_649_856_789,
        name: 'node.exe',
        command: '"C:\\Program Files\\nodejs\\node.exe" server.js',
        memory: 50_000_000,
        cpuMs: 500,
      },
    ])
  })

  it('may begin with a mark, hold one process only, and processes of others without a command line', () => {
    const [one] = readWindowsTable(`\uFEFF${JSON.stringify(row({ CommandLine: null, WorkingSetSize: null }))}`)
    expect(one).toMatchObject({ command: 'node.exe', memory: 0 })
  })

  it('leaves out what makes no sense', () => {
    const odd = [{ ProcessId: 0 }, { ProcessId: '7' }, { Start: null }, { Start: '-1' }, { Start: '1e5' }, { Name: 7 }]
    expect(readWindowsTable(JSON.stringify([null, 7, ...odd.map(row)]))).toEqual([])
    expect(readWindowsTable('')).toEqual([])
  })

  it('has times that are whole milliseconds again on their way back', () => {
    expect(millisecondsOfFiletime(filetimeOf(1_732_649_856_789.9))).toBe(1_732_649_856_789)
    expect(String(filetimeOf(0))).toBe('116444736000000000')
  })
})

describe('the tree on Windows', () => {
  const all = [at(10, 2, 100), at(11, 10, 110), at(12, 11, 120), at(13, 10, 90), at(14, 99, 130), at(15, 2, 100)]

  it('is of children that began after their parents: an older one had another parent of that number', async () => {
    expect(withLivingParents(all).map(({ pid, parent }) => [pid, parent])).toEqual([
      [10, 0],
      [11, 10],
      [12, 11],
      [13, 0],
      [14, 0],
      [15, 0],
    ])
    const tree = await readProcessTree(10, 'win32', () => Promise.resolve(all))
    expect(tree?.map(({ pid, memory }) => [pid, memory])).toEqual([
      [10, 1],
      [11, 1],
      [12, 1],
    ])
  })

  it('is looked up once for several who ask at the same time', async () => {
    let looks = 0
    const list = (): Promise<WindowsProcess[]> => {
      looks += 1
      return Promise.resolve(all)
    }
    await Promise.all([readProcessTree(10, 'win32', list), readProcessTree(11, 'win32', list), readProcessTree(12, 'win32', list)])
    expect(looks).toBe(1)
  })

  it('is not known where PowerShell does not tell', async () => {
    expect(await readProcessTree(10, 'win32', () => Promise.reject(new Error('not allowed')))).toBeUndefined()
  })
})
