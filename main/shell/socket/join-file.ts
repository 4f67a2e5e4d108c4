// `join.json` in the profile: where the running host listens for commands, and the token that lets one in. Readable by its owner alone, like
// the database. Written once the host listens, removed when it ends; what a crash leaves names a socket that nobody answers on.
import { createHash, timingSafeEqual } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { orElse, parseJson } from '#app/or-else.ts'

const joinFile = z.object({
  /** Version of the host: another one may not have the same contract. */
  version: z.string(),
  /** Path of a Unix socket, or name of a pipe. */
  address: z.string().min(1),
  token: z.string().min(32).max(200),
  /** Whether no page or window shows what waits for the person. */
  headless: z.boolean().optional(),
})
export type JoinFile = z.infer<typeof joinFile>

export const joinFilePath = (dataDir: string): string => join(dataDir, 'join.json')

/** Request by which a host with a window asks a headless one to give the profile over. */
export const YIELD = 'host.yield'

/** Undefined: there is none, or another user could have written it, or could read its token. */
export function readJoinFile(dataDir: string): JoinFile | undefined {
  const path = joinFilePath(dataDir)
  if (!isOwn(path, 'file')) return undefined
  const text = orElse(() => readFileSync(path, 'utf8'), '')
  const read = joinFile.safeParse(parseJson(text)).data
  if (!read || process.platform === 'win32') return read
  return isOwn(dirname(read.address), 'folder') ? read : undefined
}

/** Whether only this user may read and write it. On Windows the profile's own permissions say that. */
function isOwn(path: string, kind: 'file' | 'folder'): boolean {
  const stat = orElse(() => lstatSync(path), undefined)
  if (!(kind === 'file' ? stat?.isFile() : stat?.isDirectory())) return false
  return process.platform === 'win32' || (stat?.uid === process.getuid?.() && ((stat?.mode ?? 0o777) & 0o077) === 0)
}

/** Compares in constant time. */
export const isToken = (token: string, shown: string): boolean => timingSafeEqual(sha256(token), sha256(shown))

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
