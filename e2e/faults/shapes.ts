// Servers by how hard they are to end. Repetitions alternate between the ways to be of a shape.
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { markVariable } from './census.ts'

export const shapes = ['plain', 'wrapped', 'stubborn', 'grandchild'] as const
export type Shape = (typeof shapes)[number]

export const serverProgram = join(import.meta.dirname, 'server.mjs')
const npxLike = join(import.meta.dirname, 'npx-like.mjs')
const node = process.execPath

/** As few processes as each must be seen to have before it is ended. */
export const leastProcesses: Readonly<Record<Shape, number>> = { plain: 1, wrapped: 2, stubborn: 1, grandchild: 4 }

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
  }
}

/** The text of a servers file with one server of each shape. */
export function serversFile(rep: string, odd: boolean): string {
  const entries = shapes.map((shape): [string, JsonObject] => {
    const [command = '', ...args] = commandLine(shape, odd)
    return [shape, { command, args: [...args], env: { [markVariable]: markOf(rep, shape) } }]
  })
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) })
}
