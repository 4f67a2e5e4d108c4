import type { Clock } from '#main/base/clock.ts'
import type { Log } from '#main/base/host-log.ts'
import type { AnswerPolicy } from '#main/consent/broker-api.ts'
import type { Platform } from '#main/platform.ts'
import type { Trace } from '#main/servers/client/connection/trace-context.ts'
import type { AskedInput } from '#main/servers/config/inputs/input-values.ts'
import type { Environment } from '#main/servers/process/environment/environment.ts'
import type { ShutdownGrace } from '#main/servers/process/stdio-limits.ts'
import type { StateKey } from '#main/store/signed-state.ts'
import type { Store } from '#main/store/store-api.ts'

export interface HostOptions {
  /** Created when it is missing, readable by its owner only. */
  readonly dataDir: string
  /** The folder is removed after this run, so no write waits for the disk. */
  readonly temporary?: boolean
  /** Store of that folder, where the shell opened it before it loaded the host. Closed with the host. */
  readonly store?: Store
  readonly platform: Platform
  /** Key that signs what the person allowed; null: the keyring is locked. Default: one of this run, with which nothing signed before counts. */
  readonly stateKey?: StateKey | null | Promise<StateKey | null>
  readonly version: string
  readonly clock?: Clock
  readonly log?: Log
  /** Variables with ANTHROPIC_API_KEY and the like; default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** An `mcpServers` file in place of the profile's own; the demo server is then not added. */
  readonly configFile?: string
  /** Lookup of servers' commands; default: as the person's login shell finds them. */
  readonly environment?: Environment
  /** Time that servers have to end; default: SAFETY's. */
  readonly grace?: ShutdownGrace
  /** Asks for a value that a server needs (`${input:ID}`) and that is not stored; default: the start fails and says so. */
  readonly askInput?: (input: AskedInput) => Promise<string | undefined>
  /** Sandbox of all local servers, whatever their entries say; default: as each says. */
  readonly sandbox?: 'on' | 'off'
  readonly policy?: AnswerPolicy
  /** Absolute paths of folders offered as roots beside those that the person chose. Servers learn them after consent. */
  readonly roots?: readonly string[]
  /** Trace that this run belongs to (SEP-414). */
  readonly trace?: Trace | undefined
  /** Whether servers marked `start: launch` are started; default: yes. */
  readonly startServers?: boolean
  /** A run without servers and MCP Apps and with default settings, after crashes. What is set in it is kept. */
  readonly safe?: boolean
  /** Parses results and events by the contract too; for tests. */
  readonly checkContract?: boolean
}

/** The options with their defaults, and the steps that dispose of what was made so far, in the order of construction. */
export type HostBase = HostOptions & Required<Pick<HostOptions, 'clock' | 'log' | 'env'>> & { readonly undo: (() => void)[] }
