// A whole host with a model before it that does whatever anybody tells it, over the wire that the real one speaks; and
// whoever answers its questions. Launches are answered apart: nearly every attack begins with servers that were let in.
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import { makeTestHost, type TestHost, type TestHostOptions } from '#main/host/host.testing.ts'
import { createEnvironment } from '#main/servers/process/environment/environment.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { obey } from './obey.ts'

export const modelId = 'anthropic/claude-large-1'

/** Undefined leaves the question open. */
export type Person = (request: ConsentRequest) => ConsentAnswer | undefined

export interface ObedientHost {
  readonly test: TestHost
  readonly host: TestHost['host']
  readonly model: ModelServer
  /** All that was ever asked, in order. */
  readonly asked: readonly ConsentRequest[]
  /** Who answers from now on, but launches. */
  setPerson(person: Person): void
  /** Sends, and resolves with the conversation when the turn is over. */
  turn(text: string, conversationId?: string): Promise<string>
  remove(): Promise<void>
}

export interface ObedientHostOptions extends Pick<TestHostOptions, 'clock' | 'launchBuiltin' | 'env'> {
  /** The entries of `mcpServers`. None is started. */
  readonly servers: Readonly<Record<string, JsonObject>>
  /** Who answers launches; default: yes, for good. */
  readonly launches?: Person
}

const yes: Person = () => ({ kind: 'allow', scope: 'always' })

export async function startObedientHost({ servers, launches = yes, env, ...options }: ObedientHostOptions): Promise<ObedientHost> {
  const model = await startModelServer({ script: obey })
  const test = makeTestHost({
    servers: JSON.stringify({ mcpServers: servers }),
    environment: createEnvironment({ isTerminal: true }),
    env: { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: model.url, ...env },
    startServers: false,
    ...options,
  })
  const { host } = test
  const asked: ConsentRequest[] = []
  let person: Person = () => undefined
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    asked.push(request)
    const given = request.kind === 'launch' ? launches(request) : person(request)
    if (given) host.context.broker.answer(request.id, given)
  })
  await host.context.models.load()
  await host.context.models.refresh()
  await host.request('settings.set', { defaultModel: modelId })
  return {
    test,
    host,
    model,
    asked,
    setPerson(next) {
      person = next
    },
    async turn(text, conversationId) {
      const begun = await host.request('chat.send', { text, model: modelId, ...(conversationId === undefined ? {} : { conversationId }) })
      await host.context.chat.idle(begun.conversationId)
      return begun.conversationId
    },
    async remove() {
      await test.remove()
      await model.close()
    },
  }
}
