// What is remembered of a server that nobody keeps: for as long as the object is there.
import type { Catalogue } from '#app/server/catalogue.ts'
import type { LogLevel, Session } from '#app/server/state.ts'
import type { ServerStore } from '#main/store/types.ts'

export function memoryServerStore(): ServerStore {
  const catalogues = new Map<string, Catalogue>()
  const sessions = new Map<string, Session>()
  const disabled = new Map<string, Set<string>>()
  const levels = new Map<string, LogLevel>()
  const launches = new Map<string, string>()
  const all: readonly Map<string, unknown>[] = [catalogues, sessions, disabled, levels, launches]
  return {
    catalogue: (server) => catalogues.get(server),
    restOfResources: () => undefined,
    putCatalogue: (server, catalogue) => void catalogues.set(server, catalogue),
    session: (server) => sessions.get(server),
    putSession: (server, session) => void (session ? sessions.set(server, session) : sessions.delete(server)),
    bindMemory(server, launch) {
      const before = launches.get(server)
      launches.set(server, launch)
      if (before === undefined || before === launch) return
      for (const map of [catalogues, sessions]) map.delete(server)
    },
    disabledTools: (server) => disabled.get(server) ?? new Set(),
    setToolEnabled(server, tool, enabled) {
      const tools = disabled.get(server) ?? new Set()
      disabled.set(server, tools)
      if (enabled) tools.delete(tool)
      else tools.add(tool)
    },
    logLevel: (server) => levels.get(server),
    putLogLevel: (server, level) => void levels.set(server, level),
    trusted: () => new Map(),
    putTrust: () => undefined,
    folders: () => [],
    putFolders: () => undefined,
    rename(from, to) {
      for (const map of all) {
        if (!map.has(from)) continue
        map.set(to, map.get(from))
        map.delete(from)
      }
    },
    forget: (server) => {
      for (const map of [catalogues, sessions, disabled, launches]) map.delete(server)
    },
  }
}
