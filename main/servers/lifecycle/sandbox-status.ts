// Sandbox of a server as its summary says it: that of the last start in this run, and of the next one.
import { isDeepStrictEqual } from 'node:util'
import { defined } from '#app/or-else.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { sandboxExemption } from '#app/server/sandbox/sandbox-exemption.ts'
import type { LaunchSandbox, ServerSandbox } from '#app/server/sandbox/sandbox-settings.ts'
import type { ServerSummary } from '#app/server/server-summary.ts'
import type { SandboxEngine } from '../process/sandbox/find-engine.ts'

interface SandboxFacts {
  readonly definition: ServerDefinition
  readonly option: 'on' | 'off' | undefined
  /** Undefined: nobody has looked yet. */
  readonly engine: SandboxEngine | undefined
  /** Approval of the last start of this run. */
  readonly last: { readonly sandbox?: LaunchSandbox | undefined } | undefined
  /** Approval that is kept; null: a launch of before there were sandboxes. Undefined: none. */
  readonly kept: LaunchSandbox | null | undefined
}

export function sandboxStatus(facts: SandboxFacts): Pick<ServerSummary, 'sandbox' | 'nextSandbox'> {
  const { definition, option, last, kept } = facts
  const because = sandboxExemption(definition)
  if (because !== undefined && (because !== 'container' || option !== 'on')) return { sandbox: { kind: 'not-needed', because } }
  const next = nextSandbox(facts)
  if (!last) return defined({ sandbox: next })
  const sandbox = shown(last.sandbox, facts)
  const differs = kept !== undefined && !isDeepStrictEqual(next, sandbox)
  return defined({ sandbox, nextSandbox: differs ? next : undefined })
}

function nextSandbox(facts: SandboxFacts): ServerSandbox | undefined {
  const { definition, option, engine, kept } = facts
  if (option === 'off') return { kind: 'off', by: 'option' }
  if (kept !== undefined) return shown(kept ?? undefined, facts)
  if (definition.transport === 'stdio' && definition.sandbox?.kind === 'off' && option === undefined) return { kind: 'off', by: 'entry' }
  return engine && (missing(engine) ?? { kind: 'on' })
}

const missing = (engine: SandboxEngine | undefined): ServerSandbox | undefined =>
  engine?.kind === 'none' ? { kind: 'missing', reason: engine.reason, remedy: engine.remedy } : undefined

function shown(sandbox: LaunchSandbox | undefined, { option, engine }: SandboxFacts): ServerSandbox {
  if (sandbox === undefined) return option === 'off' ? { kind: 'off', by: 'option' } : (missing(engine) ?? { kind: 'off', by: 'earlier' })
  if (sandbox.kind === 'off') return { kind: 'off', by: sandbox.by ?? 'entry' }
  if (sandbox.kind === 'missing') return { kind: 'missing', reason: sandbox.reason, remedy: sandbox.remedy }
  const { kind, ownFolder: _own, asked: _asked, ...grants } = sandbox
  return { kind, grants }
}
