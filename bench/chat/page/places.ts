// Places on the page where a text of a model or a server can stand, beside an answer: each as facts for the app over a host of a few lines.
import type { ToolResult } from '#app/chat/content.ts'
import type { Message } from '#app/chat/message.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import { longestCommand } from '#app/server/definition.ts'
import { makeAnswer, makeCall, makeServer, makeToolRequest, makeUserMessage } from '#renderer/testing/builders.ts'
import type { FakeAnswers } from '#renderer/testing/fake-link.ts'
import { mostAtOnce } from '#renderer/ui/visible-text.tsx'

export interface Place {
  readonly hash: string
  readonly snapshot?: Partial<Snapshot>
  readonly answers?: FakeAnswers
  readonly messages?: readonly Message[]
  /** What is there once the text is. */
  readonly shown: string
  /** What is pressed then. */
  readonly open?: string
}

const servers = [makeServer()]
const emptyCatalogue = { tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: 1 }
const asking = (request: ConsentRequest): Place => ({
  hash: '#/requests',
  snapshot: { servers, consentRequests: [request] },
  shown: 'section.ask',
})
const asked = { id: 'r1', createdAt: 3000, server: 'files', conversationId: 'c1', why: { kind: 'server-asks' } } as const
/** Longest description that the host keeps (main/servers/client/catalogue/catalogue-entries.ts). */
const longestDefinition = 200_000
/** Most of one text, and of structured content, that stands in a message (main/chat/results/store-result.ts). */
const [longestText, longestStructured] = [100_000, 400_000]
const logLineLength = 8000
/** Texts each just under what is drawn at once (renderer/ui/visible-text.tsx), of all of the shape. */
const justUnder = mostAtOnce - 100
const textsOf = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const from = (at * justUnder) % Math.max(1, text.length - justUnder)
    return text.slice(from, from + justUnder).toWellFormed()
  })
/** Most of one result, in all (main/chat/results/store-result.ts). */
const longestResult = 500_000

/** A call that is done, with its result open. */
const resulting = (result: ToolResult): Place => ({
  hash: '#/chat/c1',
  messages: [
    makeUserMessage(),
    makeAnswer({
      parts: [
        {
          kind: 'tool-call',
          call: makeCall({
            state: { kind: 'done', decision: { allowed: true, by: 'person', scope: 'once' }, startedAt: 1, durationMs: 1, result },
          }),
        },
      ],
    }),
  ],
  snapshot: { servers },
  shown: '.call-box',
  open: '.call-box button[aria-expanded="false"]',
})

export const places: Readonly<Record<string, (text: string) => Place>> = {
  result: (text) =>
    resulting({
      content: [{ type: 'text', text: text.slice(0, longestText) }],
      structuredContent: { text: text.slice(0, longestStructured) },
      isError: false,
      bytes: text.length,
    }),
  arguments: (text) => asking(makeToolRequest({ arguments: { text, list: [text.slice(0, 5000), { text: text.slice(0, 5000) }] } })),
  // One argument for each word.
  values: (text) => {
    const words = text.slice(0, longestDefinition).split(/\s+/).slice(0, 5000)
    return asking(
      makeToolRequest({ arguments: { list: words, ...Object.fromEntries(words.map((word, at) => [`${at}`, word.slice(0, 399)])) } }),
    )
  },
  'result of texts': (text) => {
    const content = textsOf(text, Math.floor(longestResult / 3 / mostAtOnce)).map((one) => ({ type: 'text' as const, text: one }))
    return resulting({ content, isError: false, bytes: text.length })
  },
  'arguments of texts': (text) =>
    asking(makeToolRequest({ arguments: { list: textsOf(text, 150), ...Object.fromEntries(textsOf(text, 150).entries()) } })),
  'form of texts': (text) =>
    asking({
      ...asked,
      kind: 'elicitation-form',
      message: 'Fill in',
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(textsOf(text, 100).map((one, at) => [`f${at}`, { type: 'string', description: one, default: one }])),
      },
    }),
  'launch of texts': (text) =>
    asking({
      ...asked,
      why: { kind: 'first-launch' },
      kind: 'launch',
      target: { transport: 'stdio', command: 'a', args: textsOf(text, Math.floor(longestCommand / mostAtOnce)), envNames: [] },
      fingerprint: 'f',
    }),
  'sampling of texts': (text) =>
    asking({
      ...asked,
      kind: 'sampling',
      messages: textsOf(text, 300).map((one) => ({ role: 'user' as const, parts: [{ type: 'text' as const, text: one }] })),
      tools: [],
      toolChoice: 'auto',
      hints: [],
      maxTokens: 100,
      model: 'practice/practice',
    }),
  sampling: (text) =>
    asking({
      ...asked,
      kind: 'sampling',
      systemPrompt: text,
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      tools: [{ name: 'run', description: text.slice(0, longestDefinition), inputSchema: { type: 'object' } }],
      toolChoice: 'auto',
      hints: [],
      maxTokens: 100,
      model: 'practice/practice',
    }),
  form: (text) =>
    asking({
      ...asked,
      kind: 'elicitation-form',
      message: text,
      requestedSchema: {
        type: 'object',
        properties: { one: { type: 'string', title: text.slice(0, 5000), description: text.slice(0, 5000), default: text } },
      },
    }),
  description: (text) => ({
    hash: '#/library/tools/files/run',
    snapshot: { servers },
    answers: {
      'tool.get': () => ({
        tool: {
          name: 'run',
          modelName: 'files__run',
          description: text.slice(0, longestDefinition),
          inputSchema: { type: 'object', properties: { a: { type: 'string', description: text.slice(0, 20_000) } } },
          enabled: true,
          tokens: 1,
          fingerprint: 'f',
        },
        approved: null,
      }),
      'tool.runs': () => ({ runs: [], more: false }),
      'server.catalogue': () => emptyCatalogue,
    },
    shown: '.tool-pane .said-by-server',
  }),
  log: (text) => ({
    hash: '#/servers/files/log',
    snapshot: { servers },
    answers: {
      'server.catalogue': () => emptyCatalogue,
      'server.log': () => ({
        lines: text
          .split('\n')
          .slice(0, 2000)
          .map((line, seq) => ({ seq, time: seq, source: 'stderr' as const, text: line.slice(0, logLineLength) })),
        dropped: 0,
      }),
    },
    shown: '.log-line',
  }),
}
