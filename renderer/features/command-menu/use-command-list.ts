// The commands of the menu: pages, the open chat, rules to revoke, requests, chats, servers, and what the host finds for the typed
// letters. A command goes to a place or does something that can be undone; requests are answered, and rules given, elsewhere.

import { useEffect, useMemo, useState } from 'react'
import type { ChatChange } from '#app/chat/chat-filter.ts'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import { consentSentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { t } from '#app/i18n/translate.ts'
import type { Mention } from '#app/server/mentions.ts'
import { nextZoom, type Settings } from '#app/settings.ts'
import { revokeRule } from '#renderer/features/audit-log/revoke-rule.ts'
import { useExport } from '#renderer/features/chat/organize/export-chats.tsx'
import { type ChatChanges, useChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import { dateGroup } from '#renderer/features/history/chat-rows.ts'
import { openAddServer } from '#renderer/features/servers/add/open-add-server.ts'
import { focusNextRequest, focusRequestSoon, goToSearch } from '#renderer/navigation/focus.ts'
import { type Chords, openNewWindow, useChords } from '#renderer/navigation/shortcuts.ts'
import { navigate, type Route, useRoute } from '#renderer/router.ts'
import { useConsent, useConversations, useServers, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { IconName } from '#renderer/ui/icon.tsx'
import type { Command, CommandList } from './command.ts'
import { serverCommands, serverVerbs } from './server-commands.ts'

type CommandExtras = Partial<Pick<Command, 'chord' | 'also' | 'detail' | 'end' | 'more'>>

const command = (id: string, words: string, icon: Command['icon'], act: Command['act'], extras?: CommandExtras): Command => ({
  id,
  words,
  icon,
  act,
  ...extras,
})

const to = (id: string, words: string, icon: IconName, route: Route, extras?: CommandExtras): Command =>
  command(id, words, icon, () => navigate(route), extras)

const themes: Readonly<Record<Settings['theme'], string>> = {
  system: t`Theme as the system’s`,
  light: t`Light theme`,
  dark: t`Dark theme`,
}

/** Zoom steps of the desktop window; a browser has its own zoom. */
const zooms = [
  [1, t`Draw everything larger`],
  [-1, t`Draw everything smaller`],
  [0, t`Draw everything at its usual size`],
] as const

function pageCommands(stores: Stores, chords: Chords): Command[] {
  const { actions, consent, settings, connection } = stores
  const { theme, zoom } = settings.getState().settings
  const inWindow = connection.getState().about?.shell.kind === 'electron'
  return [
    to('new-chat', t`New chat`, 'plus', { page: 'chat' }, { chord: chords.newChat }),
    command('search', t`Search in all chats`, 'search', goToSearch, { chord: chords.search }),
    to('requests', t`Requests, all waiting`, 'inbox', { page: 'requests' }, { chord: chords.requests }),
    to('servers', t`Servers`, 'servers', { page: 'servers' }),
    command('add-server', t`Add a server…`, 'plus', () => openAddServer(), { also: t`install connect` }),
    to('library', t`Library`, 'library', { page: 'library' }, { also: t`resources prompts tools` }),
    to('record', t`Record, today`, 'clock', { page: 'record', tab: 'record' }, { chord: chords.record, also: t`audit log history` }),
    to('rules', t`Rules`, 'shield', { page: 'record' }, { also: t`permissions approvals` }),
    to('settings', t`Settings`, 'sliders', { page: 'settings' }, { chord: chords.settings, also: t`preferences options` }),
    command('next-request', t`To the next request`, 'inbox', () => focusNextRequest(consent.getState().requests), {
      chord: chords.nextRequest,
    }),
    to('all-chats', t`All chats`, 'chat', { page: 'chats' }, { also: t`history archive deleted` }),
    to('config', t`Edit servers.json`, 'edit', { page: 'servers', name: '', tab: 'config' }, { also: t`config text` }),
    to('models', t`Models and keys`, 'model', { page: 'settings', tab: 'models' }, { also: t`settings provider api key anthropic openai` }),
    to('usage', t`Usage and budget`, 'clock', { page: 'settings', tab: 'usage' }, { also: t`settings tokens cost` }),
    to('asking', t`How Assent asks`, 'shield', { page: 'settings', tab: 'asking' }, { also: t`settings limits timeout folders roots` }),
    to('data', t`Backup, import and export`, 'file', { page: 'settings', tab: 'data' }, { also: t`settings data restore` }),
    to('shortcuts', t`Keyboard shortcuts`, 'info', { page: 'settings', tab: 'shortcuts' }, { chord: chords.shortcuts, also: t`keys help` }),
    command('new-window', t`New window`, 'plus', () => openNewWindow(stores), { chord: chords.newWindow }),
    command('environment', t`Read the shell’s environment again`, 'refresh', () => actions.go('app.readEnvironment', {}), {
      also: t`PATH variables`,
    }),
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map((one) => command(`theme-${one}`, themes[one], 'sliders', () => actions.set({ theme: one }))),
    ...(inWindow ? zooms : []).map(([by, words]) =>
      command(`zoom ${by}`, words, 'eye', () => actions.set({ zoom: nextZoom(zoom, by) }), { also: t`zoom size bigger` }),
    ),
  ]
}

interface ChatVerbs {
  readonly changes: ChatChanges
  readonly exportChats: (format: 'json' | 'markdown', ids: readonly string[]) => Promise<void>
}

const activityLabels: Partial<Record<ConversationActivity['kind'], string>> = {
  working: t`running`,
  waiting: t`waits for you`,
  interrupted: t`cut off`,
}

/** Commands for one chat. `open`: it is the open one, and the commands stand among others: "Archive this chat". */
function verbsOf(
  { id, pinned, archivedAt, activity }: Conversation,
  { actions }: Stores,
  { changes, exportChats }: ChatVerbs,
  open: boolean,
): Command[] {
  const archived = archivedAt !== undefined
  const change = (kind: ChatChange['kind'] & ('pin' | 'unpin' | 'archive' | 'unarchive' | 'delete')) => (): void =>
    void changes.change([id], { kind })
  const pin = pinned ? (open ? t`Unpin this chat` : t`Unpin`) : open ? t`Pin this chat` : t`Pin`
  const archive = archived
    ? open
      ? t`Bring this chat back from the archive`
      : t`Bring back from the archive`
    : open
      ? t`Archive this chat`
      : t`Archive`
  const exportAs = (format: 'markdown' | 'json', words: string): Command =>
    command(`${format} ${id}`, words, 'file', () => void exportChats(format, [id]))
  return [
    ...(activity.kind === 'working' || activity.kind === 'waiting'
      ? [command(`stop ${id}`, t`Stop the answer`, 'stop', () => actions.stop(id))]
      : []),
    command(`pin ${id}`, pin, 'arrow-down', change(pinned ? 'unpin' : 'pin')),
    command(`archive ${id}`, archive, 'folder', change(archived ? 'unarchive' : 'archive')),
    exportAs('markdown', open ? t`Export this chat as Markdown` : t`Export as Markdown`),
    exportAs('json', open ? t`Export this chat as JSON` : t`Export as JSON`),
    command(`delete ${id}`, open ? t`Delete this chat` : t`Delete`, 'trash', change('delete')),
  ]
}

const chatCommands = (stores: Stores, chats: readonly Conversation[], verbs: ChatVerbs): Command[] =>
  chats.map((chat) => ({
    id: `chat ${chat.id}`,
    words: chat.title,
    icon: 'chat',
    end: activityLabels[chat.activity.kind] ?? dateGroup(chat.updatedAt, Date.now()).toLowerCase(),
    act: () => navigate({ page: 'chat', id: chat.id }),
    more: { title: chat.title, groups: [{ title: t`Chat`, commands: verbsOf(chat, stores, verbs, false) }] },
  }))

function ruleCommands(stores: Stores, rules: readonly Rule[]): Command[] {
  // Without a “never”, more is asked or allowed than before: that is done where the rule is read whole.
  const allowing = rules.filter(({ effect }) => effect === 'allow')
  if (allowing.length === 0) return []
  const commands = allowing.map((rule) => {
    const end = rule.server === undefined ? {} : { end: rule.server }
    return command(`revoke ${rule.id}`, ruleLabel(rule), 'shield', () => void revokeRule(stores, rule), end)
  })
  const list = { title: t`Revoke a rule`, groups: [{ title: t`Rules that allow`, commands }] }
  return [command('revoke-rule', t`Revoke a rule…`, 'shield', list, { also: t`remove permission` })]
}

const waitingCommands = (requests: readonly ConsentRequest[], titleOf: (conversationId: string) => string | undefined): Command[] =>
  requests.map((request) => {
    const { id, conversationId } = request
    const title = conversationId === undefined ? undefined : titleOf(conversationId)
    return {
      id: `request ${id}`,
      words: t`Review: ${consentSentence(request)}`,
      icon: 'waiting',
      ...(title !== undefined && { detail: title }),
      act() {
        navigate(conversationId === undefined ? { page: 'requests', id } : { page: 'chat', id: conversationId })
        focusRequestSoon(id)
      },
    }
  })

const icons = { resource: 'file', template: 'edit', prompt: 'text' } as const

const mentionCommands = (offers: readonly Mention[]): Command[] =>
  offers.map((offer) => {
    const item = offer.kind === 'resource' ? offer.uri : offer.kind === 'template' ? offer.uriTemplate : offer.name
    const tab = offer.kind === 'prompt' ? 'prompts' : 'resources'
    const route: Route = { page: 'library', tab, server: offer.server, item }
    return to(`${offer.kind} ${offer.server} ${item}`, offer.name, icons[offer.kind], route, { detail: offer.server })
  })

const mostChats = 20
const mostOfKind = 4
/** Letters from which on resources and prompts are searched: fewer are in nearly every name. */
const fewestLetters = 2

interface FoundCommands {
  /** Undefined: nothing is typed, or no answer is there yet; then the page's own list is searched. */
  readonly chats: readonly Conversation[] | undefined
  readonly offers: readonly Mention[]
}
const nothing: FoundCommands = { chats: undefined, offers: [] }

function useFoundCommands(text: string): FoundCommands {
  const { hostConnection } = useStores()
  const [found, setFound] = useState<FoundCommands>(nothing)
  useEffect(() => {
    if (text === '') return setFound(nothing)
    let current = true
    const offersOf = async (kind: 'resource' | 'prompt'): Promise<readonly Mention[]> =>
      text.length < fewestLetters
        ? []
        : (await hostConnection.request('mention.find', { kind, text: text.slice(0, 200) })).offers.slice(0, mostOfKind)
    hostConnection.request('conversation.find', { filter: { archived: false, text: text.slice(0, 200) }, limit: mostChats }).then(
      ({ conversations }) => current && setFound((before) => ({ ...before, chats: conversations })),
      () => undefined, // The connection is gone, which is said elsewhere.
    )
    Promise.all([offersOf('prompt'), offersOf('resource')]).then(
      (offers) => current && setFound((before) => ({ ...before, offers: offers.flat() })),
      () => undefined, // A later search took its place.
    )
    return () => {
      current = false
    }
  }, [hostConnection, text])
  return found
}

/** Chats, and commands, that are shown before anything is typed. */
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
  const found = useFoundCommands(query.trim())
  const openId = route.page === 'chat' ? route.id : undefined
  return useMemo(() => {
    const verbs = { changes, exportChats }
    const open = chats.find(({ id }) => id === openId)
    const titleOf = (id: string): string | undefined => chats.find((chat) => chat.id === id)?.title
    const commands = [
      ...pageCommands(stores, chords),
      ...(open ? verbsOf(open, stores, verbs, true) : []),
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
        { title: t`Resources and prompts`, commands: mentionCommands(found.offers), found: true },
        ...(query.trim() === '' ? [] : [{ title: t`Everywhere`, commands: [searchFor(query.trim())], found: true }]),
      ],
    }
  }, [stores, chords, changes, exportChats, servers, chats, requests, rules, found, openId, query])
}

const searchFor = (text: string): Command => to('search-for', t`Search all messages for “${text}”`, 'search', { page: 'search', text })
