// Commands for servers: to the page of one, and what its menu can do.

import { t } from '#app/i18n/translate.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import { stateWord } from '#renderer/features/servers/status/state-labels.ts'
import { navigate } from '#renderer/router.ts'
import type { Stores } from '#renderer/stores/stores.ts'
import type { Command } from './command.ts'

const live = new Set(['starting', 'ready', 'waiting'])

function actsOf({ name, state, definition }: ServerSummary, { actions }: Stores): Command[] {
  const go = (tab: string | undefined) => (): void => navigate({ page: 'servers', name, ...(tab && { tab }) })
  const run = (verb: 'server.start' | 'server.stop' | 'server.restart') => (): void => {
    // How it ends is seen on the server's page.
    void actions.attempt(verb, { name })
    navigate({ page: 'servers', name })
  }
  return [
    { id: `${name} open`, words: t`Open its page`, icon: 'servers', act: go(undefined) },
    ...(live.has(state.kind)
      ? [
          { id: `${name} restart`, words: t`Restart`, icon: 'refresh', act: run('server.restart') } as const,
          { id: `${name} stop`, words: t`Stop`, icon: 'stop', act: run('server.stop') } as const,
        ]
      : definition.enabled && state.kind !== 'stopping'
        ? [{ id: `${name} start`, words: t`Start`, icon: 'play', act: run('server.start') } as const]
        : []),
    { id: `${name} tools`, words: t`Its tools`, icon: 'tool', act: go('tools') },
    { id: `${name} log`, words: t`Its log`, icon: 'text', act: go('log') },
  ]
}

export const serverCommands = (stores: Stores, servers: readonly ServerSummary[]): Command[] =>
  servers.map((server) => ({
    id: `server ${server.name}`,
    words: server.name,
    icon: 'servers',
    end: stateWord(server, Date.now()).word,
    also: 'server',
    act: () => navigate({ page: 'servers', name: server.name }),
    more: { title: server.name, groups: [{ title: t`Server`, commands: actsOf(server, stores) }] },
  }))

/** Commands that ask for a server; those that fit no server are left out. */
export function serverVerbs(stores: Stores, servers: readonly ServerSummary[]): Command[] {
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
