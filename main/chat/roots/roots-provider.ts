// What servers are told of the person's folders (MCP, "Roots"), and that they hear when it would be something else. A chat may
// have folders of its own, while a server of the older eras keeps one list for all: so before a call it is told that its list
// has changed, if it has, and what it then asks belongs to that call. So it learns too that a folder has vanished. The
// `file://` URI of a folder, as servers are told it (MCP, "Roots"). Right for the other system too, so that both are tested on
// either.
import { posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ListRootsResult } from '@modelcontextprotocol/client'
import { isFolder } from '#main/base/is-folder.ts'
import type { RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import type { ChatContext } from '../chat-context.ts'
import { callOf, withOrigin } from '../request-origin.ts'

/** `path`: absolute. */
export function fileUri(path: string, windows = process.platform === 'win32'): string {
  const { href } = pathToFileURL(path, { windows })
  // Node writes the root of a drive with a slash too many (`file:///D://`).
  return href.replace(/^(file:\/\/\/[A-Za-z]:)\/+$/, '$1/')
}

/** The last part of a path; of a root the whole of it. */
export const pathBasename = (path: string, windows = process.platform === 'win32'): string =>
  (windows ? win32 : posix).basename(path) || path

export interface RootsProvider {
  /** Telling "none" gives nothing away, so nobody is asked then; a server that is refused learns no more than that. */
  tell(by: AskedBy): Promise<ListRootsResult>
  /** A call to the server is about to be sent. */
  beforeCall(server: string, conversationId: string | undefined): void
}

export function createRootsProvider(deps: Pick<ChatContext, 'roots' | 'broker' | 'servers'>, running: RunningCalls): RootsProvider {
  /** By server: what it was last offered. */
  const last = new Map<string, string>()
  const offered = (server: string, conversationId: string | undefined) => {
    const paths = deps.roots?.(server, conversationId) ?? []
    const there = paths.filter(isFolder)
    return {
      roots: there.map((path) => ({ uri: fileUri(path), name: pathBasename(path) })),
      missing: paths.filter((path) => !there.includes(path)),
      key: JSON.stringify(there),
    }
  }
  return {
    async tell(by) {
      const { roots, missing, key } = offered(by.server, callOf(running, by)?.conversationId)
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
