// What the sandbox costs a local server: a start from the spawn to the first answer, a call, and the memory of all its processes, with and
// without in the same run. Starts take turns, so that whatever else the machine does touches both alike.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { orElse } from '#app/or-else.ts'
import { noGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { createSandbox, type Sandbox } from '#main/servers/process/sandbox/sandbox.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { median, summarise, timed } from './statistics.ts'

const starts = 20
const calls = 1000
const script = join(import.meta.dirname, 'server.mjs')

/** Promises of the sandbox: milliseconds of a start and of a call (p50), and megabytes a server. */
const promised = { startMs: 80, callMs: 0.2, memoryMb: 15 }

async function open(home: string, sandbox: Sandbox | undefined) {
  const launch = {
    command: process.execPath,
    args: [script],
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    cwd: home,
    path: process.env['PATH'] ?? '',
    pathSource: 'terminal' as const,
  }
  const confined = await sandbox?.confine({ server: 'bench', grants: noGrants, launch, onAttempt: () => {} })
  const server = launchStdio({ ...launch, clock: systemClock, confined })
  let answered: () => void = () => {}
  server.transport.onmessage = () => answered()
  await server.transport.start()
  let id = 0
  const ask = async (): Promise<void> => {
    const answer = new Promise<void>((resolve) => {
      answered = resolve
    })
    id += 1
    await server.transport.send({ jsonrpc: '2.0', id, method: 'ping' } as JSONRPCMessage)
    await answer
  }
  await ask()
  return { server, ask }
}

/** Proportional memory of a process and its descendants, in megabytes. */
function memoryOf(pid: number): number {
  const parents = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? orElse(() => readFileSync(`/proc/${name}/stat`, 'latin1'), '') : ''
    return stat === '' ? [] : [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const]
  })
  const tree = [pid]
  for (const parent of tree) for (const [child, of] of parents) if (of === parent) tree.push(child)
  const sizes = tree.map((one) =>
    Number(/^Pss:\s+(\d+)/m.exec(orElse(() => readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'), ''))?.[1] ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

export async function benchSandbox(): Promise<Record<string, unknown>> {
  const root = mkdtempSync(join(tmpdir(), 'assent-bench-sandbox-'))
  const [home, dataDir] = [join(root, 'home'), join(root, 'data')]
  for (const folder of [home, dataDir]) mkdirSync(folder)
  const sandbox = createSandbox({ dataDir, home })
  const engine = await sandbox.engine()
  try {
    if (engine.kind === 'none') return { engine: engine.reason }
    const rows = {
      without: { starts: [] as number[], calls: [] as number[], memory: [] as number[] },
      with: { starts: [] as number[], calls: [] as number[], memory: [] as number[] },
    }
    for (let round = 0; round <= starts; round += 1) {
      for (const kind of ['without', 'with'] as const) {
        const begun = performance.now()
        const { server, ask } = await open(home, kind === 'with' ? sandbox : undefined)
        const took = performance.now() - begun
        // The first one fills the system's caches.
        if (round > 0) rows[kind].starts.push(took)
        for (let call = 0; call < calls / starts; call += 1) await timed(ask, rows[kind].calls)
        rows[kind].memory.push(memoryOf(server.pid ?? 0))
        await server.stop()
      }
    }
    const added = (of: 'starts' | 'calls' | 'memory'): number =>
      Math.round((median(rows.with[of]) - median(rows.without[of])) * 1000) / 1000
    return {
      engine: engine.kind,
      start: {
        without: summarise(rows.without.starts),
        with: summarise(rows.with.starts),
        addedMs: added('starts'),
        promisedMs: promised.startMs,
      },
      call: {
        without: summarise(rows.without.calls),
        with: summarise(rows.with.calls),
        addedMs: added('calls'),
        promisedMs: promised.callMs,
      },
      memory: {
        withoutMb: median(rows.without.memory),
        withMb: median(rows.with.memory),
        addedMb: added('memory'),
        promisedMb: promised.memoryMb,
      },
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
