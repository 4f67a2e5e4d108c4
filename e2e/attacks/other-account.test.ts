// A real second account of this machine at each loopback listener. It has everything that would let it in: the one-time link, the cookie,
// the `state` of a sign-in. Only root can become another account: elsewhere these tests are skipped, and say so.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLoopback } from '#main/servers/auth/loopback-redirect.ts'
import type { RawRequest } from './raw-client.ts'
import { type Fixture, goodRequest, type Place, startFixture, tokenOf } from './web-shell-fixture.ts'

/** `nobody` of Linux. */
const other = 65_534
const canSwitch = process.platform === 'linux' && process.getuid?.() === 0

/** Sends a request from a process of this account, or of another, and returns the status line and what follows. */
async function sendAs(uid: number, port: number, { method, target, headers }: RawRequest): Promise<{ status: number; text: string }> {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), 'Connection: close', '', '']
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; cat >&3; timeout 3 cat <&3`
  const child = spawn('/bin/bash', ['--norc', '-c', script], {
    uid,
    gid: uid,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('latin1').on('data', (more) => {
    text += more
  })
  child.stdin.end(lines.filter((line) => line !== 'Connection: close' || !target.startsWith('/link')).join('\r\n'))
  await once(child, 'close')
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }
}

describe.skipIf(!canSwitch)('a program of another account', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture()
  })
  afterAll(() => fixture.close())
  const link = (token: string): RawRequest => ({ ...goodRequest('page', fixture), target: `/?token=${token}` })

  it('redeems no link, which then still opens for its person', async () => {
    const token = tokenOf(fixture.shell.newLink())
    const [theirs, ours] = [await sendAs(other, fixture.port, link(token)), await sendAs(0, fixture.port, link(token))]
    expect([theirs.status, ours.status]).toEqual([403, 303])
    expect(/set-cookie|key=|token/i.test(theirs.text)).toBe(false)
    expect(ours.text).toMatch(/Set-Cookie/i)
  })

  it.each<[Place, number]>([
    ['page', 200],
    ['asset', 200],
    ['api', 204],
    ['blob', 200],
    ['backup', 200],
    ['upgrade', 101],
  ])('with the right cookie is refused: %s', async (place, good) => {
    const [theirs, ours] = [other, 0].map((uid) => sendAs(uid, fixture.port, goodRequest(place, fixture)))
    expect([(await theirs)?.status, (await ours)?.status]).toEqual([403, good])
  })

  it('is put on record once, with its uid', () => {
    expect(fixture.accounts).toEqual([other])
  })

  it('answers no sign-in, which goes on waiting for its person', async () => {
    const told: (number | null)[] = []
    const peers = { onOther: (uid: number | null) => told.push(uid), onUnknown: () => undefined }
    const loopback = await openLoopback({ host: '127.0.0.1', port: 0, state: 'the-state', peers })
    const { host, port } = new URL(loopback.redirectUri)
    const answer: RawRequest = { method: 'GET', target: '/callback?code=c&state=the-state', headers: [['Host', host]] }
    const theirs = await sendAs(other, Number(port), answer)
    const waiting = await Promise.race([loopback.answer, new Promise((resolve) => setTimeout(() => resolve('waiting'), 100))])
    const ours = await sendAs(0, Number(port), answer)
    expect([theirs.status, waiting, ours.status, String(await loopback.answer), told]).toEqual([
      403,
      'waiting',
      200,
      'code=c&state=the-state',
      [other],
    ])
    await loopback.close()
  })
})
