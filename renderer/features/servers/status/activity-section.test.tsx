import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ProcessList, ServerActivity } from '#app/server/server-activity.ts'
import { makeServer } from '#renderer/testing/builders.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { callFiguresLabel, cpuShareLabel, lastErrorLabel, shortCommand, startsLabel } from './activity-section.tsx'

const none = { calls: 0, failed: 0, p50: null, p95: null }
const activity: ServerActivity = {
  counts: { starts: 2, restarts: 1, failures: 1 },
  run: { calls: 3, failed: 1, p50: 40, p95: 900 },
  day: none,
  lastError: { kind: 'call', at: 1, tool: 'read', code: 'tool.timeout' },
}
const one = (pid: number, parent: number, command: string, cpuMs: number) => ({ pid, parent, start: 1, command, memory: 2_000_000, cpuMs })
const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }
const session = { era: 'modern', protocolVersion: '2026-07-28', foundBy: 'discover', transport: 'stdio' } as const

function open(processes: ProcessList, server = makeServer({ state: { kind: 'ready', since: Date.now(), session } })) {
  const link = createFakeConnection({
    snapshot: { servers: [server] },
    answers: {
      'server.catalogue': () => empty,
      'server.log': () => ({ lines: [], dropped: 0 }),
      'server.activity': () => activity,
      'server.processes': () => processes,
    },
  })
  renderAt(link, '#/servers/files/details')
  return link
}

describe('how a server is', () => {
  it('is told with its starts, its calls, its last error and each of its processes', async () => {
    open({ kind: 'processes', at: 1, processes: [one(10, 1, 'sh -c server', 0), one(11, 10, 'server', 0)] })
    const table = await screen.findByRole('table', { name: 'Processes' })
    const cells = within(table)
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent))
    expect(cells).toEqual([
      ['2 processes', 'pid', 'Memory', 'CPU'],
      ['sh -c server', '10', '2.0 MB', '–'],
      ['server', '11', '2.0 MB', '–'],
      ['Together', '', '4.0 MB', '–'],
    ])
    expect([...table.querySelectorAll('[data-depth]')].map((cell) => cell.getAttribute('data-depth'))).toEqual(['0', '1'])
    const facts = (await screen.findByRole('heading', { name: 'Now' })).parentElement as HTMLElement
    for (const words of [startsLabel(activity.counts), callFiguresLabel(activity.run), 'read', 'tokens'])
      expect(facts.textContent).toContain(words)
  })

  it('is asked for only while it is looked at, and again meanwhile', async () => {
    const link = open({ kind: 'none' })
    await screen.findByRole('heading', { name: 'Now' })
    await waitFor(() => expect(link.paramsOf('server.processes').length).toBe(2), { timeout: 10_000 })
    screen.getByRole('tab', { name: 'Log' }).click()
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Now' })).toBeNull())
    expect(link.paramsOf('server.activity')).toEqual([{ name: 'files' }, { name: 'files' }])
  })

  it.each([
    ['starts', { kind: 'starting', since: 1, attempt: 1, step: 'negotiating' }],
    ['is being stopped', { kind: 'stopping', since: 1, next: 'stopped' }],
  ] as const)('shows its processes also while it %s', async (_title, state) => {
    open({ kind: 'processes', at: 1, processes: [one(10, 1, 'server', 0)] }, makeServer({ state }))
    expect((await screen.findByRole('table', { name: 'Processes' })).textContent).toContain('10')
  })

  it('of a server that is an address, or does not run, tells of no processes', async () => {
    const link = open({ kind: 'none' }, makeServer({ state: { kind: 'stopped', reason: 'user' } }))
    await waitFor(() => expect(link.paramsOf('server.activity').length).toBe(1))
    expect(link.paramsOf('server.processes')).toEqual([])
  })
})

describe('the words for it', () => {
  it('say only what there is to say', () => {
    const words = [
      startsLabel({ starts: 0, restarts: 0, failures: 0 }),
      startsLabel({ starts: 1, restarts: 0, failures: 0 }),
      startsLabel({ starts: 3, restarts: 1, failures: 2 }),
      callFiguresLabel(none),
      callFiguresLabel({ calls: 1, failed: 0, p50: 40, p95: 40 }),
    ]
    expect(new Set(words).size).toBe(words.length)
    expect(callFiguresLabel({ calls: 1200, failed: 3, p50: 40, p95: 900 })).toMatch(/^1,200, 3 failed · p50 40 ms · p95 0.9 s$/)
    expect([cpuShareLabel(undefined), cpuShareLabel(0), cpuShareLabel(0.123), cpuShareLabel(1.8)]).toEqual(['–', '0.0%', '12%', '180%'])
  })

  it('name a program without its folder, and its words whole', () => {
    const short = ['/usr/bin/node /srv/a.js', 'sh -c /srv/run', 'C:\\node.exe x'].map(shortCommand)
    expect(short).toEqual(['node /srv/a.js', 'sh -c /srv/run', 'C:\\node.exe x'])
  })

  it('tell a tool that failed from a call that did', () => {
    const call = { kind: 'call', at: 1, tool: 'read' } as const
    expect(lastErrorLabel({ ...call, code: 'tool-error' })).not.toContain('tool-error')
    expect(lastErrorLabel({ ...call, code: 'tool.timeout' })).toContain('tool.timeout')
  })
})
