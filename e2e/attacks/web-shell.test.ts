// The web shell under attack. Every case is refused and reaches nothing; the controls show that the same requests without
// the fault are answered, so that it cannot pass by refusing everything.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPageUrls } from '#main/shell/cli/commands/serve.ts'
import { MOST_UNAUTHENTICATED } from '#main/shell/socket/socket-server.ts'
import { openWelcome } from './link-client.ts'
import { openSocket, send } from './raw-client.ts'
import { badTokens, linksFromElsewhere, matrix, traversal } from './web-shell-cases.ts'
import {
  blobSha,
  type Fixture,
  goodRequest,
  goodStatus,
  isRefused,
  nextOf,
  placeNames,
  scriptSha,
  signIn,
  startFixture,
  tokenOf,
  withHeader,
} from './web-shell-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(async () => {
  await fixture.close()
})

const page = (target: string) => withHeader({ ...goodRequest('page', fixture), target }, 'Cookie')
const openLink = () => openWelcome(fixture)

describe('what is right is answered', () => {
  it.each(placeNames)('%s, by address and by localhost', async (place) => {
    const good = goodRequest(place, fixture)
    const named = withHeader(withHeader(good, 'Host', `localhost:${fixture.port}`), 'Origin', `http://localhost:${fixture.port}`)
    expect([(await send(fixture.port, good)).status, (await send(fixture.port, named)).status]).toEqual([
      goodStatus[place],
      goodStatus[place],
    ])
  })

  it('a link opens the page once, with a cookie that scripts and other sites do not get', async () => {
    const link = fixture.shell.newLink()
    const answer = await send(fixture.port, page(`/?token=${tokenOf(link)}`))
    expect([answer.status, answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]).toEqual([
      303,
      'no-referrer',
      'no-store',
    ])
    expect(nextOf(answer)).toMatch(/^\/#key=[A-Za-z0-9_-]{43}$/)
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(`^assent-${fixture.port}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    )
    expect(tokenOf(link)).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('a used link, opened again by who has the cookie, leads to the page without a new cookie or key', async () => {
    const target = `/?token=${tokenOf(fixture.shell.newLink())}`
    const answers = [await send(fixture.port, page(target)), await send(fixture.port, { ...goodRequest('page', fixture), target })]
    expect(answers.map(({ status, headers }) => [status, headers.has('set-cookie'), headers.get('location')])).toEqual([
      [303, true, expect.stringMatching(/^\/#key=/)],
      [303, false, '/'],
    ])
  })

  it('a new link gives who has the cookie but lost the key a new session', async () => {
    const target = `/?token=${tokenOf(fixture.shell.newLink())}`
    const answer = await send(fixture.port, { ...goodRequest('page', fixture), target })
    expect([answer.status, answer.headers.has('set-cookie'), nextOf(answer)]).toEqual([303, true, expect.stringMatching(/^\/#key=.{43}$/)])
  })

  it('the link that the terminal shows is the same until it was used, and then a new one', async () => {
    const link = createPageUrls(fixture.shell)
    const first = link()
    expect(link()).toBe(first)
    expect((await send(fixture.port, page(`/?token=${tokenOf(first)}`))).status).toBe(303)
    const second = link()
    expect([second === first, link() === second]).toEqual([false, true])
  })

  it('the page comes with a policy that runs nothing inline and asks nobody else', async () => {
    const { headers } = await send(fixture.port, goodRequest('page', fixture))
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store'])
  })

  it('a blob is shown as a picture but never as a page', async () => {
    const picture = await send(fixture.port, goodRequest('blob', fixture))
    const html = await send(fixture.port, { ...goodRequest('blob', fixture), target: `/blob/${scriptSha}` })
    expect([picture.headers.get('content-type'), html.headers.get('content-type'), html.headers.get('content-disposition')]).toEqual([
      'image/png',
      'application/octet-stream',
      'attachment',
    ])
    for (const { headers } of [picture, html]) expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  it('a backup comes as a file to keep, and to nobody without its ticket', async () => {
    const request = goodRequest('backup', fixture)
    const { status, headers, body } = await send(fixture.port, request)
    expect([status, headers.get('content-disposition'), headers.get('content-length'), headers.get('cache-control'), body]).toEqual([
      200,
      'attachment; filename="mine.db"',
      '4',
      'no-store',
      'rows',
    ])
    for (const target of ['/backup/', `/backup/${'u'.repeat(43)}`, `${request.target}x`])
      expect(isRefused(await send(fixture.port, { ...request, target }))).toBe(true)
  })

  it('a request over the link is answered', async () => {
    const socket = await openLink()
    socket.send(JSON.stringify({ kind: 'request', id: 7, name: 'app.snapshot', params: {} }))
    const [data] = await once(socket, 'message')
    socket.terminate()
    expect(JSON.parse(String(data))).toEqual({ kind: 'response', id: 7, result: { name: 'app.snapshot' } })
  })
})

it('has at least 200 cases', () => {
  expect(matrix.length).toBeGreaterThanOrEqual(200)
})

describe.each(placeNames)('%s is refused', (place) => {
  it.each(matrix.filter((one) => one.place === place))('with $name', async ({ request }) => {
    const before = fixture.reached.length
    const answer = await send(fixture.port, request(fixture))
    expect(isRefused(answer), `answered ${answer.status}`).toBe(true)
    expect(fixture.reached.length).toBe(before)
  })
})

describe('a path that leads elsewhere is refused', () => {
  it.each(traversal)('%s', async (target) => {
    const answer = await send(fixture.port, { ...goodRequest('asset', fixture), target })
    expect(isRefused(answer), `answered ${answer.status}`).toBe(true)
  })
})

describe('without a cookie, the page is refused', () => {
  it.each(badTokens)('with %s', async (_name, target) => {
    const used = tokenOf(fixture.shell.newLink())
    expect((await send(fixture.port, page(`/?token=${used}`))).status).toBe(303)
    const answer = await send(fixture.port, page(target(used, tokenOf(fixture.shell.newLink()))))
    expect(isRefused(answer), `answered ${answer.status}`).toBe(true)
  })

  it('and the refusal says how to get in, without a secret', async () => {
    const answer = await send(fixture.port, page('/'))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect(answer.body).not.toMatch(/token|cookie|[A-Za-z0-9_-]{32}/)
  })

  // The file that is handed to the browser instead of the link (docs/decisions/0008-web-shell-gate.md).
  const fromElsewhere = (target: string, change: Readonly<Record<string, string | undefined>> = {}) => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', ...change }
    return Object.entries(headers).reduce(
      (request, [name, value]) => (value === undefined ? withHeader(request, name) : withHeader(request, name, value)),
      page(target),
    )
  }
  it('a page of another site leads to a good link, once', async () => {
    const request = fromElsewhere(`/?token=${tokenOf(fixture.shell.newLink())}`)
    const [first, again] = [await send(fixture.port, request), await send(fixture.port, request)]
    expect([first.status, first.headers.has('set-cookie'), isRefused(again)]).toEqual([200, true, true])
    // Nor with the cookie, which such a request would not be sent with.
    expect(isRefused(await send(fixture.port, withHeader(request, 'Cookie', fixture.cookie)))).toBe(true)
  })
  it.each(badTokens)('and to nothing with %s', async (_name, target) => {
    const used = tokenOf(fixture.shell.newLink())
    await send(fixture.port, page(`/?token=${used}`))
    const answer = await send(fixture.port, fromElsewhere(target(used, tokenOf(fixture.shell.newLink()))))
    expect(isRefused(answer), `answered ${answer.status}`).toBe(true)
  })
  it.each(linksFromElsewhere)('and to nothing %s, which leaves the token as it was', async (_name, change) => {
    const target = `/?token=${tokenOf(fixture.shell.newLink())}`
    const answer = await send(fixture.port, fromElsewhere(target, change))
    expect(isRefused(answer), `answered ${answer.status}`).toBe(true)
    expect((await send(fixture.port, fromElsewhere(target))).status).toBe(200)
  })

  it('of two at once with the same token, one gets in', async () => {
    const request = page(`/?token=${tokenOf(fixture.shell.newLink())}`)
    const answers = await Promise.all([send(fixture.port, request), send(fixture.port, request)])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401])
  })

  it('a cookie of an earlier run is refused after a restart on the same port', async () => {
    const earlier = await startFixture()
    await earlier.close()
    const later = await startFixture(earlier.port)
    const statuses = [earlier, later].map(
      async ({ cookie }) => (await send(later.port, goodRequest('api', { port: later.port, cookie }))).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 204])
    await later.close()
  })
})

describe('over the link', () => {
  it.each([
    ['text that is not JSON', 'hello'],
    ['JSON that is no frame', '[1,2,3]'],
    ['a frame of another kind', '{"kind":"event","event":{}}'],
    ['a frame without id', '{"kind":"request","name":"app.snapshot","params":{}}'],
    ['a binary frame', Buffer.from('{"kind":"request","id":1,"name":"app.snapshot","params":{}}')],
    ['a frame of 17 MB', `{"kind":"request","id":1,"name":"chat.send","params":{"text":"${'x'.repeat(17_000_000)}"}}`],
  ])('%s closes it, and nothing reaches the host', async (_name, frame) => {
    const before = fixture.reached.length
    const socket = await openLink()
    socket.on('error', () => {})
    const closed = once(socket, 'close')
    socket.send(frame)
    const [code] = await closed
    expect([1008, 1009, 1006]).toContain(code)
    expect(fixture.reached.length).toBe(before)
  })

  it.each(['no cookie', 'wrong cookie'])('messages before authentication reach nothing: %s', async (which) => {
    const before = fixture.reached.length
    const good = goodRequest('upgrade', fixture)
    const payload = Buffer.from('{"kind":"request","id":1,"name":"app.snapshot","params":{}}')
    // A masked text frame, sent together with the upgrade.
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
    const request = which === 'no cookie' ? withHeader(good, 'Cookie') : withHeader(good, 'Cookie', `assent-${fixture.port}=wrong`)
    const answer = await send(fixture.port, { ...request, body: frame })
    expect([isRefused(answer), fixture.reached.length]).toEqual([true, before])
  })

  it('a page that does not read is disconnected, and the others are not', async () => {
    const [slow, quick] = [await openLink(), await openLink()]
    slow.pause()
    let received = 0
    quick.on('message', () => {
      received += 1
    })
    const gone = once(slow, 'close')
    const text = 'x'.repeat(1_000_000)
    let sent = 0
    while (sent < 40) {
      fixture.emit(text)
      sent += 1
      await expect.poll(() => received).toBe(sent)
    }
    slow.resume()
    await gone
    expect(quick.readyState).toBe(quick.OPEN)
    quick.terminate()
  })
})

it('a thousand idle strangers keep nobody out, and few of them are kept', async () => {
  const sockets = await Promise.all(Array.from({ length: 1000 }, () => openSocket(fixture.port)))
  const { cookie } = await signIn(fixture.shell)
  expect(cookie).toMatch(/^assent-\d+=.{43}$/)
  const answer = await send(fixture.port, goodRequest('blob', { port: fixture.port, cookie }))
  expect([answer.status, blobSha.length]).toEqual([200, 64])
  await expect
    .poll(() => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length)
    .toBeLessThanOrEqual(MOST_UNAUTHENTICATED)
  for (const socket of sockets) socket.destroy()
})
