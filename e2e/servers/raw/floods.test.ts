// A server that will not be quiet costs the others nothing, answers when it is asked, and is ended when that is wanted.
import { expect, it } from 'vitest'
import type { EventName } from '#app/contract/events.ts'
import { approve, makeServers, raw } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach, fails, signal } from './raw-stdio.ts'

closeAfterEach()

const text = ({ result }: { readonly result: object }): string => (result as { content: { text: string }[] }).content[0]?.text ?? ''

it.each(['messages', 'progress', 'changes', 'updates', 'strangers', 'answers', 'cancellations', 'garbage', 'stderr'])(
  'a flood of %s leaves the calls of others, and of its own server, as they were',
  async (kind) => {
    const told: EventName[] = []
    const servers = makeServers({ loud: raw('floods'), quiet: raw('tools') }, { emit: (name) => void told.push(name) })
    await Promise.all([servers.start('loud'), servers.start('quiet')])
    let words = 0
    const onProgress = (): void => {
      words += 1
    }
    const flooding = servers.call(approve(servers, 'loud', 'flood', { kind }), { signal, onProgress })
    flooding.catch(() => undefined)
    for (let n = 0; n < 20; n += 1)
      expect(text(await servers.call(approve(servers, 'quiet', 'echo', { n }), { signal }))).toBe(`{"n":${n}}`)
    expect(text(await servers.call(approve(servers, 'loud', 'echo'), { signal }))).toBe('heard')
    const said = Number(text(await servers.call(approve(servers, 'loud', 'calm'), { signal })))
    expect([said >= 20_000, servers.state('loud').kind, servers.state('quiet').kind]).toEqual([true, 'ready', 'ready'])
    // Of all that was said, pages are told in few words, and the log keeps but the end.
    expect(told.length).toBeLessThan(said / 20)
    expect(servers.log('loud').lines.length).toBeLessThanOrEqual(2000)
    expect(words > 1000).toBe(kind === 'progress')
  },
)

it.each(['messages', 'garbage'])('a server in the midst of a flood of %s is stopped', async (kind) => {
  const servers = makeServers({ loud: raw('floods') })
  await servers.start('loud')
  const flooding = servers.call(approve(servers, 'loud', 'flood', { kind }), { signal }).catch((error: unknown) => error)
  expect(text(await servers.call(approve(servers, 'loud', 'echo'), { signal }))).toBe('heard')
  await servers.stop('loud')
  expect([await flooding, servers.state('loud').kind]).toEqual([fails('tool.outcome-unknown', { because: 'server.stopped' }), 'stopped'])
})

it('a call that tells of progress without end is ended all the same', async () => {
  const servers = makeServers({ loud: raw('floods') })
  await servers.start('loud')
  let words = 0
  const onProgress = (): void => {
    words += 1
  }
  const flooding = servers.call(approve(servers, 'loud', 'flood', { kind: 'progress' }), { signal, onProgress, timeoutMs: 50 })
  await expect(flooding).rejects.toEqual(fails('tool.timeout'))
  expect([words > 0, servers.state('loud').kind]).toEqual([true, 'ready'])
})
