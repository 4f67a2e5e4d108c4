// What came of each start of a server, on record: whether it was allowed stands there before (the broker's row, or that of
// the server that comes with Assent); here is that it runs and as what, or why it does not.
import type { ServerView } from '#app/server/view.ts'
import type { AuditStore } from '#main/store/types.ts'

export interface StartRecord {
  observe(server: Pick<ServerView, 'name' | 'state'>): void
  forget(name: string): void
}

export function createStartRecord(audit: Pick<AuditStore, 'append'>, onError: (error: unknown) => void): StartRecord {
  /** The last state that was told, by server. */
  const last = new Map<string, ServerView['state']>()
  return {
    observe({ name, state }) {
      const before = last.get(name)
      last.set(name, state)
      if (before?.kind === state.kind) return
      try {
        if (state.kind === 'ready') {
          const { era, protocolVersion, transport = null, serverInfo } = state.session
          const { name: called = null, version = null } = serverInfo ?? {}
          audit.append({
            kind: 'launch',
            server: name,
            decision: 'started',
            detail: { transport, era, protocolVersion, called, version, pid: state.pid ?? null },
          })
        } else if (state.kind === 'failed')
          audit.append({ kind: 'launch', server: name, decision: 'failed', detail: { code: state.error.code } })
      } catch (error) {
        onError(error)
      }
    },
    forget: (name) => void last.delete(name),
  }
}
