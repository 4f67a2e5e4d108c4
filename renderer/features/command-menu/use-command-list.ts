// The commands of the menu: pages, the open chat, models, rules to revoke, requests, chats, servers, tools, and what the host finds for
// the typed letters. A command goes to a place or does something that can be undone; requests are answered, rules given and tools run
// elsewhere.

import { useMemo } from 'react'
import type { ChatChange } from '#app/chat/chat-filter.ts'
import type { Conversation, ConversationActivity } from '#app/chat/conversation.ts'
import type { ListedServer } from '#app/chat/tools/tool-overview.ts'
import { consentSentence } from '#app/consent/display/request-title.ts'
import type { ConsentRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { ruleLabel } from '#app/consent/rules/rule-labels.ts'
import { t } from '#app/i18n/translate.ts'
import type { ModelInfo } from '#app/models/models.ts'
import type { Mention } from '#app/server/mentions.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { nextTextSize, type Settings } from '#app/settings.ts'
import type { Chord, Chords } from '#app/shortcuts.ts'
import { revokeRule } from '#renderer/features/audit-log/revoke-rule.ts'
import { compareLatest } from '#renderer/features/chat/messages/message-menus.tsx'
import { useExport } from '#renderer/features/chat/organize/export-chats.tsx'
import { type ChatChanges, useChatChanges } from '#renderer/features/chat/organize/use-chat-changes.ts'
import { FAVOURITES, favouriteLabel, modelGroups } from '#renderer/features/chat/settings/model-picker.tsx'
import { useBeginningChat, useChooseModel, useFavourites } from '#renderer/features/chat/settings/new-chat-choices.ts'
import { dateGroup } from '#renderer/features/history/chat-rows.ts'
import { openAddServer } from '#renderer/features/servers/open-add-server.ts'
import { stateWord } from '#renderer/features/servers/status/state-labels.ts'
import { focusNextRequest, focusRequestSoon, goToSearch } from '#renderer/navigation/focus.ts'
import { openNewWindow, toggleSidebar, useChords } from '#renderer/navigation/shortcuts.ts'
import { navigate, type Route, useRoute } from '#renderer/router.ts'
import { isBusy } from '#renderer/stores/conversations-store.ts'
import { useConsent, useConversations, useModels, useServers, useSettings, useStores } from '#renderer/stores/store-hooks.tsx'
import type { Stores } from '#renderer/stores/stores.ts'
import type { IconName } from '#renderer/ui/icon.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'

export interface Command {
  readonly id: string
  readonly words: string
  /** `waiting`: the dot of what waits for the person. */
  readonly icon: IconName | 'waiting'
  /** Shown beside the words, and searched too. */
  readonly detail?: string
  /** Other names for it, which are searched and not shown. */
  readonly also?: string
  /** Shown at the right edge: a state, a day. */
  readonly end?: string
  readonly chord?: Chord | null
  /** Action, or the list that it opens. */
  readonly act: (() => void) | CommandList
  readonly more?: CommandList
}

export type CommandList = { readonly title: string; readonly groups: readonly CommandGroup[] }

export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
  /** Shown before anything is typed; default: all of it. */
  readonly atFirst?: number
  /** Found already, by the host's own rules: what fits is not asked again. */
  readonly found?: boolean
}

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

const sizes = [
  [1, t`Larger text`],
  [-1, t`Smaller text`],
  [0, t`Text in its usual size`],
] as const

