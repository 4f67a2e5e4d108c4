// Servers by how hard they are to end. Repetitions alternate between the ways to be of a shape.
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { findEngine } from '#main/servers/process/sandbox/find-engine.ts'
import { markArgument, markVariable } from './census.ts'

const unconfined = ['plain', 'wrapped', 'stubborn', 'grandchild'] as const
export type Shape = (typeof unconfined)[number] | 'sandboxed'

const hasSandbox = (await findEngine()).kind === 'bubblewrap'
if (!hasSandbox) process.stderr.write('Not run: servers in a sandbox. This computer has no bubblewrap.\n')
export const shapes: readonly Shape[] = [...unconfined, ...(hasSandbox ? (['sandboxed'] as const) : [])]

export const serverProgram = join(import.meta.dirname, 'server.mjs')
const npxLike = join(import.meta.dirname, 'npx-like.mjs')
const node = process.execPath

/** As few processes as each must be seen to have before it is ended. */
export const leastProcesses: Readonly<Record<Shape, number>> = {
  plain: 1,
  wrapped: 2,
  stubborn: 1,
  grandchild: 4,
  // bubblewrap outside and inside, the way to the proxy, and the server.
  sandboxed: 4,
}

export const markOf = (rep: string, shape: Shape): string => `${rep}.${shape}`

function commandLine(shape: Shape, odd: boolean): readonly string[] {
  switch (shape) {
    case 'plain':
      return [node, serverProgram]
    case 'wrapped':
      return odd ? [node, npxLike, serverProgram, 'stubborn'] : ['/bin/sh', '-c', `"${node}" "${serverProgram}"; true`]
    case 'stubborn':
      return [node, serverProgram, 'stubborn']
    case 'grandchild':
      return [node, serverProgram, 'family', ...(odd ? ['stubborn'] : [])]
    case 'sandboxed':
      return [node, serverProgram, ...(odd ? ['family', 'stubborn'] : [])]
  }
}

/** The text of a servers file with one server of each shape. */
export function serversFile(rep: string, odd: boolean): string {
  const entries = shapes.map((shape): [string, JsonObject] => {
    const [command = '', ...args] = commandLine(shape, odd)
    const mark = markOf(rep, shape)
    const isSandboxed = shape === 'sandboxed'
    // The environment of what makes the sandbox is not the server's.
    const marked = isSandboxed ? [`${markArgument}${mark}`] : []
    return [shape, { command, args: [...args, ...marked], env: { [markVariable]: mark }, sandboxEnabled: isSandboxed }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) })
}
