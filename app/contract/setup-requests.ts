// Requests about a server that is being set up: trying it out, and saving it.
import { z } from 'zod'
import { connectionTestSummary, testedDefinition } from '../server/connection-test.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const id = z.string().min(1).max(100)
/** Test runs of one set-up. */
const trials = z.array(id).max(100)

export const setupRequests = {
  /**
   * Adds or replaces an entry of the config file; `previousName` renames. Secrets masked in a view stay as they were.
   * The variables or headers of `keepSecrets` go into the secret store, and the file gets a reference in their place.
   * `trials`: the test runs that went before; what was agreed to there, for exactly this, is not asked for again.
   */
  'server.save': request(testedDefinition.extend({ trials: trials.optional() }), nothing),
  /**
   * Starts it once, as it would be saved, and saves nothing. The person is asked first, as for any start; `trials`: those of
   * the same set-up, so that exactly the same is not asked for again.
   */
  'server.try': request(testedDefinition.extend({ trials: trials.optional() }), z.object({ id })),
  /** Answers when there is more than in the view of revision `after`, or after a while. Not watched, a test run is ended. */
  'server.watchTrial': request(z.object({ id, after: z.number().int() }), connectionTestSummary),
  /** Resolves when nothing of it runs any more. */
  'server.endTrial': request(z.object({ id }), nothing),
  /** The set-up that they are part of is over: what still runs is ended, and what was agreed to counts no more. */
  'server.forgetTrials': request(z.object({ trials }), nothing),
}