function pageCommands(stores: Stores, chords: Chords): Command[] {
  const { actions, settings } = stores
  const { theme, textSize } = settings.getState().settings
  return [
    to('new-chat', t`New chat`, 'plus', { page: 'chat' }, { chord: chords.newChat }),
    command('search', t`Search in all chats`, 'search', goToSearch, { chord: chords.search }),
    to('requests', t`Requests`, 'inbox', { page: 'requests' }, { chord: chords.requests }),
    to('servers', t`Servers`, 'servers', { page: 'servers' }),
    command('add-server', t`Add server`, 'plus', () => openAddServer()),
    to('library', t`Library`, 'library', { page: 'library' }),
    to('activity', t`Activity`, 'clock', { page: 'activity' }, { chord: chords.activity }),
    to('rules', t`Rules`, 'shield', { page: 'activity', tab: 'rules' }),
    to('settings', t`Settings`, 'sliders', { page: 'settings' }, { chord: chords.settings }),
    command('sidebar', t`Collapse or expand the sidebar`, 'menu', () => toggleSidebar(stores), { chord: chords.sidebar }),
    command('next-request', t`To the next request`, 'inbox', () => focusNextRequest(stores), {
      chord: chords.nextRequest,
    }),
    to('all-chats', t`All chats`, 'chat', { page: 'chats' }),
    to('config', t`Edit servers.json`, 'edit', { page: 'servers', name: '', tab: 'config' }),
    to('models', t`Models and keys`, 'model', { page: 'settings', tab: 'models' }, { also: t`settings provider api key anthropic openai` }),
    to('usage', t`Usage and budget`, 'clock', { page: 'settings', tab: 'usage' }),
    to('permissions', t`Permissions and limits`, 'shield', { page: 'settings', tab: 'permissions' }),
    to('data', t`Backup, import and export`, 'file', { page: 'settings', tab: 'data' }),
    to('shortcuts', t`Keyboard shortcuts`, 'info', { page: 'settings', tab: 'shortcuts' }, { chord: chords.shortcuts }),
    command('new-window', t`New window`, 'plus', () => openNewWindow(stores), { chord: chords.newWindow }),
    command('environment', t`Reload environment variables`, 'refresh', () => actions.go('app.readEnvironment', {}), {
      also: t`PATH variables`,
    }),
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map((one) => command(`theme-${one}`, themes[one], 'sliders', () => actions.set({ theme: one }))),
    ...sizes.map(([by, words]) => command(`size ${by}`, words, 'eye', () => actions.set({ textSize: nextTextSize(textSize, by) }))),
  ]
}

type ChatVerbs = { readonly changes: ChatChanges; readonly exportChats: ReturnType<typeof useExport> }

const activityLabels: Partial<Record<ConversationActivity['kind'], string>> = {
  working: t`running`,
  waiting: t`waits for you`,
  interrupted: t`cut off`,
}

const chatVerbs = {
  pin: t`Pin`,
  unpin: t`Unpin`,
  archive: t`Archive`,
  unarchive: t`Unarchive`,
  markdown: t`Export as Markdown`,
  json: t`Export as JSON`,
  delete: t`Delete`,
} as const

/** Commands for one chat. `detail`: what is said beside them, in a list that is not the chat's own. */
function verbsOf(
  { id, pinned, archivedAt, activity }: Conversation,
  { actions }: Stores,
  { changes, exportChats }: ChatVerbs,
  detail: Pick<Command, 'detail'> = {},
): Command[] {
  const change = (name: string, kind: ChatChange['kind'] & keyof typeof chatVerbs, icon: IconName): Command =>
    command(`${name} ${id}`, chatVerbs[kind], icon, () => void changes.change([id], { kind }), detail)
  const exportAs = (format: 'markdown' | 'json'): Command =>
    command(`${format} ${id}`, chatVerbs[format], 'file', () => void exportChats(format, [id]), detail)
  return [
    ...(isBusy(activity) ? [command(`stop ${id}`, t`Stop the answer`, 'stop', () => actions.stop(id))] : []),
    change('pin', pinned ? 'unpin' : 'pin', 'arrow-down'),
    change('archive', archivedAt === undefined ? 'archive' : 'unarchive', 'folder'),
    exportAs('markdown'),
    exportAs('json'),
    change('delete', 'delete', 'trash'),
  ]
}

