// What the sandbox costs a local server: a start from the spawn to the first answer, a call, and the memory of all its processes, with and
// without in the same run. Starts take turns, so that whatever else the machine does touches both alike.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { orElse } from '#app/or-else.ts'
import { noGrants, type SandboxGrants } from '#app/server/sandbox/sandbox-settings.ts'
import { systemClock } from '#main/base/clock.ts'
import { createSandbox, type Sandbox } from '#main/servers/process/sandbox/sandbox.ts'
import { launchStdio } from '#main/servers/transport/stdio/stdio-process.ts'
import { median, summarise, timed } from './statistics.ts'

const starts = 20
const calls = 1000
const script = join(import.meta.dirname, 'server.mjs')

/** Promises of the sandbox: milliseconds of a start and of a call (p50), and megabytes a server. */
const promised = { startMs: 80, callMs: 0.2, memoryMb: 15 }

/** Grants of a start. A host that is named with its port has a program of its own that leads to it. */
const shapes = {
  without: undefined,
  with: noGrants,
  withPort: { ...noGrants, hosts: ['db.example.com:5432'] },
} as const satisfies Record<string, SandboxGrants | undefined>
type Shape = keyof typeof shapes

async function open(home: string, sandbox: Sandbox, grants: SandboxGrants | undefined) {
  const launch = {
    command: process.execPath,
    args: [script],
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    cwd: home,
    path: process.env['PATH'] ?? '',
    pathSource: 'terminal' as const,
  }
  const confined = grants && (await sandbox.confine({ server: 'bench', grants, launch, onAttempt: () => {} }))
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
    const none = () => ({ starts: [] as number[], calls: [] as number[], memory: [] as number[] })
    const rows = { without: none(), with: none(), withPort: none() }
    for (let round = 0; round <= starts; round += 1) {
      for (const kind of Object.keys(shapes) as Shape[]) {
        const begun = performance.now()
        const { server, ask } = await open(home, sandbox, shapes[kind])
        const took = performance.now() - begun
        // The first one fills the system's caches.
        if (round > 0) rows[kind].starts.push(took)
        for (let call = 0; call < calls / starts; call += 1) await timed(ask, rows[kind].calls)
        rows[kind].memory.push(memoryOf(server.pid ?? 0))
        await server.stop()
      }
    }
    const cost = (of: 'starts' | 'calls' | 'memory', promise: number) => {
      const added = (kind: Shape): number => Math.round((median(rows[kind][of]) - median(rows.without[of])) * 1000) / 1000
      const all = Object.fromEntries(
        (Object.keys(shapes) as Shape[]).map((kind) => [kind, of === 'memory' ? median(rows[kind][of]) : summarise(rows[kind][of])]),
      )
      return { ...all, added: added('with'), addedWithPort: added('withPort'), promised: promise }
    }
    return {
      engine: engine.kind,
      startMs: cost('starts', promised.startMs),
      callMs: cost('calls', promised.callMs),
      memoryMb: cost('memory', promised.memoryMb),
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
