// What each kind of question is made of.
import type { ConsentMode } from '#app/consent/mode.ts'
import type { Why } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rule.ts'
import type { Clock } from '#main/base/clock.ts'
import type { Emit } from '#main/base/events.ts'
import { newId } from '#main/base/ids.ts'
import type { RuleStore } from '#main/store/types.ts'
import type { LaunchValues } from './launch-values.ts'
import type { Places } from './places.ts'
import type { Queue } from './queue.ts'
import type { ConsentRecord } from './record.ts'
import type { SaidIn } from './said.ts'
import type { SamplingUse } from './sampling-use.ts'
import type { Origin } from './types.ts'

export interface Kit {
  readonly rules: RuleStore
  readonly record: ConsentRecord
  readonly queue: Queue
  readonly launchValues: LaunchValues
  readonly emit: Emit
  readonly clock: Clock
  readonly places: Places
  readonly samplingUse: SamplingUse
  /** How a conversation asks; that of none is `rules`. */
  readonly modeOf: (conversationId: string | undefined) => ConsentMode
  readonly saidIn: SaidIn
  /** What was started of each server in this run, as rules are bound to it. */
  readonly programs: Map<string, string>
  /** Assent's own data folder; undefined: none is known. */
  readonly dataDir: string | undefined
  /** Rules that the person removed in this run, by id. */
  readonly removed: Map<string, Rule>
}

/** The fields that every request has. */
export const requestBase = (kit: Kit, origin: Origin, why: Why) => ({
  id: newId(),
  createdAt: kit.clock.now(),
  server: origin.server,
  ...(origin.conversationId === undefined ? {} : { conversationId: origin.conversationId }),
  ...(origin.callId === undefined ? {} : { callId: origin.callId }),
  ...(origin.view === undefined ? {} : { view: origin.view }),
  ...(origin.expiresAt === undefined ? {} : { expiresAt: origin.expiresAt }),
  why,
})
