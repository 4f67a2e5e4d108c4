// What came of each start of a server, on record: whether it was allowed stands there before (the broker's row, or that of
// the server that comes with Assent); here is that it runs and as what, or why it does not.
import { z } from 'zod'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { AuditStore, Store } from '#main/store/store-api.ts'

// What the file of servers says that consent rests on, on record whenever it is another than before: whether a server's
// word about its tools counts, whether it starts with Assent, whether it is used at all. Whoever edits the file, and also
// while Assent does not run: what was seen last is remembered.

const flagsOf = z.object({ trusted: z.boolean(), start: z.enum(['launch', 'needed']), enabled: z.boolean() })
type Flags = z.infer<typeof flagsOf>
const remembered = z.record(z.string(), flagsOf)

/** Of a server that was just added. */
const plain: Flags = { trusted: false, start: 'needed', enabled: true }

const words: { readonly [F in keyof Flags]: (value: Flags[F]) => string } = {
  trusted: (value) => (value ? 'trusted' : 'trusted-no-more'),
  start: (value) => (value === 'launch' ? 'starts-with-assent' : 'starts-when-needed'),
  enabled: (value) => (value ? 'switched-on' : 'switched-off'),
}

/** `file`: whose flags they are. Throws when a change cannot be put on record. */
export function auditConsentFlags(
  { audit, settings }: Pick<Store, 'audit' | 'settings'>,
  file: string,
  definitions: ReadonlyMap<string, ServerDefinition>,
): void {
  const fact = `server-flags ${file}`
  const before = remembered.safeParse(settings.fact(fact)).data ?? {}
  const after: Record<string, Flags> = {}
  let changed = Object.keys(before).some((name) => !definitions.has(name))
  const told = <F extends keyof Flags>(server: string, flag: F, old: Flags, now: Flags): void => {
    if (old[flag] === now[flag]) return
    changed = true
    audit.append({ kind: 'config', server, decision: words[flag](now[flag]), detail: { flag } })
  }
  for (const [name, { trusted, start, enabled }] of definitions) {
    const now: Flags = { trusted, start, enabled }
    const old = before[name] ?? plain
    after[name] = now
    changed ||= before[name] === undefined
    told(name, 'trusted', old, now)
    told(name, 'start', old, now)
    told(name, 'enabled', old, now)
  }
  if (changed) settings.setFact(fact, after)
}

interface StartAudit {
  observe(server: Pick<ServerSummary, 'name' | 'state'>): void
  forget(name: string): void
}

export function createStartAudit(audit: Pick<AuditStore, 'append'>, onError: (error: unknown) => void): StartAudit {
  /** The last state that was told, by server. */
  const last = new Map<string, ServerSummary['state']>()
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
