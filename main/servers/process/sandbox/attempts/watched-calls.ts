// Calls of a server that run in its sandbox: what was tried in the course of each, as far as that can be told.
import { defined } from '#app/or-else.ts'
import { type BlockedTarget, grantOf } from '#app/server/sandbox/sandbox-report.ts'
import type { HostAttempt } from '../proxy/host-proxy.ts'

type HostAndPort = Pick<HostAttempt, 'host' | 'port'>

/** Targets of one call that are kept. */
const most = 20

const portText = ({ host, port }: HostAndPort): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

const blockedText = ({ kind, target, port = 443 }: BlockedTarget): string =>
  kind === 'host' ? portText({ host: target, port }) : `${kind} ${target}`

/** Call that runs, as far as a sandbox concerns it. */
export interface WatchedCall {
  readonly callId: string
  readonly tool: string
  readonly onBlocked?: ((blocked: readonly BlockedTarget[]) => void) | undefined
}

/** Hosts and refusals of one call, for the audit log. `several`: other calls ran beside it, so what came meanwhile may be theirs and is left out. */
export interface CallAttempts {
  readonly reached: string[]
  readonly blocked: string[]
  readonly several?: true
}

export interface FailedCall {
  readonly tool: string
  readonly blocked: readonly BlockedTarget[]
}

export interface CallWatch extends Pick<WatchedCall, 'callId' | 'tool'> {
  /** Whether no other call ran beside it so far. */
  isAlone: boolean
  reached(host: HostAndPort): void
  refused(target: BlockedTarget): void
  facts(): CallAttempts
  /** `failed`: with an error of the tool, or without a result. */
  end(failed: boolean): void
}

export function createWatchedCalls() {
  const running = new Set<CallWatch>()
  let failedCall: FailedCall | undefined

  return {
    /** The only call; where several run, nobody can tell which it was. */
    only: (): CallWatch | undefined => (running.size === 1 ? running.values().next().value : undefined),
    /** The last call of this start that failed after something was refused in its course, until that tool works again. */
    failed: (): FailedCall | undefined => failedCall,
    forgetFailed(): void {
      failedCall = undefined
    },
    /** `open`: lists hosts of earlier connections that something was sent to since. */
    watch({ callId, tool, onBlocked }: WatchedCall, open: () => HostAndPort[]): CallWatch {
      const reached = new Set<string>()
      const blocked = new Map<string, BlockedTarget>()
      const watch: CallWatch = {
        callId,
        tool,
        isAlone: running.size === 0,
        reached(host) {
          if (reached.size < most) reached.add(portText(host))
        },
        refused(target) {
          const key = `${target.kind} ${grantOf(target)}`
          if (blocked.has(key) || blocked.size >= most) return
          blocked.set(key, target)
          onBlocked?.([...blocked.values()])
        },
        facts() {
          return {
            reached: [...new Set([...reached, ...(watch.isAlone ? open().map(portText) : [])])],
            blocked: [...blocked.values()].map(blockedText),
            ...defined({ several: watch.isAlone ? undefined : (true as const) }),
          }
        },
        end(failed) {
          running.delete(watch)
          if (failed && blocked.size > 0) failedCall = { tool, blocked: [...blocked.values()] }
          else if (!failed && failedCall?.tool === tool) failedCall = undefined
        },
      }
      for (const other of running) other.isAlone = false
      running.add(watch)
      return watch
    },
  }
}
