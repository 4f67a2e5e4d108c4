// The table of `ps` is that of macOS; here it is asked with the options that the `ps` of Linux has for the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { eventually } from '#main/base/eventually.testing.ts'
import { createProcessTable, type ProcessTable, psTable } from './process-table.ts'
import { newTag, tagVariable } from './server-process.ts'

const onLinux = process.platform === 'linux'
const tables: [string, () => ProcessTable | undefined][] = [
  ['this system', createProcessTable],
  ...(onLinux ? ([['ps', () => psTable(['axeww'])]] as [string, () => ProcessTable][]) : []),
]

it.skipIf(process.platform === 'win32').each(tables)(
  'the table of %s knows a process by its start, and by the tag that it was given',
  async (_, make) => {
    const table = make()
    const tag = newTag()
    // Not one of the system's own programs, which macOS shows nobody the environment of.
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { [tagVariable]: tag },
      stdio: 'ignore',
      detached: true,
    })
    const pid = child.pid ?? 0
    try {
      const start = table?.start(pid)
      expect(start).toBeGreaterThan(0)
      // The first of all: `ps` counts in seconds, and this very process may be of the same one.
      expect(table?.start(1)).toBeLessThan(start ?? 0)
      await eventually(() => expect(table?.tagged().filter((found) => found.tag === tag)).toEqual([{ pid, group: pid, start, tag }]))
      expect(table?.start(pid)).toBe(start)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect([table?.start(pid), table?.tagged().filter((found) => found.tag === tag)]).toEqual([undefined, []])
  },
)

it('Windows has none', () => {
  expect(createProcessTable('win32')).toBeUndefined()
})
