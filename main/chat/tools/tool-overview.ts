// Tools as the page shows them: all known tools, and those that go with a request.
import type { Conversation } from '#app/chat/conversation.ts'
import type { ListedServer, ListedTool, SentToolsSummary } from '#app/chat/tools/tool-overview.ts'
import { defined } from '#app/or-else.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { Servers } from '#main/servers/lifecycle/servers.ts'
import type { Store } from '#main/store/store-api.ts'
import { budgetOf, type ChosenTools, chooseTools, namedOnce, type ToolChoiceContext, toolsOf, toolTokensOf } from './tool-choice.ts'

const LONGEST_DESCRIPTION = 160

/** Lists all tools in the order of the config file, with those of disabled servers. */
export const listTools = ({ servers, store }: { readonly servers: Servers; readonly store: Pick<Store, 'rules'> }): ListedServer[] =>
  servers.views().map(({ name, definition }) => {
    const accepted = store.rules.fingerprints(name)
    return {
      name,
      enabled: definition.enabled,
      trusted: definition.trusted,
      tools: servers.catalogue(name).tools.map((tool) => listed(tool, accepted.get(tool.name))),
    }
  })

function listed(
  { name, modelName, title, annotations, description, tokens, enabled, fingerprint }: ToolEntry,
  accepted: string | undefined,
): ListedTool {
  const { readOnlyHint, destructiveHint } = annotations ?? {}
  const claims = readOnlyHint === true ? 'read-only' : destructiveHint === true ? 'destructive' : undefined
  const shown = title ?? annotations?.title
  const [line = ''] = (description ?? '').trim().split('\n')
  return {
    name,
    modelName,
    ...defined({ title: shown?.slice(0, LONGEST_DESCRIPTION), description: line.slice(0, LONGEST_DESCRIPTION) || undefined }),
    tokens,
    enabled,
    ...defined({ claims }),
    fingerprint,
    known: accepted === undefined ? 'new' : accepted === fingerprint ? 'approved' : 'changed',
  }
}

export const sentToolsOf = (chat: ToolChoiceContext, conversation: Conversation): SentToolsSummary =>
  summaryOf(chooseTools(chat, conversation))

/** Summary for a chat that begins so, before its first message. */
export function sentToNew(
  chat: ToolChoiceContext,
  begins: Partial<Pick<Conversation, 'model' | 'folderId' | 'tools'>> = {},
): SentToolsSummary {
  const offered = namedOnce(toolsOf(chat, begins))
  const budget = budgetOf(chat, begins.model ?? chat.settings().defaultModel)
  const searched = toolTokensOf(offered) > budget
  return summaryOf({ sent: searched ? [] : offered, offered, searched, budget })
}

function summaryOf({ sent, offered, searched, budget }: Omit<ChosenTools, 'deferred'>): SentToolsSummary {
  return {
    budget,
    searched,
    offered: offered.length,
    offeredTokens: toolTokensOf(offered),
    sent: sent.map(({ tool }) => tool.modelName),
    sentTokens: toolTokensOf(sent),
  }
}
