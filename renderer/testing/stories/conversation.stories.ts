// What surrounds an answer, for looking at: chats that have not begun, with and without a model to go to, searches for tools of
// the host and of a provider, and calls that run.
import type { Conversation } from '#app/chat/conversation.ts'
import type { AssistantPart, Message, ToolCall, ToolCallState } from '#app/chat/message.ts'
import type { Snapshot } from '#app/contract/snapshot.ts'
import type { ModelInfo, ProviderSummary } from '#app/models/models.ts'
import { defaultSettings } from '#app/settings.ts'
import { makeAnswer, makeCall, makeConversation, makeServer, makeUserMessage } from '../builders.ts'
import { createFakeConnection, type FakeConnection } from '../fake-link.ts'

type Theme = 'light' | 'dark'
const now = Date.now()
const practice: ModelInfo = { id: 'practice/practice', provider: 'practice', name: 'Practice model', ai: false }
const sonnet: ModelInfo = { id: 'anthropic/sonnet', provider: 'anthropic', name: 'Claude Sonnet', contextTokens: 200_000, ai: true }
const local: readonly ModelInfo[] = ['llama3.3:70b', 'qwen3:8b'].map((name) => ({
  id: `ollama/${name}`,
  provider: 'ollama',
  name,
  ai: true,
  tools: true,
}))
const ollama: ProviderSummary = { id: 'ollama', name: 'Ollama', endpoint: 'local', key: { kind: 'not-needed' }, modelCount: 2 }
/** More than are seen at once, with prices and marks. */
const many: readonly ModelInfo[] = Array.from({ length: 14 }, (_, at) => ({
  id: `openai/gpt-5.${at}`,
  provider: 'openai',
  name: `gpt-5.${at}`,
  ai: true,
  contextTokens: 400_000,
  tools: true,
  images: true,
  documents: at % 2 === 0,
  reasoning: true,
  price: at === 3 ? { input: 0, output: 0 } : { input: 1.25, output: 10 },
  ...(at === 1 ? { status: 'deprecated' as const } : at === 2 ? { status: 'preview' as const } : {}),
}))
const openai: ProviderSummary = { id: 'openai', name: 'OpenAI', endpoint: 'added', key: { kind: 'not-needed' }, modelCount: 14 }

function scene(facts: Partial<Snapshot>, messages: readonly Message[] = [], change: Partial<Conversation> = {}) {
  return (theme: Theme): FakeConnection => {
    const conversation = makeConversation({ title: 'Where my parcel is', model: sonnet.id, updatedAt: now, ...change })
    const models = facts.models ?? [sonnet]
    return createFakeConnection({
      snapshot: {
        servers: [makeServer()],
        conversations: [conversation],
        ...facts,
        models,
        settings: {
          ...defaultSettings,
          favouriteModels: ['openai/gpt-5.7'],
          theme,
          welcomed: true,
          defaultModel: models[0]?.id ?? practice.id,
        },
      },
      answers: {
        'conversation.get': () => ({ revision: 10, conversation, messages: [...messages], branches: {} }),
        'server.catalogue': () => ({ tools: [], resources: [], resourceTemplates: [], prompts: [], fetchedAt: now }),
      },
    })
  }
}

const byHost = { allowed: true, by: 'host', scope: 'once' } as const
const found = ['parcels__track_parcel', 'parcels__list_parcels', 'post__find_branch']
function search(id: string, query: string, names: readonly string[], change: Partial<ToolCall> = {}): AssistantPart {
  const {
    server: _server,
    tool: _tool,
    ...call
  } = makeCall({
    id,
    modelName: 'assent__find_tools',
    own: true,
    arguments: { query },
    state: {
      kind: 'done',
      decision: byHost,
      startedAt: now,
      durationMs: 320,
      result: { content: [], structuredContent: { found: [...names] }, isError: false, bytes: 64 },
    },
    ...change,
  })
  return { kind: 'tool-call', call }
}
const ran = (id: string, tool: string, state: ToolCallState): AssistantPart => ({
  kind: 'tool-call',
  call: makeCall({ id, server: 'parcels', tool, arguments: { number: '4417-A' }, state }),
})
const you = { allowed: true, by: 'person', scope: 'once' } as const
const running = (since: number, more: Partial<Extract<ToolCallState, { kind: 'running' }>> = {}): ToolCallState => ({
  kind: 'running',
  decision: you,
  startedAt: now - since,
  ...more,
})
const asked = makeUserMessage({ text: 'Where is my parcel?' })

export const talkScenes: Readonly<Record<string, (theme: Theme) => FakeConnection>> = {
  'talk-new': scene({}),
  'talk-practice': scene({ models: [practice] }),
  'talk-local': scene({ models: [practice, ...local], providers: [ollama] }),
  'talk-many-models': scene({ models: [sonnet, ...many], providers: [openai] }),
  'talk-gone': scene({}, [asked], { model: 'lab/gone' }),
  'talk-search': scene({}, [
    asked,
    makeAnswer({
      model: sonnet.id,
      parts: [
        search('s1', 'track parcel', found, { ranAt: { name: 'Anthropic', blocks: [] } }),
        search('s2', 'parcel position by number', []),
        ran('c1', 'track_parcel', {
          kind: 'done',
          decision: you,
          startedAt: now,
          durationMs: 420,
          result: { content: [{ type: 'text', text: 'In Lyon' }], isError: false, bytes: 7 },
        }),
        { kind: 'text', text: 'It left Lyon this morning.' },
      ],
    }),
  ]),
  'talk-running': scene(
    {},
    [
      asked,
      makeAnswer({
        model: sonnet.id,
        state: 'streaming',
        parts: [
          { kind: 'text', text: 'I look at both at once.' },
          ran('c1', 'track_parcel', running(4000, { progress: { progress: 3, total: 11, message: 'asking the carrier' } })),
          ran('c2', 'list_parcels', running(1000)),
          ran('c3', 'find_branch', running(64_000, { overdue: { since: now - 31_000, endsAt: now + 29_000 } })),
          ran('c4', 'next', { kind: 'queued' }),
        ],
      }),
    ],
    { activity: { kind: 'working', turnId: 't1', since: now - 4000 } },
  ),
}
