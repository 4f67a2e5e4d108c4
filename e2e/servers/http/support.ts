// What the tests beside share: raw servers that are closed after each, and the host's own connection layer on top of them.
import { afterEach, expect } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { approve, closeServers, http, makeServers, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import { type Answer, type RawHttp, rawHttp } from './raw-http.ts'

export const { signal } = new AbortController()
const open: RawHttp[] = []

/** For the top of each file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    expect(await closeServers()).toEqual([])
    await Promise.all(open.splice(0).map((raw) => raw.close()))
  })
}

export async function serve(answer: Answer, tls?: Parameters<typeof rawHttp>[1]): Promise<RawHttp> {
  const raw = await rawHttp(answer, tls)
  open.push(raw)
  return raw
}

export const host = (raw: RawHttp): TestServers => makeServers({ raw: http(raw.url) })

export async function call(servers: TestServers, tool: string, args: JsonObject = {}): Promise<unknown> {
  const { result } = await servers.call(approve(servers, 'raw', tool, args), { signal })
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text
}