const chatCommands = (stores: Stores, chats: readonly Conversation[], verbs: ChatVerbs): Command[] =>
  chats.map((chat) => {
    const { id, title } = chat
    const end = activityLabels[chat.activity.kind] ?? dateGroup(chat.updatedAt, Date.now()).toLowerCase()
    const more = { title, groups: [{ title: t`Chat`, commands: verbsOf(chat, stores, verbs) }] }
    return to(`chat ${id}`, title, 'chat', { page: 'chat', id }, { end, more })
  })

function ruleCommands(stores: Stores, rules: readonly Rule[]): Command[] {
  // Without a “never”, more is asked or allowed than before: that is done where the rule is read whole.
  const allowing = rules.filter(({ effect }) => effect === 'allow')
  if (allowing.length === 0) return []
  const commands = allowing.map((rule) => {
    const end = rule.server === undefined ? {} : { end: rule.server }
    return command(`revoke ${rule.id}`, ruleLabel(rule), 'shield', () => void revokeRule(stores, rule), end)
  })
  const list = { title: t`Revoke a rule`, groups: [{ title: t`Rules that allow`, commands }] }
  return [command('revoke-rule', t`Revoke a rule`, 'shield', list)]
}

const waitingCommands = (requests: readonly ConsentRequest[], titleOf: (conversationId: string) => string | undefined): Command[] =>
  requests.map((request) => {
    const { id, conversationId } = request
    const title = conversationId === undefined ? undefined : titleOf(conversationId)
    const review = (): void => {
      navigate(conversationId === undefined ? { page: 'requests', id } : { page: 'chat', id: conversationId })
      focusRequestSoon(id)
    }
    const extras = title === undefined ? {} : { detail: title }
    return command(`request ${id}`, consentSentence(request), 'waiting', review, extras)
  })

const icons = { resource: 'file', template: 'edit', prompt: 'text' } as const

const mentionCommands = (mentions: readonly Mention[] = []): Command[] =>
  mentions.slice(0, mostOfKind).map((mention) => {
    const item = mention.kind === 'resource' ? mention.uri : mention.kind === 'template' ? mention.uriTemplate : mention.name
    const tab = mention.kind === 'prompt' ? 'prompts' : 'resources'
    const route: Route = { page: 'library', tab, server: mention.server, item }
    return to(`${mention.kind} ${mention.server} ${item}`, mention.name, icons[mention.kind], route, { detail: mention.server })
  })

/** Commands that lead to each tool, where it is run by hand; none runs one. */
const toolCommands = (servers: readonly ListedServer[]): Command[] =>
  servers.flatMap(({ name: server, tools }) =>
    tools.map(({ name, title }) => {
      const route = { page: 'library', tab: 'tools', server, item: name } as const
      return to(`tool ${server} ${name}`, title ?? name, 'tool', route, { detail: server, also: name })
    }),
  )

