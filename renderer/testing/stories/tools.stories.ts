// For the list of tools: a few, and more than fit into a request.
import type { Message } from '#app/chat/message.ts'
import type { ListedServer } from '#app/chat/tools/tool-overview.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { makeAnswer, makeServer, makeUserMessage } from '../builders.ts'
import type { FakeAnswers } from '../fake-link.ts'

const words = ['search', 'create', 'update', 'delete', 'list', 'get', 'archive', 'share', 'export', 'comment_on']
const things = ['issue', 'file', 'message', 'event', 'contact', 'invoice', 'page', 'record', 'branch', 'deployment']

/** `each`: tools of a server. */
export const manyTools = (names: readonly string[], each: number): ListedServer[] =>
  names.map((name) => ({
    name,
    enabled: name !== 'ledger',
    trusted: name === 'files',
    tools: Array.from({ length: each }, (_, n) => {
      const tool = `${words[n % 10]}_${things[Math.floor(n / 10) % 10]}${n < 100 ? '' : `_${n}`}`
      return {
        name: tool,
        modelName: `${name}__${tool}`,
        description: `Does ${tool.replaceAll('_', ' ')} for you, and says what came of it in a few words.`,
        tokens: 90 + ((n * 37) % 200),
        enabled: n % 17 !== 3,
        ...(n % 10 === 0 || n % 10 === 4 ? { claims: 'read-only' as const } : n % 10 === 3 ? { claims: 'destructive' as const } : {}),
        fingerprint: `f${n}`,
        known: n % 29 === 5 ? 'changed' : n % 3 === 0 ? 'approved' : 'new',
      }
    }),
  }))

export function toolAnswers(servers: readonly ListedServer[], budget: number): FakeAnswers {
  return {
    'tool.list': () => ({ servers: [...servers] }),
    'tool.sent': () => {
      const on = servers.flatMap(({ enabled, tools }) => (enabled ? tools.filter((tool) => tool.enabled) : []))
      const tokens = on.reduce((sum, tool) => sum + tool.tokens, 0)
      const searched = tokens > budget
      const sent = searched ? on.slice(0, 24) : on
      const sentTokens = sent.reduce((sum, tool) => sum + tool.tokens, 0)
      return { budget, searched, offered: on.length, offeredTokens: tokens, sent: sent.map(({ modelName }) => modelName), sentTokens }
    },
  }
}

export const summariesOf = (servers: readonly ListedServer[]): ServerSummary[] =>
  servers.map(({ name, enabled, tools }) =>
    makeServer({
      name,
      tokens: tools.reduce((sum, tool) => sum + (tool.enabled ? tool.tokens : 0), 0),
      counts: { tools: tools.length, enabledTools: tools.filter((tool) => tool.enabled).length, resources: 0, prompts: 0 },
      ...(enabled ? {} : { state: { kind: 'disabled' } as const }),
    }),
  )

/** A conversation in which the model has looked for tools. */
const searchedFor = (found: readonly string[], now: number): Message[] => [
  makeUserMessage({ text: 'Where is my parcel?' }),
  makeAnswer({
    model: 'anthropic/sonnet',
    parts: [
      {
        kind: 'tool-call',
        call: {
          id: 'find',
          providerId: 'p',
          modelName: 'assent__find_tools',
          own: true,
          arguments: { query: 'track parcel' },
          state: {
            kind: 'done',
            decision: { allowed: true, by: 'host', scope: 'once' },
            startedAt: now,
            durationMs: 2,
            result: {
              content: [{ type: 'text', text: found.map((name) => `- ${name}: "It does that."`).join('\n') }],
              structuredContent: { found: [...found] },
              isError: false,
              bytes: 900,
            },
          },
        },
      },
      { kind: 'text', text: 'It left Lyon this morning, and should be with you on Thursday.' },
    ],
  }),
]

export function toolFacts(names: readonly string[], each: number, now: number) {
  const listed = manyTools(names, each)
  const found = listed[1]?.tools.slice(0, 8).map(({ modelName }) => modelName) ?? []
  return { messages: searchedFor(found, now), servers: summariesOf(listed), answers: toolAnswers(listed, 20_000) }
}
