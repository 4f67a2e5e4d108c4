// A model that does whatever anybody tells it, over the wire that the real one speaks; and a host with the demo server
// and a hostile one behind it. What reached a server, a browser or the model is counted, and held against the record.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditRow } from '#app/consent/audit.ts'
import type { ConsentAnswer, ConsentRequest } from '#app/consent/request.ts'
import type { HostEvent } from '#app/contract/events.ts'
import type { Json, JsonObject } from '#app/json.ts'
import { makeTestHost, type TestHost } from '#main/host/testing.ts'
import { createEnvironment } from '#main/servers/stdio/environment.ts'
import { launchBuiltin } from '#main/shell/node/launch-builtin.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { obey } from './obey.ts'

export const modelId = 'anthropic/claude-large-1'
const root = join(import.meta.dirname, '../..')

export type Person = (request: ConsentRequest) => ConsentAnswer | undefined

/** What the hostile server wrote down. */
interface Noted {
  readonly call?: string
  readonly arguments?: Json
  readonly answer?: string
  readonly result?: JsonObject | null
}

export interface Attack {
  readonly test: TestHost
  readonly model: ModelServer
  /** All that was ever asked, in order. */
  readonly asked: readonly ConsentRequest[]
  /** Who answers from now on; undefined leaves the question open. */
  setPerson(person: Person): void
  /** Sends, and resolves when the turn is over. */
  turn(text: string, conversationId?: string): Promise<string>
  noted(): Noted[]
  /** Calls that reached the hostile server, by the tool's name. */
  reached(): string[]
  rows(): AuditRow[]
  /** The names in the demo server's folder. */
  invoices(): string[]
  /** Requests to the address that nobody may fetch. */
  readonly fetched: string[]
  remove(): Promise<void>
}

/** Of what a call sends, as the record has it. */
export const digestOf = (args: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(args, null, 2))
    .digest('hex')

/** `names`: what the hostile server is called; each gets a process and all write into the same file. */
export async function startAttack(names: readonly string[] = ['hostile']): Promise<Attack> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-attack-'))
  const record = join(folder, 'record.jsonl')
  writeFileSync(record, '')
  const fetched: string[] = []
  const lure = createServer((request, response) => {
    fetched.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => lure.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(lure.address() as AddressInfo).port}/`
  const model = await startModelServer({ script: obey })
  const hostile = { command: process.execPath, args: [join(root, 'e2e/servers/raw/hostile.ts'), record, address] }
  const test = makeTestHost({
    servers: JSON.stringify({ mcpServers: { demo: { builtin: 'demo' }, ...Object.fromEntries(names.map((name) => [name, hostile])) } }),
    launchBuiltin,
    environment: createEnvironment({ isTerminal: true }),
    env: { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: model.url },
    startServers: false,
  })
  const { host } = test
  const asked: ConsentRequest[] = []
  let person: Person = () => undefined
  host.onEvent((event: HostEvent) => {
    if (event.name !== 'consent.opened') return
    const { request } = event.payload
    asked.push(request)
    const given = request.kind === 'launch' ? ({ kind: 'allow', scope: 'always' } as const) : person(request)
    if (given) host.parts.broker.answer(request.id, given)
  })
  await host.parts.models.load()
  await host.parts.models.refresh()
  await host.request('settings.set', { defaultModel: modelId })
  for (const name of ['demo', ...names]) await host.request('server.start', { name })

  const noted = (): Noted[] =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Noted)
  return {
    test,
    model,
    asked,
    setPerson(next) {
      person = next
    },
    async turn(text, conversationId) {
      const begun = await host.request('chat.send', { text, model: modelId, ...(conversationId === undefined ? {} : { conversationId }) })
      await host.parts.chat.idle(begun.conversationId)
      return begun.conversationId
    },
    noted,
    reached: () => noted().flatMap(({ call }) => (call === undefined ? [] : [call])),
    rows: () => [...host.parts.store.audit.all()],
    invoices: () => readdirSync(join(test.dataDir, 'demo')).sort(),
    fetched,
    async remove() {
      await test.remove()
      await model.close()
      await new Promise((resolve) => lure.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Calls that reached the hostile server without a row that says that very call was allowed and sent. Must be none. */
export function unapproved({ noted, rows }: Pick<Attack, 'noted' | 'rows'>): string[] {
  const allowed = new Set(
    rows()
      .filter(({ kind, decision }) => kind === 'decision' && decision === 'allowed')
      .map(({ detail }) => detail['callId']),
  )
  const sent = rows()
    .filter(({ kind, detail }) => kind === 'call' && allowed.has(detail['callId']))
    .map(({ tool, detail }) => `${tool} ${String(detail['sha256'])}`)
  return noted().flatMap(({ call, arguments: args }) => {
    if (call === undefined) return []
    const at = sent.indexOf(`${call.toWellFormed()} ${digestOf(args ?? {})}`)
    if (at < 0) return [call]
    sent.splice(at, 1)
    return []
  })
}
