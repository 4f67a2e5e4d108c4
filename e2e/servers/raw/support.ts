// What the tests beside share: a raw server behind the host's own connection layer, and all that it was sent.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, closeServers, makeServers, raw, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import type { ServersContext } from '#main/servers/lifecycle/servers-context.ts'
import type { Incoming } from './lines.ts'

export const { signal } = new AbortController()
const folders: string[] = []

/** For the top of each file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    expect(await closeServers()).toEqual([])
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
}

export interface Recorded {
  readonly servers: TestServers
  /** What the server read, in order. */
  seen(): Incoming[]
  /** The params of all requests or notifications of a method. */
  seenParams(method: string): Incoming['params'][]
}

/** The server `manners` under the name `raw`. */
export function host(kind = '', more: Partial<ServersContext> = {}): Recorded {
  const folder = mkdtempSync(join(tmpdir(), 'assent-raw-'))
  folders.push(folder)
  const record = join(folder, 'seen.jsonl')
  const servers = makeServers({ raw: raw('manners', record, kind) }, more)
  const seen = (): Incoming[] =>
    existsSync(record)
      ? readFileSync(record, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Incoming)
      : []
  return { servers, seen, seenParams: (method) => seen().flatMap((one) => (one.method === method ? [one.params] : [])) }
}

/** The text of a call's answer. */
export async function call(servers: TestServers, tool: string, args: JsonObject = {}, over: AbortSignal = signal): Promise<string> {
  const { result } = await servers.call(approve(servers, 'raw', tool, args), { signal: over })
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text ?? ''
}