/** Groups of models, and the commands that list them. `open`: the open chat; without one a choice is for new chats. */
function useModelCommands(open: Conversation | undefined, folderId: string | undefined) {
  const stores = useStores()
  const models = useModels((state) => state.models)
  const providers = useModels((state) => state.providers)
  const standard = useSettings((state) => state.settings.defaultModel)
  const { favourites, toggle } = useFavourites()
  const begins = useBeginningChat(folderId)
  const chooseForNew = useChooseModel(begins)
  return useMemo(() => {
    const { actions } = stores
    const forNew = {
      words: t`Model of new chats`,
      current: begins.choice.model ?? (folderId === undefined ? standard : undefined),
      choose: chooseForNew,
    }
    const forOpen = open && {
      words: t`Model of this chat`,
      current: open.model,
      choose: (id: string): void => actions.setModel(open.id, id),
    }
    const compare = open && compareLatest(stores, open)
    const forSecond = compare && { words: t`Compare two answers`, current: undefined, choose: compare }
    const places = [...(forOpen ? [forOpen] : []), forNew, ...(forSecond ? [forSecond] : [])]
    const byGroup = modelGroups(models, providers, favourites)
    const choice = ({ words, current, choose }: typeof forNew, { id, name, provider }: ModelInfo): Command => {
      const act = (): void => {
        choose(id)
        actions.toast(`${words}: ${name}`)
      }
      const detail = providers.find((one) => one.id === provider)?.name ?? provider
      return command(`model ${id}`, name, 'model', act, { detail, also: `${id} ${words}`, end: id === current ? t`Current` : '' })
    }
    const moreFor = (model: ModelInfo): CommandList => {
      const words = favouriteLabel(model, favourites)
      const commands = [
        ...places.map((place) => ({ ...choice(place, model), id: place.words, words: place.words })),
        command('favourite', words, 'model', () => toggle(model.id)),
      ]
      return { title: model.name, groups: [{ title: t`Model`, commands }] }
    }
    const main = forOpen ?? forNew
    const found = byGroup.map(({ provider, models: own }) => ({
      provider,
      commands: own.map((model) => ({ ...choice(main, model), more: moreFor(model) })),
    }))
    return {
      commands: places.map((place) => {
        const groups = byGroup.map(({ name, models: own }) => ({
          title: name,
          commands: own.flatMap((model) => (place === forSecond && model.id === open?.model ? [] : [choice(place, model)])),
          atFirst: mostModels,
        }))
        return command(place.words, `${place.words}…`, 'model', { title: place.words, groups })
      }),
      favourites: found.flatMap(({ provider, commands }) => (provider === FAVOURITES ? commands : [])),
      others: found.flatMap(({ provider, commands }) => (provider === FAVOURITES ? [] : commands)),
    }
  }, [stores, models, providers, standard, favourites, toggle, begins, chooseForNew, open, folderId])
}

/** Presses the button of the last answer that is read aloud, where the person chose a voice. */
function readAloudCommands(): Command[] {
  const button = [...document.querySelectorAll<HTMLElement>('[data-read-aloud]')].at(-1)
  return button
    ? [command('read-aloud', button.getAttribute('aria-label') ?? '', 'play', () => button.click(), { detail: t`This chat` })]
    : []
}

const live = new Set(['starting', 'ready', 'waiting'])

function actsOf({ name, state, definition }: ServerSummary, { actions }: Stores): Command[] {
  const page = { page: 'servers', name } as const
  const isLive = live.has(state.kind)
  const mayStart = !isLive && definition.enabled && state.kind !== 'stopping'
  const run = (verb: 'server.start' | 'server.stop' | 'server.restart') => (): void => {
    // How it ends is seen on the server's page.
    void actions.attempt(verb, { name })
    navigate(page)
  }
  return [
    to(`${name} open`, t`Open`, 'servers', page),
    ...(isLive
      ? [
          command(`${name} restart`, t`Restart`, 'refresh', run('server.restart')),
          command(`${name} stop`, t`Stop`, 'stop', run('server.stop')),
        ]
      : []),
    ...(mayStart ? [command(`${name} start`, t`Start`, 'play', run('server.start'))] : []),
    to(`${name} tools`, t`Tools`, 'tool', { ...page, tab: 'tools' }),
    to(`${name} log`, t`Log`, 'text', { ...page, tab: 'log' }),
  ]
}

const serverCommands = (stores: Stores, servers: readonly ServerSummary[]): Command[] =>
  servers.map((server) => ({
    id: `server ${server.name}`,
    words: server.name,
    icon: 'servers',
    end: stateWord(server, Date.now()).word,
    also: t`server`,
    act: () => navigate({ page: 'servers', name: server.name }),
    more: { title: server.name, groups: [{ title: t`Server`, commands: actsOf(server, stores) }] },
  }))

