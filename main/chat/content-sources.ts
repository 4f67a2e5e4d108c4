// Sources of content that enters a conversation. Results of calls are marked by the broker (`ask-tool-call.ts`).
import { readsIn } from '#app/chat/content-reads.ts'
import type { UserMessage } from '#app/chat/message.ts'
import { type ContentRead, isClosed, joinReads, serverSource } from '#app/consent/taint/private-flow.ts'
import type { ChatContext } from './chat-context.ts'
import type { GatheredContext } from './context/build-context.ts'
import { toolsOf } from './tools/tool-choice.ts'

type Servers = Pick<ChatContext['servers'], 'view' | 'catalogue'>
type Broker = Pick<ChatContext['broker'], 'identity'>

/** Sources of what the person sends along: resources and prompts of servers. `more`: servers whose words the text holds. */
export function sourcesOf(
  { servers, broker }: { readonly servers: Servers; readonly broker: Broker },
  { attachments = [], prompt }: Pick<UserMessage, 'attachments' | 'prompt'>,
  more: readonly string[] = [],
): ContentRead[] {
  const names = new Set([...attachments.flatMap(({ from }) => from?.server ?? []), ...(prompt ? [prompt.server] : []), ...more])
  return [...names].map((name) => ({
    from: serverSource(name, broker.identity(name)),
    private: true,
    ...(isClosedServer(servers, name) ? {} : { untrusted: true as const }),
  }))
}

/** Resources and prompts carry no annotations: they are closed where all tools of the server are. */
function isClosedServer(servers: Servers, name: string): boolean {
  const trusted = servers.view(name)?.definition.trusted === true
  const tools = trusted ? servers.catalogue(name).tools : []
  return tools.length > 0 && tools.every(({ annotations }) => isClosed({ trusted, annotations }))
}

/** Sources of what the model has read when it begins an answer: the messages, the memory, and what servers without trust say of themselves. */
export function sourcesOfAnswer(chat: ChatContext, { conversation, messages, instructions, facts }: GatheredContext): ContentRead[] {
  const speaking = instructions.map(({ server }) => server).filter((name) => chat.servers.view(name)?.definition.trusted !== true)
  const offering = toolsOf(chat, conversation).flatMap(({ server, trusted }) => (trusted ? [] : [server]))
  const untrusted = [...new Set([...speaking, ...offering])]
  return joinReads([
    ...readsIn(conversation, messages),
    ...facts.flatMap(({ sources = [] }) => sources),
    ...untrusted.map((server) => ({ from: serverSource(server, chat.broker.identity(server)), untrusted: true as const })),
  ])
}
