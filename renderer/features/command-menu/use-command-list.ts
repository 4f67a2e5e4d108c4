// All that the menu offers, from what the page knows, and from what the host finds for the letters typed.
import { useMemo } from 'react'
import { t } from '#app/words/translate.ts'
import { useChatChanges } from '#renderer/features/history/use-chat-changes.ts'
import { useExport } from '#renderer/features/settings/transfer/export-chats.tsx'
import { navigate, useRoute } from '#renderer/router.ts'
import { useChords } from '#renderer/shell/shortcuts.ts'
import { useConsent, useConversations, useServers, useStores } from '#renderer/stores/react.tsx'
import { chatCommands, openChatCommands } from './chat-commands.ts'
import type { Command, CommandList } from './command.ts'
import { offerCommands } from './offer-commands.ts'
import { pageCommands } from './page-commands.ts'
import { ruleCommands } from './rule-commands.ts'
import { serverCommands, serverVerbs } from './server-commands.ts'
import { mostChats, useFound } from './use-found.ts'
import { waitingCommands } from './waiting-commands.ts'

/** Of chats and of commands, before anything is typed. */
const atFirst = 6

export function useCommandList(query: string): CommandList {
  const stores = useStores()
  const route = useRoute()
  const chords = useChords()
  const changes = useChatChanges()
  const exportChats = useExport()
  const servers = useServers((state) => state.list)
  const chats = useConversations((state) => state.list)
  const requests = useConsent((state) => state.requests)
  const rules = useConsent((state) => state.rules)
  const found = useFound(query.trim())
  const openId = route.page === 'chat' ? route.id : undefined
  return useMemo(() => {
    const verbs = { changes, exportChats }
    const open = chats.find(({ id }) => id === openId)
    const titleOf = (id: string): string | undefined => chats.find((chat) => chat.id === id)?.title
    const commands = [
      ...pageCommands(stores, chords),
      ...(open ? openChatCommands(stores, open, verbs) : []),
      ...serverVerbs(stores, servers),
      ...ruleCommands(stores, rules),
    ]
    const others = chats.filter(({ id, archivedAt }) => id !== openId && archivedAt === undefined)
    const listed = found.chats ? chatCommands(stores, found.chats, verbs) : chatCommands(stores, others.slice(0, mostChats), verbs)
    return {
      title: t`Commands`,
      groups: [
        { title: t`Waiting for you`, commands: waitingCommands(requests, titleOf) },
        { title: t`Commands`, commands, atFirst },
        { title: t`Chats`, commands: listed, atFirst, found: found.chats !== undefined },
        { title: t`Servers`, commands: serverCommands(stores, servers), atFirst: 0 },
        { title: t`Resources and prompts`, commands: offerCommands(found.offers), found: true },
        ...(query.trim() === '' ? [] : [{ title: t`Everywhere`, commands: [searchFor(query.trim())], found: true }]),
      ],
    }
  }, [stores, chords, changes, exportChats, servers, chats, requests, rules, found, openId, query])
}

const searchFor = (text: string): Command => ({
  id: 'search-for',
  words: t`Search all messages for “${text}”`,
  icon: 'search',
  act: () => navigate({ page: 'search', text }),
})
