// Servers as processes, and the files that their words end in.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeServers, eventually, makeServers, memoryServerStore, raw } from '#main/servers/lifecycle/servers.testing.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'assent-logs-'))
})
afterEach(async () => {
  expect(await closeServers()).toEqual([])
  rmSync(dataDir, { recursive: true })
})

const secret = { ...raw('tools'), env: { ECHO_TOKEN: 'hush-hush-hush' } }
const onDisk = (): string[] => readdirSync(join(dataDir, 'logs')).map((name) => readFileSync(join(dataDir, 'logs', name), 'utf8'))

describe('the log of a server', () => {
  it('is there after a restart, apart from that of this run, and no secret is in its file', async () => {
    const first = makeServers({ a: secret }, { dataDir })
    await first.start('a')
    await eventually(() => expect(first.logged('a')).toEqual(['the tools are open', 'token •••']))
    await first.dispose()
    expect(onDisk().map((text) => text.includes('hush'))).toEqual([false])

    const second = makeServers({ a: secret }, { dataDir })
    expect((await second.earlierLog('a')).map(({ seq, text }) => [seq, text])).toEqual([
      [-2, 'the tools are open'],
      [-1, 'token •••'],
    ])
    expect(second.log('a').lines).toEqual([])
    await second.start('a')
    await eventually(() => expect(second.log('a').lines.length).toBe(2))
    expect((await second.earlierLog('a')).length).toBe(2)
  })

  it('goes with the server', async () => {
    const servers = makeServers({ a: raw('tools'), b: raw('tools') }, { dataDir, store: memoryServerStore() })
    await Promise.all([servers.start('a'), servers.start('b')])
    await eventually(() => expect([servers.logged('a').length, servers.logged('b').length]).toEqual([1, 1]))
    servers.configure(new Map([['b', raw('tools')]]))
    await servers.dispose()
    expect(readdirSync(join(dataDir, 'logs')).map((name) => name[0])).toEqual(['b'])
  })
})
