// Whoever has the cookie but not the key: another program's server on 127.0.0.1 is sent the one by the browser, never the
// other. Each case comes with the right cookie and Origin, and must learn nothing and reach nothing.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusedHello } from '#app/contract/host-connection.ts'
import { MOST_UNAUTHENTICATED } from '#main/shell/socket/socket-server.ts'
import { fateOf, openSilent, openWelcome } from './link-client.ts'
import { send } from './raw-client.ts'
import { type Fixture, goodRequest, signIn, startFixture, tokenOf } from './web-shell-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(async () => {
  await fixture.close()
})

const request = (id: number): string => JSON.stringify({ kind: 'request', id, name: 'consent.answer', params: {} })
const hello = (key: unknown): string => JSON.stringify({ kind: 'hello', key })

it('the right hello is welcomed, and then requests are answered and events told', async () => {
  const socket = await openSilent(fixture)
  const frames: unknown[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  socket.send(hello(fixture.key))
  await expect.poll(() => frames).toEqual([{ kind: 'welcome' }])
  socket.send(request(1))
  await expect.poll(() => frames).toHaveLength(2)
  fixture.emit('text')
  await expect.poll(() => frames).toHaveLength(3)
  expect(frames.slice(1)).toMatchObject([{ kind: 'response', id: 1 }, { kind: 'event' }])
  // Its time to say hello is over for a welcome page too: that takes nothing from it.
  fixture.passTime()
  socket.send(request(2))
  await expect.poll(() => frames.at(-1)).toMatchObject({ kind: 'response', id: 2 })
  socket.terminate()
})

it('a second tab and a new connection say the same key', async () => {
  const sockets = [await openWelcome(fixture), await openWelcome(fixture)]
  sockets[0]?.terminate()
  sockets.push(await openWelcome(fixture))
  expect(sockets.slice(1).map((socket) => socket.readyState)).toEqual([1, 1])
  for (const socket of sockets) socket.terminate()
})

describe('a first frame that is not the right hello closes the socket', () => {
  const other = (text: string): string => (text === 'A' ? 'B' : 'A')
  it.each<[string, (fixture: Fixture, others: { cookie: string; key: string }) => string | Buffer]>([
    ['a request', () => request(1)],
    ['a wrong key of the right length', () => hello('A'.repeat(43))],
    ['the key with another first letter', ({ key }) => hello(`${other(key[0] ?? '')}${key.slice(1)}`)],
    ['the key cut short', ({ key }) => hello(key.slice(0, -1))],
    ['the key with one letter more', ({ key }) => hello(`${key}A`)],
    ['the key in capitals', ({ key }) => hello(key.toUpperCase())],
    ['an empty key', () => hello('')],
    ['no key', () => '{"kind":"hello"}'],
    ['null as key', () => hello(null)],
    ['the key in a list', ({ key }) => hello([key])],
    ['a key of 10,000 letters', () => hello('A'.repeat(10_000))],
    ['the key of another session', (_fixture, others) => hello(others.key)],
    ['the cookie as key', ({ cookie }) => hello(cookie.split('=')[1])],
    ['a token as key', ({ shell }) => hello(tokenOf(shell.newLink()))],
    ['the right hello as bytes', ({ key }) => Buffer.from(hello(key))],
    ['the right key under another kind', ({ key }) => JSON.stringify({ kind: 'welcome', key })],
    ['a request that brings the key', ({ key }) => JSON.stringify({ ...JSON.parse(request(1)), key })],
    ['text that is not JSON', () => 'hello'],
  ])('%s', async (_name, first) => {
    const others = await signIn(fixture.shell)
    const before = fixture.reached.length
    const socket = await openSilent(fixture)
    const fate = fateOf(socket)
    fixture.emit('before the hello')
    // What follows in the same breath, the right hello too, comes too late.
    for (const frame of [first(fixture, others), hello(fixture.key), request(2)]) socket.send(frame)
    expect([await fate, fixture.reached.length]).toEqual([{ frames: [], ...refusedHello }, before])
  })
})

it('a hello that does not come in time closes the socket, and what it would have opened stays shut', async () => {
  const before = fixture.reached.length
  const socket = await openSilent(fixture)
  const fate = fateOf(socket)
  fixture.emit('nobody is told')
  fixture.passTime()
  for (const frame of [hello(fixture.key), request(1)]) socket.send(frame)
  const { frames, code, reason } = await fate
  expect([frames, code, fixture.reached.length]).toEqual([[], 1008, before])
  // A page that was merely slow may try again.
  expect(reason).not.toBe(refusedHello.reason)
})

it('a second hello closes the socket, and what follows it reaches nothing', async () => {
  const before = fixture.reached.length
  const socket = await openWelcome(fixture)
  const fate = fateOf(socket)
  for (const frame of [hello(fixture.key), request(1)]) socket.send(frame)
  expect([await fate, fixture.reached.length]).toEqual([expect.objectContaining({ frames: [], code: 1008 }), before])
})

it('a key of an earlier run opens nothing after a restart on the same port', async () => {
  const earlier = await startFixture()
  await earlier.close()
  const later = await startFixture(earlier.port)
  const socket = await openSilent(later)
  const fate = fateOf(socket)
  socket.send(hello(earlier.key))
  expect(await fate).toEqual({ frames: [], ...refusedHello })
  await later.close()
})

it('the page, its files and the probe do not give the key away to who has the cookie', async () => {
  const answers = await Promise.all((['page', 'asset', 'api'] as const).map((place) => send(fixture.port, goodRequest(place, fixture))))
  const text = answers.map(({ headers, body }) => `${[...headers.values()].join('\n')}\n${body}`).join('\n')
  expect([answers.map(({ status }) => status), text.includes(fixture.key)]).toEqual([[200, 200, 204], false])
})

it('many silent sockets with the cookie keep nobody out, and few of them are kept', async () => {
  // Some are closed for newer ones before they are open.
  const tried = await Promise.allSettled(Array.from({ length: 200 }, () => openSilent(fixture)))
  const silent = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(silent.length).toBeGreaterThanOrEqual(MOST_UNAUTHENTICATED)
  for (const socket of silent) socket.on('error', () => {})
  const welcome = await openWelcome(fixture)
  welcome.send(request(1))
  const [data] = await once(welcome, 'message')
  expect(JSON.parse(String(data))).toMatchObject({ kind: 'response', id: 1 })
  await expect.poll(() => silent.filter((socket) => socket.readyState === socket.OPEN).length).toBeLessThanOrEqual(MOST_UNAUTHENTICATED)
  for (const socket of [...silent, welcome]) socket.terminate()
})
