// `assent serve` as a process: its first line, its link, its port, its end.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { keyFragment } from '#app/contract/host-connection.ts'
import { type Snapshot, snapshot } from '#app/contract/snapshot.ts'
import { onWindows } from '#main/base/this-system.testing.ts'
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts'
import { type CliBench, jsonLines, makeCliBench } from './cli.testing.ts'

let bench: CliBench
const running = new Set<ChildProcess>()
beforeAll(async () => {
  await buildIfNeeded()
  bench = makeCliBench()
})
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})
afterAll(() => bench.remove())

async function serve(profile: string, ...args: string[]): Promise<{ child: ChildProcess; url: URL }> {
  const child = bench.start(['serve', '--no-open', '--data-dir', join(bench.folder, profile), ...args])
  running.add(child)
  if (!child.stdout) throw new Error('no stdout')
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, url: new URL((JSON.parse(line) as { url: string }).url) }
}

interface Session {
  readonly cookie: string
  readonly key: string
}

async function signIn(url: URL): Promise<Session> {
  const answer = await fetch(url, { redirect: 'manual' })
  const key = new RegExp(`${keyFragment}([\\w-]+)`).exec(answer.headers.get('location') ?? '')?.[1] ?? ''
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', key }
}

async function ask(origin: string, { cookie, key }: Session, name: string, params: unknown = {}): Promise<unknown> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/link`, { headers: { Cookie: cookie, Origin: origin } })
  await once(socket, 'open')
  socket.send(JSON.stringify({ kind: 'hello', key }))
  socket.send(JSON.stringify({ kind: 'request', id: 1, name, params }))
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { kind: string; result: unknown }
      if (frame.kind !== 'response') return
      socket.terminate()
      resolve(frame.result)
    })
  })
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
}

it.skipIf(onWindows)('prints a link first that opens the page, and ends within five seconds with all that it started', async () => {
  const { child, url } = await serve('one')
  expect([url.hostname, url.searchParams.get('token')?.length]).toEqual(['127.0.0.1', 43])
  const session = await signIn(url)
  const page = await fetch(url.origin, { headers: { Cookie: session.cookie } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])

  let pid: number | undefined
  await expect
    .poll(async () => {
      const shown: Snapshot = snapshot.parse(await ask(url.origin, session, 'app.snapshot'))
      const state = shown.servers.find(({ name }) => name === 'demo')?.state
      if (state?.kind === 'ready') pid = state.pid
      return state?.kind
    })
    .toBe('ready')

  const started = Date.now()
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(Date.now() - started).toBeLessThan(5000)
  expect(pid !== undefined && isAlive(pid)).toBe(false)
})

// There a signal ends a process at once: what stops the host is tested by Ctrl-C's own event (exit-codes.test.ts).
it.skipIf(onWindows)('ends in good order when the same signal comes twice, as it does through npm', async () => {
  const { child } = await serve('twice')
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('never writes its token, cookie or key to stderr', async () => {
  const { child, url } = await serve('two', '--verbose')
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const { cookie, key } = await signIn(url)
  await ask(url.origin, { cookie, key }, 'config.get')
  const ended = once(child, 'close')
  child.kill('SIGTERM')
  await ended
  const secrets = [url.searchParams.get('token') ?? '', cookie.split('=')[1] ?? '', key]
  expect(secrets.map((secret) => [secret.length, stderr.includes(secret)])).toEqual(secrets.map(() => [43, false]))
})

it('lets its record be read and checked while it runs', async () => {
  const { url } = await serve('read')
  const dataDir = join(bench.folder, 'read')
  const session = await signIn(url)
  await ask(url.origin, session, 'config.save', { text: '{ "mcpServers": {} }' })
  const run = await bench.run(['audit', '--data-dir', dataDir, '--json', '--verify'])
  expect([run.code, jsonLines(run).at(-1)]).toMatchObject([0, { kind: 'config', decision: 'saved' }])
  // It runs on, and writes on.
  await ask(url.origin, session, 'config.save', { text: '{ "mcpServers": {} } ' })
  expect(jsonLines(await bench.run(['audit', '--data-dir', dataDir, '--json']))).toHaveLength(jsonLines(run).length + 1)
})

it('exits 1 when its port is taken, and names it', async () => {
  const { url } = await serve('three')
  const second = await bench.run(['serve', '--no-open', '--port', url.port, '--data-dir', join(bench.folder, 'four')])
  expect([second.code, second.stdout, second.stderr.includes(url.port), second.stderr.includes('--port 0')]).toEqual([1, '', true, true])
})

it('exits 1 when its profile is in use', async () => {
  await serve('five')
  const second = await bench.run(['serve', '--no-open', '--data-dir', join(bench.folder, 'five')])
  expect([second.code, second.stdout]).toEqual([1, ''])
})

it('leaves signals alone when it could not start', async () => {
  await serve('six')
  const run = async (profile: string): Promise<number | null> =>
    (await bench.runShared(['serve', '--no-open', '--data-dir', join(bench.folder, profile)], {}, { endAfterMs: 1500 })).code
  // The signal of each later command would end the process, were it still heard by the first.
  expect([await run('six'), await run('seven'), await run('seven')]).toEqual([1, 0, 0])
})
