// What the tests of raw stdio share: the relayed server of `relayed.ts` behind the host's own connection layer.
import { afterEach, expect } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import type { CallOptions } from '#main/servers/client/requests/running-calls.ts'
import { approve, closeServers, makeServers, raw, type TestServers } from '#main/servers/lifecycle/servers.testing.ts'
import type { ServersContext } from '#main/servers/lifecycle/servers-context.ts'
import { type Answer, type Message, type RawMemory, type RawStdio, rawMemory, rawStdio } from './relayed.ts'

export const { signal } = new AbortController()
const open: RawStdio[] = []

/** For the top of each file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    expect(await closeServers()).toEqual([])
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
}

export async function serveByProcess(answer: Answer): Promise<RawStdio> {
  const made = await rawStdio(answer)
  open.push(made)
  return made
}

/** Serves in memory, since what goes over the wire is tested. */
export const serve = rawMemory

export const host = (made: RawStdio | RawMemory, more: Partial<ServersContext> = {}): TestServers =>
  'path' in made
    ? makeServers({ raw: raw('relay', made.path) }, more)
    : makeServers({ raw: raw('relay') }, { launchCommand: made.launchCommand, ...more })

/** A host whose server is ready. */
export async function started(answer: Answer, more: Partial<ServersContext> = {}): Promise<{ made: RawMemory; servers: TestServers }> {
  const made = serve(answer)
  const servers = host(made, more)
  await servers.start('raw')
  return { made, servers }
}

/** A host whose server is ready, with a process of its own. */
export async function startedByProcess(
  answer: Answer,
  more: Partial<ServersContext> = {},
): Promise<{ made: RawStdio; servers: TestServers }> {
  const made = await serveByProcess(answer)
  const servers = host(made, more)
  await servers.start('raw')
  return { made, servers }
}

export async function call(
  servers: TestServers,
  tool: string,
  args: JsonObject = {},
  options: Partial<CallOptions> = {},
): Promise<string | undefined> {
  const { result } = await servers.call(approve(servers, 'raw', tool, args), { signal, ...options })
  return (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text
}

export const fails = (code: string, data: object = {}): unknown => expect.objectContaining({ code, data: expect.objectContaining(data) })
export const tokenOf = (message: Message): unknown => (message.params?.['_meta'] as JsonObject | undefined)?.['progressToken']
