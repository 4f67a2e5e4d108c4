// What servers are told of the person's folders (MCP, "Roots"), and that they hear when it would be something else. A chat
// may have folders of its own, while a server of the older eras keeps one list for all: so before a call it is told that its
// list has changed, if it has, and what it then asks belongs to that call. So it learns too that a folder has vanished.
import type { ListRootsResult } from '@modelcontextprotocol/client'
import { fileUri, folderName } from '#main/base/file-uri.ts'
import { isFolder } from '#main/base/is-folder.ts'
import type { AskedBy } from '#main/servers/handlers.ts'
import type { ChatOptions } from './deps.ts'
import { withOrigin } from './origin.ts'
import type { RunningCalls } from './running.ts'

export interface ToldRoots {
  /** Telling "none" gives nothing away, so nobody is asked then; a server that is refused learns no more than that. */
  tell(by: AskedBy): Promise<ListRootsResult>
  /** A call to the server is about to be sent. */
  beforeCall(server: string, conversationId: string | undefined): void
}

export function createToldRoots(deps: Pick<ChatOptions, 'roots' | 'broker' | 'servers'>, running: RunningCalls): ToldRoots {
  /** By server: what it was last offered. */
  const last = new Map<string, string>()
  const offered = (server: string, conversationId: string | undefined) => {
    const paths = deps.roots?.(server, conversationId) ?? []
    const there = paths.filter(isFolder)
    return {
      roots: there.map((path) => ({ uri: fileUri(path), name: folderName(path) })),
      missing: paths.filter((path) => !there.includes(path)),
      key: JSON.stringify(there),
    }
  }
  return {
    async tell(by) {
      const { roots, missing, key } = offered(by.server, running.askedIn(by.server, by.callId)?.conversationId)
      last.set(by.server, key)
      if (roots.length === 0) return { roots: [] }
      return withOrigin(running, by, async (origin) => ({
        roots: (await deps.broker.roots({ ...origin, roots, missing })) ? roots : [],
      }))
    },
    beforeCall(server, conversationId) {
      const before = last.get(server)
      if (before === undefined) return
      const { key } = offered(server, conversationId)
      if (key === before) return
      last.set(server, key)
      deps.servers.rootsChanged(server)
    },
  }
}
