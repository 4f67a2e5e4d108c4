import { expect, test } from 'vitest'
import type { LaunchTarget } from '#app/consent/request.ts'
import { HostError } from '#app/errors.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import type { ServerEvent } from '#app/server/next-server-state.ts'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import type { Connection } from '../client/connection/connection.ts'
import { createRecorder } from '../process/start-recorder.ts'
import { Launch, type LaunchContext } from './launch.ts'
import { fakeBroker } from './servers.testing.ts'
import { createStartQueue } from './start-queue.ts'

const definition: StdioDefinition = {
  enabled: true,
  start: 'needed',
  trusted: false,
  transport: 'stdio',
  command: 'node',
  args: ['server.js'],
  env: {},
}

/** One start of `notes` by a connection that is never really made; what was told and what was closed. */
function start(more: Partial<LaunchContext> = {}, onStep: (event: ServerEvent) => void = () => undefined) {
  const clock = manualClock()
  const seen: string[] = []
  const connection = {
    session: { era: 'legacy', protocolVersion: '2025-06-18', foundBy: 'initialize', transport: 'stdio', offers: [] },
    ended: new Promise<never>(() => undefined),
    close: async () => void seen.push('closed'),
  } as unknown as Connection
  const context: LaunchContext = {
    name: 'notes',
    store: { putSession: () => void seen.push('kept') },
    broker: fakeBroker(),
    clock,
    catalogue: { refresh: async () => void seen.push('lists'), current: () => ({}) } as never,
    async connect({ mayLaunch, definition: opened }) {
      await mayLaunch()
      seen.push(`opened in ${opened.transport === 'stdio' ? opened.cwd : ''}`)
      return connection
    },
    startQueue: createStartQueue({ clock }),
    resolveBuiltinVariables: (given) => given,
    proposeSandbox: async () => ({}),
    folderOf: () => ({ path: '/really/here', asShown: true }),
    inputValues: async () => new Map(),
    packages: { find: async () => 'unreachable', ready: async (given) => ({ definition: given }) },
    shown: (error) => error,
    shownSession: (session) => session,
    doctor: { recorder: createRecorder(clock), doubt: () => ({}) as never },
    ...more,
  }
  const control = new AbortController()
  const run = new Launch(context).run(
    {
      definition: () => definition,
      session: () => undefined,
      signal: control.signal,
      step(event: ServerEvent) {
        seen.push(event.kind)
        onStep(event)
      },
      onConnected: () => void seen.push('connected'),
    },
    true,
  )
  return { run, seen, control }
}

test('asks, opens in the folder that was approved, lists, and is kept', async () => {
  const { run, seen } = start()
  await expect(run).resolves.toMatchObject({ session: { era: 'legacy' } })
  expect(seen).toEqual(['launched', 'opened in /really/here', 'connected', 'step', 'lists', 'kept'])
})

test('tells that its package is fetched, once something is', async () => {
  const ready: LaunchContext['packages']['ready'] = async (given, _pinned, { onFetch }) => {
    onFetch?.()
    return { definition: given }
  }
  const steps: string[] = []
  const { run } = start(
    {
      packages: { find: async () => 'unreachable', ready },
      proposeSandbox: async () =>
        ({ sandbox: { kind: 'on', read: [], write: [], hosts: [], denyHosts: [], denyRead: [], ownFolder: '' } }) as never,
      resolveBuiltinVariables: (given) => ({ ...given, command: 'npx', args: ['-y', 'notes-mcp'] }) as typeof given,
    },
    (event) => event.kind === 'step' && steps.push(event.step),
  )
  await run
  expect(steps).toEqual(['fetching', 'launching', 'listing'])
})

test('asks nobody while a value is missing that the answer would be bound to', async () => {
  const { run, seen } = start({
    resolveBuiltinVariables: (given) => ({ ...given, env: { TOKEN: `\${input:token}` } }) as typeof given,
    inputValues: () => Promise.reject(new HostError('server.secret-missing', 'none')),
  })
  await expect(run).rejects.toMatchObject({ code: 'server.secret-missing' })
  expect(seen).toEqual([])
})

test('opens nothing that was denied', async () => {
  const { run, seen } = start({ broker: fakeBroker('deny') })
  await expect(run).rejects.toMatchObject({ code: 'server.refused' })
  expect(seen).toEqual(['asked', 'refused'])
})

test('opens nothing once it is called off', async () => {
  const { run, seen, control } = start({ broker: fakeBroker('wait') })
  await new Promise((resolve) => setImmediate(resolve))
  control.abort(new HostError('server.stopped', 'stopped'))
  await expect(run).rejects.toMatchObject({ code: 'server.stopped' })
  expect(seen).toEqual(['asked'])
})

test('opens nothing else than what was approved', async () => {
  const broker = fakeBroker()
  const other: LaunchTarget = { transport: 'stdio', command: 'other', args: [], envNames: [] }
  const { run, seen } = start({
    broker: {
      packageInstalled: () => undefined,
      setSandbox: () => undefined,
      launch: async (question) => await broker.launch({ ...question, target: other }),
    },
  })
  await expect(run).rejects.toMatchObject({ code: 'internal' })
  expect(seen).toEqual([])
})

test('closes a server whose lists fail, and says why', async () => {
  const failed = new HostError('server.protocol', 'no list')
  const { run, seen } = start({ catalogue: { refresh: () => Promise.reject(failed), current: () => ({}) } as never })
  await expect(run).rejects.toBe(failed)
  expect(seen).toEqual(['launched', 'opened in /really/here', 'connected', 'step', 'closed'])
})
