// Answers to `roots/list` (MCP, "Roots"). A chat may have folders of its own, while a server keeps one list for all: so before a call the
// server is told when its list has changed, also when a folder has vanished, and its next request belongs to that call.
import { posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ListRootsResult } from '@modelcontextprotocol/client'
import { isFolder } from '#main/base/is-folder.ts'
import type { CallForward, RunningCalls } from '#main/servers/client/requests/running-calls.ts'
import type { AskedBy } from '#main/servers/client/requests/server-request-handlers.ts'
import type { ChatContext } from '../chat-context.ts'
import { callOf, withOrigin } from '../request-origin.ts'

/** Returns the `file://` URI of an absolute path. */
export function fileUri(path: string, windows = process.platform === 'win32'): string {
  const { href } = pathToFileURL(path, { windows })
  // Node writes the root of a drive with a slash too many (`file:///D://`).
  return href.replace(/^(file:\/\/\/[A-Za-z]:)\/+$/, '$1/')
}

/** Last part of a path; the whole path for a root. */
export const pathBasename = (path: string, windows = process.platform === 'win32'): string =>
  (windows ? win32 : posix).basename(path) || path

export type RootsProvider = ReturnType<typeof createRootsProvider>

export function createRootsProvider(chat: Pick<ChatContext, 'roots' | 'broker' | 'servers'>, running: RunningCalls) {
  /** Folders that each server was last offered, as JSON. */
  const last = new Map<string, string>()
  const offered = (server: string, conversationId: string | undefined, forward?: CallForward) => {
    const paths = forward ? forward.roots() : (chat.roots?.(server, conversationId) ?? [])
    const there = paths.filter(isFolder)
    return {
      roots: there.map((path) => ({ uri: fileUri(path), name: pathBasename(path) })),
      missing: paths.filter((path) => !there.includes(path)),
      key: JSON.stringify(there),
    }
  }
  return {
    /** Answers with the folders the person agrees to. An empty list gives nothing away: it needs no consent, and stands for a refusal. */
    async tell(by: AskedBy): Promise<ListRootsResult> {
      // An agent that gives no answer offers what it did.
      await by.call?.forward?.askRoots?.(by.signal, by.key).catch(() => undefined)
      const { roots, missing, key } = offered(by.server, callOf(running, by)?.conversationId, by.call?.forward)
      last.set(by.server, key)
      if (roots.length === 0) return { roots: [] }
      return withOrigin(running, by, async (origin) => ({
        roots: (await chat.broker.roots({ ...origin, roots, missing })) ? roots : [],
      }))
    },
    /** Tells the server, before a call is sent to it, that its list has changed. */
    beforeCall(server: string, conversationId: string | undefined, forward?: CallForward): void {
      const before = last.get(server)
      if (before === undefined) return
      const { key } = offered(server, conversationId, forward)
      if (key === before) return
      last.set(server, key)
      chat.servers.rootsChanged(server)
    },
  }
}
