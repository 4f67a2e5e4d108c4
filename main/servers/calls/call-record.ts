// The record of a call, whoever asked for it: one row before it is sent, one for how it ended, and
// one more where a result came after that. A call that cannot be put
// on record is not sent.
import { createHash } from 'node:crypto'
import { toErrorValue } from '#app/errors.ts'
import type { JsonObject } from '#app/json.ts'
import { isProtocolError } from '#main/base/protocol-error.ts'
import type { ApprovedCall } from '#main/consent/approved.ts'
import type { AuditStore } from '#main/store/types.ts'
import type { Digest } from './digest.ts'

export interface CallRecord {
  done(result: JsonObject, digest: Digest): void
  failed(error: unknown): void
  /** It came all the same, after the call had been ended by its timeout. */
  late(digest: Digest): void
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Writes the first row. Throws when it cannot be written (`disk.full`). */
export function recordCall(audit: AuditStore, call: ApprovedCall): CallRecord {
  const { callId, server, tool, argumentsText, fingerprint, decision, conversationId = null } = call
  const about = { server, tool, conversationId }
  audit.append({
    ...about,
    kind: 'call',
    decision: 'sent',
    by: decision.by,
    detail: {
      callId,
      fingerprint,
      bytes: Buffer.byteLength(argumentsText),
      sha256: sha256(argumentsText),
      ...(decision.byHand ? { byHand: true } : {}),
    },
  })
  const begun = performance.now()
  const end = (word: string, detail: JsonObject): void =>
    void audit.append({
      ...about,
      kind: 'result',
      decision: word,
      detail: { callId, durationMs: Math.round(performance.now() - begun), ...detail },
    })
  return {
    done: (result, digest) => end(result['isError'] === true ? 'tool-error' : 'done', { ...digest }),
    late: (digest) => end('late', { ...digest }),
    failed(error) {
      const code = isProtocolError(error) ? error.code : toErrorValue(error).code
      end(code === 'cancelled' ? 'cancelled' : code === 'tool.outcome-unknown' ? 'unknown' : 'failed', { code })
    },
  }
}
