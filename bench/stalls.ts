// How long a server can hold the host's event loop: everything that it may send, in a size and in twice that size, through a whole host and a
// chat whose model calls its tool. `computedMs` is the processor time of the longest turn of the loop; 100 ms are promised.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startObedientHost } from '../e2e/attacks/obedient-host.ts'
import { order } from '../e2e/attacks/obey.ts'
import { strainOf } from './strain.ts'

const server = join(import.meta.dirname, 'stalls/server.mjs')
const million = 1_000_000
const texts =
  'letters words spaces quotes backslashes brackets marks hidden escapes dots base64 hex percent unicode addresses tokens colons lines returns emoji'

/** Shapes of server.mjs, with the smaller of two sizes. */
const shapes: Readonly<Record<string, number>> = {
  'many tools': 5000,
  'many tools of a sentence': 5000,
  'a description': million,
  'a description without a space': million,
  'a name': million,
  'a title': million,
  'properties of a schema': 20_000,
  'a deep schema': 2000,
  'an output schema': 20_000,
  'an enum': 50_000,
  'text blocks': 50_000,
  links: 50_000,
  'one long address': million,
  'a MIME type': million,
  'an image': 5 * million,
  'keys of an object': 50_000,
  'keys of metadata': 38_000,
  // Just below what is refused, so that twice of it is.
  'names of small objects': 33_000,
  'short texts': 145_000,
  'deep metadata': 290_000,
  'keys behind what is deep': 38_000,
  'unknown blocks': 290_000,
  'a deep object': 2000,
  'deep lists': 2000,
  'an error': 2 * million,
  ...Object.fromEntries(texts.split(' ').map((name) => [`text of ${name}`, 4 * million])),
  resources: 50_000,
  'a template': million,
  'arguments of a prompt': 20_000,
  instructions: 2 * million,
  'its own name': million,
  progress: 50_000,
  'log messages': 50_000,
  'changed lists': 20_000,
  'changed resources': 50_000,
  'unknown notifications': 50_000,
  'unknown responses': 50_000,
  pings: 20_000,
  'stderr without an end': 20 * million,
  'lines of stderr': 5 * million,
  'stdout without an end': 10 * million,
  'lines of stdout': million,
}

type Way = 'stdio' | 'json' | 'events'
/** Shapes that are measured of a remote server too: what it takes to parse them. */
const remote = /^(keys|names|short|deep|unknown blocks|text blocks|links|resources$|text of words)/

async function held(shape: string, size: number, way: Way) {
  const args = [server, shape, String(size)]
  const far = way === 'stdio' ? undefined : spawn(process.execPath, [...args, way], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = far ? ((await once(far.stdout, 'data')) as [Buffer]) : []
  const entry = far ? { url: `http://127.0.0.1:${String(port).trim()}/` } : { command: process.execPath, args }
  const host = await startObedientHost({ servers: { stalls: entry } })
  try {
    host.setPerson(() => ({ kind: 'allow', scope: 'once' }))
    const start = await strainOf(() => host.host.request('server.start', { name: 'stalls' }).catch(() => undefined))
    const turn = await strainOf(() => host.turn(order('stalls__go')))
    return { start: Math.round(start.computedMs), turn: Math.round(turn.computedMs) }
  } finally {
    await host.remove()
    far?.kill()
  }
}

/** `BENCH_SHAPE`: those alone whose name holds one of these, which a `|` parts. */
export async function benchStalls(): Promise<object> {
  const words = (process.env['BENCH_SHAPE'] ?? '').split('|')
  const all: Record<string, object> = {}
  for (const [shape, size] of Object.entries(shapes)) {
    if (!words.some((word) => shape.includes(word))) continue
    for (const way of remote.test(shape) ? (['stdio', 'json', 'events'] as const) : (['stdio'] as const)) {
      const name = way === 'stdio' ? shape : `${shape}, remote, ${way}`
      all[name] = { size, once: await held(shape, size, way), twice: await held(shape, 2 * size, way) }
      process.stderr.write(`${name}: ${JSON.stringify(all[name])}\n`)
    }
  }
  return { promisedMs: 100, processorMsOfTheLongestTurn: all }
}
