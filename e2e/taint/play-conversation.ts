// Plays conversations through the real decision: a broker over a real store, messages as the chat stores them, answers as the page gives
// them. No model runs; which calls it makes is written down.
import { expect } from 'vitest'
import type { ToolResult } from '#app/chat/content.ts'
import { readsIn } from '#app/chat/content-reads.ts'
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantMessage, Message, ToolCall, ToolCallState } from '#app/chat/message.ts'
import type { ConsentAnswer, ToolCallRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { type ContentMarks, type ContentRead, joinReads, serverSource } from '#app/consent/taint/private-flow.ts'
import type { JsonObject } from '#app/json.ts'
import { makeBroker, makeToolEntry, type TestBroker } from '#main/consent/broker.testing.ts'
import type { BrokerVerdict } from '#main/consent/broker-api.ts'
import { playedServers } from './servers.ts'

/** `trusts`: whom the person trusts; default: as the servers are written down. */
export function createPlayer(trusts = (server: string): boolean => playedServers[server]?.trusted === true) {
  let t: TestBroker = makeBroker()
  let count = 0
  const nextId = (): string => `p${++count}`
  const store = () => t.profile.store()

  const untrustedOf = (servers: readonly string[]): ContentRead[] =>
    servers.flatMap((name) => (trusts(name) ? [] : [{ from: serverSource(name), untrusted: true as const }]))

  return {
    get broker() {
      return t.broker
    },
    store,
    nextId,
    mode: (conversationId: string, mode: Parameters<TestBroker['setMode']>[1]) => t.setMode(conversationId, mode),
    rule(part: Partial<Rule> & Pick<Rule, 'server'>): void {
      store().rules.put({ id: nextId(), effect: 'allow', scope: { kind: 'always' }, createdAt: 1, ...part })
    },
    begin(part: Partial<Conversation> = {}): string {
      const id = nextId()
      const base = { title: 'Chat', createdAt: 1, updatedAt: 1, activity: { kind: 'idle' as const }, model: 'practice/practice' }
      store().conversations.put({ ...base, ...part, id })
      this.say(id, { role: 'user', text: 'Please.' })
      return id
    },
    say(conversationId: string, part: Partial<Message> & Pick<Message, 'role'>): void {
      const base = { id: nextId(), conversationId, turnId: 't1', createdAt: count }
      store().conversations.putMessage({ ...base, ...part } as Message)
    },
    /** Puts an answer with these parts; its model had read all of the path and what servers without trust say of themselves. */
    answer(conversationId: string, servers: readonly string[], parts: AssistantMessage['parts']): void {
      const { conversations } = store()
      const before = readsIn(conversations.get(conversationId) ?? {}, conversations.messages(conversationId))
      const sources = joinReads([...before, ...untrustedOf(servers)])
      this.say(conversationId, {
        role: 'assistant',
        model: 'practice/practice',
        parts,
        state: 'done',
        ...(sources.length > 0 && { sources }),
      })
    },
    /** Asks as a turn does: the answer that makes the call is stored, and then the broker decides. `person`: answers what is asked. */
    async call(
      conversationId: string,
      servers: readonly string[],
      [name, args]: readonly [string, JsonObject],
      person: (request: ToolCallRequest) => ConsentAnswer,
      byApp = false,
    ): Promise<{ readonly asked: ToolCallRequest | undefined; readonly verdict: BrokerVerdict<unknown> }> {
      const [server = '', tool = ''] = name.split('.')
      this.answer(conversationId, servers, [])
      const question = t.call({
        ...toolOf(server, tool),
        server,
        conversationId,
        callId: nextId(),
        trusted: trusts(server),
        arguments: args,
        ...(byApp ? { view: { callId: 'v1', tool } } : {}),
      })
      let asked: ToolCallRequest | undefined
      const verdict = t.broker.toolCall(question)
      // The answer may be looked up first: paths are read from the disk.
      for (let open = false; !open; ) {
        const settled = await Promise.race([verdict.then(() => true), new Promise<false>((done) => setImmediate(() => done(false)))])
        const [request] = t.broker.open()
        if (request?.kind === 'tool-call') {
          asked = request
          t.broker.answer(request.id, person(request))
        }
        open = settled || request !== undefined
      }
      return { asked, verdict: await verdict }
    },
    restart(): void {
      t = { ...t, broker: t.restart() }
    },
    dispose: () => t.dispose(),
  }
}

const toolOf = (server: string, tool: string) => {
  const annotations = playedServers[server]?.tools[tool]
  if (!annotations) throw new Error(`There is no tool ${server}.${tool}.`)
  return { tool: makeToolEntry({ name: tool, modelName: `${server}__${tool}`, annotations, fingerprint: `${server} ${tool}` }) }
}

/** Answer in the form of @modelcontextprotocol/server-filesystem: the text, and the same as structured content. */
export const textResult = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { content: text },
  isError: false,
  bytes: text.length,
})

/** A call that ended so. `marks`: as the broker gave them; absent: of a profile of before. */
export function endedCall(id: string, [name, args]: readonly [string, JsonObject], state: ToolCallState, marks?: ContentMarks): ToolCall {
  const [server = '', tool = ''] = name.split('.')
  return { id, providerId: id, modelName: `${server}__${tool}`, server, tool, arguments: args, state, ...(marks ? { marks } : {}) }
}

export function marksOf(verdict: BrokerVerdict<unknown>): ContentMarks | undefined {
  expect(verdict.kind).toBe('allowed')
  return verdict.kind === 'allowed' ? verdict.marks : undefined
}

export const doneWith = (text: string): ToolCallState => ({
  kind: 'done',
  decision: { allowed: true, by: 'person', scope: 'once' },
  startedAt: 1,
  durationMs: 1,
  result: textResult(text),
})