/** Commands that ask for a server; those that fit no server are left out. */
function serverVerbs(stores: Stores, servers: readonly ServerSummary[]): Command[] {
  const verb = (words: string, icon: Command['icon'], what: 'start' | 'stop' | 'restart'): Command[] => {
    const commands = servers.flatMap((server) => {
      const command = actsOf(server, stores).find(({ id }) => id === `${server.name} ${what}`)
      return command ? [{ ...command, words: server.name, end: stateWord(server, Date.now()).word, icon: 'servers' } as const] : []
    })
    const act = { title: t`${words} server`, groups: [{ title: t`Servers`, commands }] }
    return commands.length === 0 ? [] : [{ id: `${what}-server`, words: t`${words} server…`, icon, act }]
  }
  return [...verb(t`Restart`, 'refresh', 'restart'), ...verb(t`Start`, 'play', 'start'), ...verb(t`Stop`, 'stop', 'stop')]
}

const mostChats = 20
/** Models of one provider that are listed before anything is typed. */
const mostModels = 20
const mostOfKind = 4
/** Letters from which on resources and prompts are searched: fewer are in nearly every name. */
const fewestLetters = 2

/** Mentions that match, if there are enough letters. */
const useMentions = (kind: 'resource' | 'prompt', text: string): readonly Mention[] | undefined =>
  useHostAnswer('mention.find', text.length < fewestLetters ? undefined : { kind, text }).value?.offers

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
  const text = query.trim().slice(0, 200)
  const search = text === '' ? undefined : { filter: { archived: false, text }, limit: mostChats }
  // Undefined: nothing is typed, or no answer is there yet; then the page's own list is searched.
  const found = useHostAnswer('conversation.find', search).value?.conversations
  const prompts = useMentions('prompt', text)
  const resources = useMentions('resource', text)
  const listed = useHostAnswer('tool.list', text.length < fewestLetters ? undefined : {}).value?.servers
  const tools = useMemo(() => toolCommands(listed ?? []), [listed])
  const openId = route.page === 'chat' ? route.id : undefined
  const open = chats.find(({ id }) => id === openId)
  const models = useModelCommands(open, route.page === 'folder' ? route.id : undefined)
  return useMemo(() => {
    const verbs = { changes, exportChats }
    const titleOf = (id: string): string | undefined => chats.find((chat) => chat.id === id)?.title
    const commands = [
      ...pageCommands(stores, chords),
      ...(open ? verbsOf(open, stores, verbs, { detail: t`This chat` }) : []),
      ...(open ? readAloudCommands() : []),
      ...models.commands,
      ...serverVerbs(stores, servers),
      ...ruleCommands(stores, rules),
    ]
    const others = chats.filter(({ id, archivedAt }) => id !== openId && archivedAt === undefined)
    const shown = chatCommands(stores, found ?? others.slice(0, mostChats), verbs)
    return {
      title: t`Commands`,
      groups: [
        { title: t`Waiting for you`, commands: waitingCommands(requests, titleOf) },
        { title: t`Commands`, commands, atFirst },
        { title: t`Chats`, commands: shown, atFirst, found: found !== undefined },
        { title: t`Favourites`, commands: models.favourites, atFirst: 0 },
        { title: t`Models`, commands: models.others, atFirst: 0 },
        { title: t`Servers`, commands: serverCommands(stores, servers), atFirst: 0 },
        { title: t`Tools`, commands: tools, atFirst: 0 },
        { title: t`Resources and prompts`, commands: [...mentionCommands(prompts), ...mentionCommands(resources)], found: true },
        ...(query.trim() === '' ? [] : [{ title: t`Everywhere`, commands: [searchFor(query.trim())], found: true }]),
      ],
    }
  }, [stores, chords, changes, exportChats, servers, chats, requests, rules, found, prompts, resources, tools, models, open, openId, query])
}

const searchFor = (text: string): Command => to('search-for', t`Search messages for “${text}”`, 'search', { page: 'search', text })
