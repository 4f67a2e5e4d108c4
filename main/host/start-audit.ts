// What came of each start of a server, on record: whether it was allowed stands there before (the broker's row, or that of
// the server that comes with Assent); here is that it runs and as what, or why it does not.
import { z } from 'zod'
import type { ServerDefinition } from '#app/server/definition.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { AuditStore, Store } from '#main/store/store-api.ts'

const flagsOf = z.object({ trusted: z.boolean(), start: z.enum(['launch', 'needed']), enabled: z.boolean() })
type Flags = z.infer<typeof flagsOf>
const remembered = z.record(z.string(), flagsOf)

const defaultFlags: Flags = { trusted: false, start: 'needed', enabled: true }

const words: { readonly [F in keyof Flags]: (value: Flags[F]) => string } = {
  trusted: (value) => (value ? 'trusted' : 'trusted-no-more'),
  start: (value) => (value === 'launch' ? 'starts-with-assent' : 'starts-when-needed'),
  enabled: (value) => (value ? 'switched-on' : 'switched-off'),
}

/**
 * Audits each change of the flags in servers.json that consent rests on: trusted, start with Assent, enabled. The flags seen last
 * are stored by file, so edits made while Assent did not run are found too.
 * @throws {HostError} when a change cannot be put on record.
 */
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
    const old = before[name] ?? defaultFlags
    after[name] = now
    changed ||= before[name] === undefined
    told(name, 'trusted', old, now)
    told(name, 'start', old, now)
    told(name, 'enabled', old, now)
  }
  if (changed) settings.setFact(fact, after)
}

/** Audits what came of the check of signed permissions: which were not used, or what was signed for the first time or at the person's word. */
export function auditSignedState({ audit, signed }: Pick<Store, 'audit' | 'signed'>): void {
  const report = signed.report
  if (!report) return
  const { reason, items } = report
  const listed = items.filter(({ change }) => reason === 'first' || change !== undefined)
  audit.append({
    kind: 'config',
    decision: reason === 'first' ? 'permissions-signed' : 'permissions-not-used',
    detail: { reason, items: listed.map(({ change = null, kind, effect = null, name }) => ({ change, kind, effect, name })) },
  })
}

/** Audits the outcome of each start: the session, or why the server failed. Whether the start was allowed is the broker's row. */
export function createStartAudit(audit: Pick<AuditStore, 'append'>, onError: (error: unknown) => void) {
  const last = new Map<string, ServerSummary['state']>()
  return {
    observe({ name, state }: Pick<ServerSummary, 'name' | 'state'>): void {
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
    forget: (name: string): void => void last.delete(name),
  }
}
