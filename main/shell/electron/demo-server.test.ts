import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ServerProcess } from '#main/servers/process/server-process.ts'
import { resetElectron } from '../../../e2e/electron-fake/electron.ts'
import { callsOf } from '../../../e2e/electron-fake/record.ts'
import { type FakeUtilityProcess, forked } from '../../../e2e/electron-fake/system.ts'
import { createBuiltinLauncher, splitLines } from './demo-server.ts'

vi.mock('electron', () => import('../../../e2e/electron-fake/electron.ts'))

let killed: number[]
let timers: { ms: number; run: () => void; cancelled: boolean }[]
beforeEach(() => {
  resetElectron()
  killed = []
  timers = []
})

function launch(): { readonly server: ServerProcess; readonly child: FakeUtilityProcess } {
  const launcher = createBuiltinLauncher({
    folder: '/app/dist/main',
    env: { HOME: '/home/maya', PATH: '/bin', ANTHROPIC_API_KEY: 'sk-secret' },
    clock: {
      now: () => 0,
      after(ms, run) {
        const timer = { ms, run, cancelled: false }
        timers.push(timer)
        return () => {
          timer.cancelled = true
        }
      },
    },
    kill: (pid) => killed.push(pid),
  })
  const server = launcher('demo', { ASSENT_DEMO_DIR: '/profile/demo' })
  const child = forked.at(-1)
  if (!child) throw new Error('nothing was forked')
  child.pid = 4321
  return { server, child }
}

test('it runs from the host’s own bundle, and gets nothing of the person’s environment but what programs need', () => {
  launch()
  expect(callsOf('utilityProcess.fork')).toEqual([
    [
      '/app/dist/main/demo-server-port.js',
      [],
      {
        env: { HOME: '/home/maya', PATH: '/bin', ASSENT_DEMO_DIR: '/profile/demo' },
        stdio: ['ignore', 'pipe', 'pipe'],
        serviceName: 'Assent demo server',
      },
    ],
  ])
})

test('messages go both ways; what is no JSON-RPC is an error and no message', async () => {
  const { server, child } = launch()
  const heard: unknown[] = []
  const errors: Error[] = []
  server.transport.onmessage = (message) => heard.push(message)
  server.transport.onerror = (error) => errors.push(error)
  const started = server.transport.start()
  child.fire('spawn')
  await started
  await server.transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  child.fire('message', { jsonrpc: '2.0', id: 1, result: {} })
  child.fire('message', { hello: 'world' })
  expect([child.posted, heard, errors.length]).toEqual([
    [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1, result: {} }],
    1,
  ])
})

test('its output comes by line, the last unfinished one too', async () => {
  const { server, child } = launch()
  const lines = { stderr: [] as string[], stdout: [] as string[] }
  const stop = server.onOutput((source, line) => lines[source].push(line))
  child.stderr.write('first\r\nsec')
  child.stderr.write('ond\nth')
  child.stderr.end('ird')
  child.stdout.end('stray\n')
  await expect.poll(() => lines).toEqual({ stderr: ['first', 'second', 'third'], stdout: ['stray'] })
  stop()
})

describe('its end', () => {
  test('before it was ready is an error to whoever starts it', async () => {
    const { server, child } = launch()
    const started = server.transport.start()
    child.exit(1)
    await expect(started).rejects.toMatchObject({ code: 'server.exited' })
  })

  test('closes the transport and is told with its code; nothing more can be sent', async () => {
    const { server, child } = launch()
    let closed = 0
    server.transport.onclose = () => (closed += 1)
    child.fire('spawn')
    child.exit(7)
    expect([await server.exited, closed]).toEqual([{ code: 7, signal: null }, 1])
    await expect(server.transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toMatchObject({ code: 'server.connection-lost' })
  })

  test('is told after its last words, which may come later than the exit; what V8 gave up on is one of them', async () => {
    const { server, child } = launch()
    const lines: string[] = []
    server.onOutput((_source, line) => lines.push(line))
    // docs/api/utility-process.md, Event `error`: type, location, report.
    child.fire('error', 'FatalError', 'v8::internal::Heap', '{}')
    child.exit(133, { stderr: 'heap out of memory' })
    await server.exited
    expect(lines).toEqual(['FatalError in v8::internal::Heap', 'heap out of memory'])
  })

  test('does not wait long for a pipe that something else holds open', async () => {
    const { server, child } = launch()
    child.fire('exit', 5)
    timers.at(-1)?.run()
    expect([await server.exited, timers.at(-1)?.ms]).toEqual([{ code: 5, signal: null }, 250])
  })

  test('is asked for first, and made after two seconds', async () => {
    const { server, child } = launch()
    const stopped = server.stop()
    expect([child.kills, killed, timers.map(({ ms }) => ms)]).toEqual([1, [], [2000]])
    timers[0]?.run()
    expect(killed).toEqual([4321])
    child.exit(9)
    expect(await stopped).toEqual({ code: 9, signal: null })
  })

  test('leaves no timer behind when it comes in time', async () => {
    const { server, child } = launch()
    const stopped = server.stop()
    child.exit(0)
    await stopped
    await expect.poll(() => timers[0]?.cancelled).toBe(true)
    expect(killed).toEqual([])
  })

  test('asked for twice comes at once', () => {
    const { server } = launch()
    void server.stop()
    void server.stop()
    expect(killed).toEqual([4321])
  })
})

async function linesOf(chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const stream = new PassThrough()
  const lines: string[] = []
  const ended = splitLines(stream, (line) => lines.push(line))
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  await ended
  return lines
}

test('a character that is cut in two between chunks is whole again', async () => {
  const bytes = Buffer.from('é\n')
  expect(await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(['é'])
})

test('a line without end costs no more than its limit, and the next one is whole', async () => {
  const [long = '', next] = await linesOf([...Array(40).fill('x'.repeat(1000)), '\nnext\n'])
  expect([long.length < 16_010, long.endsWith('…'), next]).toEqual([true, true, 'next'])
})
