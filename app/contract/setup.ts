// Requests about a server that is being set up: trying it out, and saving it.
import { z } from 'zod'
import { trialDefinition, trialView } from '../server/trial.ts'

const nothing = z.object({})
const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })
const id = z.string().min(1).max(100)

export const setupRequests = {
  /**
   * Adds or replaces an entry of the config file; `previousName` renames. Secrets masked in a view stay as they were.
   * The variables or headers of `keepSecrets` go into the secret store, and the file gets a reference in their place.
   * `trial`: the test run that went before; what was agreed to there, for exactly this, is not asked for again.
   */
  'server.save': request(trialDefinition.extend({ trial: id.optional() }), nothing),
  /** Starts it once, as it would be saved, and saves nothing. The person is asked first, as for any start. */
  'server.try': request(trialDefinition, z.object({ id })),
  /** Answers when there is more than in the view of revision `after`, or after a while. Not watched, a test run is ended. */
  'server.watchTrial': request(z.object({ id, after: z.number().int() }), trialView),
  /** Resolves when nothing of it runs any more. */
  'server.endTrial': request(z.object({ id }), nothing),
}
