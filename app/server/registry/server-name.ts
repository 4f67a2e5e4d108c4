import { serverName } from '../definition.ts'

/** Says nothing of which server it is. */
const anyServer = /^(?:mcp|server|mcp-?server|server-?mcp|main|app)$/i

/** What a server of that entry is called here until the person says otherwise: `io.github.somebody/weather-mcp` → `weather`. */
export function nameForEntry(entryName: string): string {
  const [space = '', own = ''] = entryName.split('/')
  const short = (own || space)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^(?:mcp-server-|server-|mcp-)(?=.)/i, '')
    .replace(/(?<=.)(?:-mcp-server|-server-mcp|-mcp|-server)$/i, '')
    .replace(/^[-._]+|[-._]+$/g, '')
  const name = (anyServer.test(short) || short === '' ? (space.split('.').at(-1) ?? '') : short).slice(0, 64)
  return serverName.safeParse(name).success ? name : 'server'
}
