import { join } from 'node:path'

export const goodCount = 40
export const goodServer = join(import.meta.dirname, 'good-server.mjs')

const goodName = (n: number): string => `good-${String(n).padStart(2, '0')}`
export const goodServers: Readonly<Record<string, { readonly command: string; readonly args: string[] }>> = Object.fromEntries(
  Array.from({ length: goodCount }, (_, n) => [goodName(n), { command: process.execPath, args: [goodServer, goodName(n)] }]),
)
