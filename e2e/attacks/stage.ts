// Where an attack takes place: a whole host with an obedient model before it and puppets behind it, and all that happened
// outside the host as words: what servers ran and were told, what was fetched and opened, what the model was asked.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { JsonObject } from '#app/json.ts'
import type { Clock } from '#main/base/clock.ts'
import { makeTestHost, type TestHost } from '#main/host/testing.ts'
import { createEnvironment } from '#main/servers/stdio/environment.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import type { RawStdio, Wire } from '../servers/raw/relayed.ts'
import { obey } from './obey.ts'
import { entryOf, type Part, startPuppet } from './puppet.ts'

export const modelId = 'anthropic/claude-large-1'

/** Undefined leaves the question open. */
export type Person = (request: ConsentRequest) => ConsentAnswer | undefined

/** What an attack's servers may use. */
export interface Place {
  /** An address that nobody may fetch; whoever does is seen. */
  readonly lure: string
  /** Of the attack alone, empty. */
  readonly folder: string
}

export interface Stage extends Place {
  readonly test: TestHost
  readonly host: TestHost['host']
  readonly model: ModelServer
  /** All that was ever asked, in order. */
  readonly asked: readonly ConsentRequest[]
  /** All that ever happened outside, in order. */
  readonly effects: string[]
  /** Who answers from now on; launches are allowed by whoever built the stage. */
  setPerson(person: Person): void
  /** Sends, and resolves with the conversation when the turn is over. */
  turn(text: string, conversationId?: string): Promise<string>
  /** Of the process that was started last. */
  wire(server: string): Wire
}

export type Cast = Readonly<Record<string, Part>>

export interface StageOptions {
  /** The entry of each of them, where it has more than a command. */
  readonly more?: Readonly<Record<string, JsonObject>>
  /** Entries of servers that are no puppets. */
  readonly others?: Readonly<Record<string, JsonObject>>
  /** Who answers launches; default: yes, for good. */
  readonly launches?: Person
  /** Which are started first; default: all. */
  readonly starts?: readonly string[]
  readonly clock?: Clock
}

const yes: Person = () => ({ kind: 'allow', scope: 'always' })

/** Waits until it holds; throws with what it was when it does not come to it. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not come to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function onStage(
  cast: (place: Place) => Cast,
  play: (stage: Stage) => Promise<readonly string[]>,
  options: StageOptions = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-attack-'))
  const effects: string[] = []
  const trap = createServer((request, response) => {
    effects.push(`fetched ${request.url}`)
    response.end()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const lure = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`
  const parts = cast({ lure, folder })
  const puppets = new Map<string, RawStdio>()
  for (const [name, part] of Object.entries(parts)) puppets.set(name, await startPuppet(name, part, (effect) => effects.push(effect)))
  const model = await startModelServer({ script: obey })
  const entries = Object.fromEntries([...puppets].map(([name, puppet]) => [name, { ...entryOf(puppet), ...options.more?.[name] }]))
  const test = makeTestHost({
    servers: JSON.stringify({ mcpServers: { ...entries, ...options.others } }),
    environment: createEnvironment({ isTerminal: true }),
    env: { HOME: folder, ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: model.url },
    startServers: false,
    ...(options.clock ? { clock: options.clock } : {}),
  })
  const { host } = test
  const asked: ConsentRequest[] = []
  let person: Person = () => undefined
  const launches = options.launches ?? yes
  host.onEvent((event) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    asked.push(request)
    const given = request.kind === 'launch' ? launches(request) : person(request)
    if (given) host.parts.broker.answer(request.id, given)
  })
  const wrong: string[] = []
  try {
    await host.parts.models.load()
    await host.parts.models.refresh()
    await host.request('settings.set', { defaultModel: modelId })
    await Promise.all((options.starts ?? Object.keys(entries)).map((name) => host.request('server.start', { name })))
    const stage: Stage = {
      lure,
      folder,
      test,
      host,
      model,
      asked,
      effects,
      setPerson(next) {
        person = next
      },
      async turn(text, conversationId) {
        const begun = await host.request('chat.send', { text, model: modelId, ...(conversationId === undefined ? {} : { conversationId }) })
        await host.parts.chat.idle(begun.conversationId)
        return begun.conversationId
      },
      wire(server) {
        const puppet = puppets.get(server)
        if (!puppet) throw new Error(`there is no ${server}`)
        return puppet.wire
      },
    }
    wrong.push(...(await play(stage)))
    if (host.parts.store.audit.verify() !== undefined) wrong.push('the record does not verify')
    const leaked = effects.filter((effect) => effect.startsWith('fetched '))
    if (leaked.length > 0) wrong.push(`egress: ${leaked.join(', ')}`)
  } finally {
    await test.remove()
    await Promise.all([...puppets.values()].map((puppet) => puppet.close()))
    await model.close()
    trap.closeAllConnections()
    await new Promise((resolve) => trap.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  }
  return wrong
}
