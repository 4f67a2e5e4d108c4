import { describe, expect, it, vi } from 'vitest'
import type { ConnectionStatus } from '#app/contract/host-connection.ts'
import { connectionPath, connectionProbePath, refusedHello } from '#app/contract/host-connection.ts'
import { settle } from '#renderer/testing/render.tsx'
import { createWebConnection, reconnectDelay, type WebConnectionPlatform } from './open-connection.ts'

class FakeSocket extends EventTarget {
  readonly sent: string[] = []
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
  send(text: string): void {
    this.sent.push(text)
  }
  close(how: { readonly code: number; readonly reason: string } = { code: 1006, reason: '' }): void {
    this.dispatchEvent(Object.assign(new Event('close'), how))
  }
  say(frame: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }
}

const hello = (key: string): string => JSON.stringify({ kind: 'hello', key })

function makeLink(probe: () => Promise<number> = () => Promise.resolve(204), keys: readonly (string | undefined)[] = ['the key']) {
  const sockets: FakeSocket[] = []
  const timers: { run: () => void; ms: number }[] = []
  const probed: string[] = []
  const platform: WebConnectionPlatform = {
    openSocket(url) {
      const socket = new FakeSocket(url)
      sockets.push(socket)
      // The link uses what the fake has of a WebSocket: events, send and close.
      return socket as unknown as WebSocket
    },
    probe(path) {
      probed.push(path)
      return probe()
    },
    setTimer(run, ms) {
      timers.push({ run, ms })
      return () => undefined
    },
    // One for each socket; the last one from then on.
    readKey: () => keys[Math.min(sockets.length, keys.length - 1)],
  }
  const link = createWebConnection('http://127.0.0.1:4000', platform)
  const statuses: ConnectionStatus[] = []
  link.onStatus((status) => statuses.push(status))
  const last = (): FakeSocket => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('no socket')
    return socket
  }
  const connect = (): void => void last().dispatchEvent(new Event('open'))
  const open = (): void => {
    connect()
    last().say({ kind: 'welcome' })
  }
  return { link, statuses, timers, probed, sockets, last, connect, open }
}

describe('the web link', () => {
  it('asks over its own origin and matches answers by id', async () => {
    const { link, last, open } = makeLink()
    open()
    const first = link.request('chat.stop', { conversationId: 'a' })
    const second = link.request('config.get', {})
    last().say({ kind: 'response', id: 2, result: { path: 'p', text: '', problems: [] } })
    last().say({ kind: 'failure', id: 1, error: { code: 'chat.unknown-conversation', message: 'gone' } })
    await expect(second).resolves.toEqual({ path: 'p', text: '', problems: [] })
    await expect(first).rejects.toMatchObject({ code: 'chat.unknown-conversation' })
    expect([last().url, JSON.parse(last().sent[1] ?? '')]).toEqual([
      `ws://127.0.0.1:4000${connectionPath}`,
      { kind: 'request', id: 1, name: 'chat.stop', params: { conversationId: 'a' } },
    ])
  })

  it('tells events to whoever listens, until they undo it', () => {
    const { link, last, open } = makeLink()
    open()
    const listener = vi.fn()
    const undo = link.onEvent(listener)
    const event = { name: 'conversation.removed', revision: 1, payload: { id: 'a' } }
    last().say({ kind: 'event', event })
    undo()
    last().say({ kind: 'event', event })
    expect(listener.mock.calls).toEqual([[event]])
  })

  it('fails what was open when the socket goes, sends nothing twice, and connects again', async () => {
    const { link, last, open, statuses, timers, sockets, probed } = makeLink()
    open()
    const pending = link.request('config.get', {})
    last().close()
    await expect(pending).rejects.toMatchObject({ code: 'link.closed' })
    await expect(link.request('config.get', {})).rejects.toMatchObject({ code: 'link.closed' })
    timers[0]?.run()
    open()
    expect([statuses, sockets.length, last().sent, probed]).toEqual([['connecting', 'open', 'closed', 'open'], 2, [hello('the key')], []])
  })

  it('says its key first, and sends nothing else until it is welcome', async () => {
    const { link, last, connect, statuses } = makeLink()
    connect()
    await expect(link.request('config.get', {})).rejects.toMatchObject({ code: 'link.closed' })
    expect([statuses, last().sent]).toEqual([['connecting'], [hello('the key')]])
  })

  it('is refused without a key, and opens no socket', () => {
    const { statuses, sockets, timers } = makeLink(undefined, [undefined])
    expect([statuses, sockets, timers]).toEqual([['refused'], [], []])
  })

  it('is refused when its key is wrong, and stops trying', async () => {
    const { last, connect, statuses, timers, probed } = makeLink()
    connect()
    last().close(refusedHello)
    await settle()
    expect([statuses, timers, probed]).toEqual([['connecting', 'refused'], [], []])
  })

  it('tries again when its hello came too late', async () => {
    const { last, connect, statuses, timers } = makeLink()
    connect()
    last().close({ code: 1008, reason: 'no hello in time' })
    await settle()
    expect([statuses, timers.length]).toEqual([['connecting', 'closed'], 1])
  })

  it('connects again with the key of a newer link that another tab was opened with', () => {
    const { last, open, timers, statuses } = makeLink(undefined, ['older', 'newer'])
    open()
    last().close()
    timers[0]?.run()
    open()
    expect([last().sent, statuses.at(-1)]).toEqual([[hello('newer')], 'open'])
  })

  it('knows that it is refused when its cookie is gone, and stops trying', async () => {
    const { last, statuses, timers, probed } = makeLink(() => Promise.resolve(401))
    last().close()
    await settle()
    expect([statuses, timers.length, probed]).toEqual([['connecting', 'closed', 'refused'], 0, [connectionProbePath]])
  })

  it('goes on trying, slower each time, while nobody answers', async () => {
    const { last, timers } = makeLink(() => Promise.reject(new TypeError('unreachable')))
    for (let attempt = 0; attempt < 3; attempt++) {
      last().close()
      await settle()
      timers.at(-1)?.run()
    }
    expect(timers.map((timer) => timer.ms)).toEqual([reconnectDelay(0), reconnectDelay(1), reconnectDelay(2)])
  })
})

it('never waits longer than five seconds', () => {
  expect([0, 1, 2, 20].map(reconnectDelay)).toEqual([200, 400, 800, 5000])
})
