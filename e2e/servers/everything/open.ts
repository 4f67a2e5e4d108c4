// The reference server that "exercises all the features of the MCP protocol", over each of its transports.

import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openWholeHost, type WholeHost } from '../whole-host.ts'

export const transports = ['stdio', 'streamable-http', 'sse'] as const
type Transport = (typeof transports)[number]

const program = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url))
export const server = 'everything'
/** A variable of its environment, wherever it runs. */
export const variable = { EVERYTHING_MOOD: 'calm' }

export async function openEverything(transport: Transport, roots: readonly string[]): Promise<WholeHost> {
  if (transport === 'stdio') return openWholeHost(server, { command: process.execPath, args: [program, 'stdio'], env: variable }, roots)
  const { url, end } = await serveEverything(transport)
  const opened = await openWholeHost(server, { url }, roots)
  return {
    ...opened,
    async remove() {
      await opened.remove()
      await end()
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

/** Runs it behind a port of its own. Its word that it listens is no proof: it gives that for a port that is taken as well. */
export async function serveEverything(
  transport: 'streamable-http' | 'sse',
  tries = 3,
): Promise<{ readonly url: string; end(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, [program, transport === 'sse' ? 'sse' : 'streamableHttp'], {
    env: { ...process.env, ...variable, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // The server prints both at once where the port is taken.
  const lines: string[] = []
  const started = new Promise<boolean>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      if (line.includes(` port ${port}`)) setImmediate(() => resolve(!lines.some((one) => one.includes('Failed to start'))))
    })
    void exited.then(() => resolve(false))
  })
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  if (!(await started)) {
    await end()
    if (tries === 1) throw new Error('The server did not start')
    return serveEverything(transport, tries - 1)
  }
  // Neither a `type` nor the path says which transport it is: the host finds out.
  return { url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`, end }
}
