import { HostError } from '#app/errors.ts'
import { t } from '#app/words/translate.ts'
import { listTools, sentToNew, sentToolsOf } from '#main/chat/tools/overview.ts'
import { prepareTools } from '#main/chat/tools/tool-choice.ts'
import type { HandlersOf, HostParts } from './handlers.ts'

export function toolRequests({ store, servers, models, handRuns }: HostParts): HandlersOf<'tool'> {
  const deps = { store, servers, models, settings: () => store.settings.get() }
  return {
    'tool.list': () => ({ servers: listTools(deps) }),
    async 'tool.sent'({ conversationId, begins }) {
      const conversation = conversationId === undefined ? undefined : store.conversations.get(conversationId)
      if (conversationId !== undefined && !conversation)
        throw new HostError('chat.unknown-conversation', t`This chat is not there any more.`, { data: { conversationId } })
      if (conversation) await prepareTools(deps, conversation)
      return conversation ? sentToolsOf(deps, conversation) : sentToNew(deps, begins)
    },
    'tool.get'({ server, tool: name }) {
      const tool = servers.view(server) && servers.catalogue(server).tools.find((one) => one.name === name)
      if (!tool) throw new HostError('tool.unknown', t`“${server}” has no tool “${name}”.`, { data: { server, tool: name } })
      return { tool, approved: store.rules.definition(server, name) ?? null }
    },
    'tool.run': (params) => ({ run: handRuns.run(params) }),
    'tool.cancelRun'({ id }) {
      handRuns.cancel(id)
      return {}
    },
    'tool.waitForRun'({ id }) {
      handRuns.wait(id)
      return {}
    },
    'tool.runs'({ limit, ...of }) {
      const found = handRuns.list({ ...of, limit: limit + 1 })
      return { runs: found.slice(0, limit), more: found.length > limit }
    },
    'tool.getRun': ({ id }) => ({ run: handRuns.get(id) ?? null }),
    'tool.forgetRuns': ({ of }) => ({ gone: handRuns.forget(of) }),
  }
}
