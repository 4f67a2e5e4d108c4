// Requests about what the sandbox of a server refused.
import { z } from 'zod'
import { serverName } from '../server/definition.ts'
import { answerEffect, attemptAnswer, attemptTarget, listedAttempt } from '../server/sandbox/sandbox-report.ts'
import { integer, request } from './request-schema.ts'

const byName = { name: serverName }

export const sandboxRequests = {
  /**
   * Attempts of a server in the last days, the latest first, also hosts that it reached (`unusedGrants`). `lost`: attempts of this run
   * that there was no room for. What was granted to read or write is not seen to be used.
   */
  'server.sandboxAttempts': request(byName, { attempts: z.array(listedAttempt), lost: integer }),
  'server.clearSandboxAttempts': request(byName),
  /**
   * Answers an attempt that is listed. `reviewed`: the person read what it means; needed where its `allowance` is `review`.
   * `next-start`: a restart is to be offered.
   * @throws {HostError} `server.sandbox-attempt` where it is not listed, may never be allowed, or was not reviewed
   */
  'server.answerSandboxAttempt': request(
    { name: serverName, attempt: attemptTarget, answer: attemptAnswer, reviewed: z.boolean().optional() },
    answerEffect,
  ),
}
