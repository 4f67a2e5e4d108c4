import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

const open: (Server | GuardedFetch)[] = []

afterEach(async () => {
  for (const one of open.splice(0))
    if ('fetch' in one) await one.close()
    else {
      one.closeAllConnections()
      await new Promise((resolve) => one.close(resolve))
    }
})

async function serve(answer: RequestListener): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function guarded(url: string, more: Partial<GuardedFetchOptions> = {}): GuardedFetch {
  const made = createGuardedFetch({ server: 'a', url, ...more })
  open.push(made)
  return made
}

const fails = (reason: string, data: object = {}) =>
  expect.objectContaining({ code: 'server.sign-in-failed', data: expect.objectContaining({ reason, ...data }) })
const outside = 'https://93.184.216.34/mcp'

it('a server outside leads nobody into this machine or its network', async () => {
  const { origin, asked } = await serve((_request, response) => void response.end('{}'))
  const { fetch, check } = guarded(outside)
  const { port } = new URL(origin)
  await expect(fetch(origin)).rejects.toEqual(fails('address-refused', { problem: 'insecure' }))
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
    await expect(fetch(`https://${host}:${port}/`)).rejects.toEqual(fails('address-refused', { problem: 'private' }))
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]'])
    await expect(check(`https://${host}/`)).rejects.toEqual(fails('address-refused', { problem: 'private' }))
  expect(asked).toEqual([])
})

it('what the person typed may lie in their own network, in the clear on this machine alone', async () => {
  const { origin } = await serve((_request, response) => void response.end('{"a":1}'))
  const { fetch, check } = guarded(outside, { trusted: [origin, 'https://10.0.0.1', 'http://10.0.0.2'] })
  expect(await (await fetch(`${origin}/token`)).json()).toEqual({ a: 1 })
  await check('https://10.0.0.1/token')
  await expect(check('http://10.0.0.2/token')).rejects.toEqual(fails('address-refused', { problem: 'insecure' }))
})

it('an answer is as long as such answers are, and no longer', async () => {
  const { origin } = await serve(
    (request, response) => void response.end('x'.repeat(request.url === '/long' ? 1024 * 1024 + 1 : 1024 * 1024)),
  )
  const { fetch } = guarded(origin)
  expect((await (await fetch(`${origin}/short`)).text()).length).toBe(1024 * 1024)
  await expect(fetch(`${origin}/long`)).rejects.toEqual(fails('answer-invalid'))
})

it('a redirect that is left to the caller is not followed', async () => {
  const { origin, asked } = await serve((_request, response) => void response.writeHead(302, { location: '/there' }).end())
  const response = await guarded(origin).fetch(`${origin}/here`, { redirect: 'manual' })
  expect([response.status, asked]).toEqual([302, ['GET /here']])
})

it('whoever leaves is told their own reason, and one who is not there is said to be so', async () => {
  const { origin } = await serve(() => undefined)
  const { fetch } = guarded(origin)
  const control = new AbortController()
  const waiting = fetch(origin, { signal: control.signal })
  control.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await expect(fetch('http://127.0.0.1:1/')).rejects.toEqual(fails('unreachable'))
})
