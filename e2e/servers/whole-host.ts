// A whole host with one real server: what the server asks is answered by `say`, and what the host asked the person, and
// opened, can be read back.
import type { ConsentAnswer, ConsentKind, ConsentRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { newId } from '#main/base/ids.ts'
import { makeTestHost, type TestHost } from '#main/host/host.testing.ts'
import type { CallOptions } from '../../main/servers/client/requests/running-calls.ts'

export interface WholeHost {
  readonly host: TestHost['host']
  /** What the person was asked, in order; answered by `say`, else with a plain yes. */
  readonly asked: ConsentRequest[]
  say(kind: ConsentKind, answer: ConsentAnswer): void
  /** Pages that were opened. */
  readonly opened: readonly string[]
  call(tool: string, args?: JsonObject, options?: Partial<CallOptions>): Promise<JsonObject>
  read(uri: string): Promise<JsonObject>
  /** Disposes of the host, and of its profile. */
  remove(): Promise<void>
}

/** `entry`: what stands in the servers file under the name. It is started, and ready. `said`: before it was. */
export async function openWholeHost(
  server: string,
  entry: JsonObject,
  roots: readonly string[],
  said: readonly (readonly [ConsentKind, ConsentAnswer])[] = [],
): Promise<WholeHost> {
  const asked: ConsentRequest[] = []
  const answers = new Map<ConsentKind, ConsentAnswer>(said)
  const { host, platform, remove } = makeTestHost({
    servers: JSON.stringify({ mcpServers: { [server]: entry } }),
    startServers: false,
    roots,
    policy(request) {
      asked.push(request)
      return answers.get(request.kind) ?? { kind: 'allow', scope: 'once' }
    },
  })
  const { servers, broker } = host.context
  const { signal } = new AbortController()
  await servers.start(server)
  return {
    host,
    asked,
    say: (kind, answer) => void answers.set(kind, answer),
    opened: platform.opened,
    async call(name, args = {}, options = {}) {
      const tool = servers.catalogue(server).tools.find((each) => each.name === name)
      if (!tool) throw new Error(`The server offers no tool ${name}`)
      const verdict = await broker.toolCall({ server, callId: newId(), tool, trusted: false, local: true, arguments: args, signal })
      if (verdict.kind !== 'allowed') throw new Error(`The call of ${name} was not allowed`)
      return (await servers.call(verdict.approval, { ...verdict.approval, signal, ...options })).result
    },
    read: (uri) => servers.readResource(server, uri, { signal }),
    remove,
  }
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly uri?: string
  readonly resource?: { readonly uri: string; readonly blob?: string; readonly text?: string }
}
export const blocks = (result: JsonObject): readonly Block[] => result['content'] as unknown as readonly Block[]
export const textOf = (result: JsonObject): string =>
  blocks(result)
    .flatMap((block) => block.text ?? [])
    .join('\n')
