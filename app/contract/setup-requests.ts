// Requests about one server's set-up (connection test, saving) and about its recorded messages.
import { z } from 'zod'
import { connectionTestSummary, testedDefinition } from '../server/connection-test.ts'
import { serverName } from '../server/definition.ts'
import { inspecting, wireMessage } from '../server/wire-message.ts'
import { id, nothing, request, savedFile } from './request-schema.ts'

/** Connection tests of one set-up. */
const trials = z.array(id).max(100)

export const setupRequests = {
  /**
   * Adds or replaces an entry of the config file; `previousName` renames. Masked secrets stay as they were. Values of `keepSecrets`
   * move to the secret store, with a reference in the file. `trials`: earlier connection tests; what was approved there for exactly
   * this is not asked again.
   */
  'server.save': request(testedDefinition.extend({ trials: trials.optional() }), nothing),
  /**
   * Starts a connection test, as it would be saved, with launch approval as usual. `trials`: tests of the same set-up, whose
   * approvals count.
   */
  'server.try': request(testedDefinition.extend({ trials: trials.optional() }), z.object({ id })),
  /** Resolves with a newer revision than `after`, or after a while. An unwatched test is ended. */
  'server.watchTrial': request(z.object({ id, after: z.number().int() }), connectionTestSummary),
  /** Ends a test; resolves when nothing of it runs. */
  'server.endTrial': request(z.object({ id }), nothing),
  /** Ends all tests of a set-up and drops their approvals. */
  'server.forgetTrials': request(z.object({ trials }), nothing),

  /** Sets the recording of messages; absent: off. Recorded ones stay until cleared, or until the next recorded start. */
  'server.inspect': request(z.object({ name: serverName, mode: inspecting.optional() }), nothing),
  /** Messages after `after`, oldest first, in parts. `first`: the oldest that is kept. `last`: the newest. */
  'server.messages': request(
    z.object({ name: serverName, after: z.number().int().min(0) }),
    z.object({ messages: z.array(wireMessage), first: z.number().int(), last: z.number().int() }),
  ),
  'server.clearMessages': request(z.object({ name: serverName }), nothing),
  'server.saveMessages': request(z.object({ name: serverName }), savedFile),
} as const
