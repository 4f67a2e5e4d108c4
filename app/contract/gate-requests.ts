// Requests about agents that use the servers of Assent through `assent mcp`.
import { z } from 'zod'
import { gateClient, gateClientDraft, gateClientSummary } from '../gate.ts'
import { id, request } from './request-schema.ts'

const token = z.string()

/** Each change is told by `gate.changed`. */
export const gateRequests = {
  'gate.list': request({}, { clients: z.array(gateClientSummary) }),
  /** Adds an entry. `token` is told this once; only its digest is kept. */
  'gate.add': request({ draft: gateClientDraft }, { client: gateClient, token }),
  /** Replaces what the entry says. What its agents are offered changes at once. */
  'gate.change': request({ id, draft: gateClientDraft }, { client: gateClient }),
  /** Replaces its token; agents that hold the one before are disconnected. */
  'gate.renewToken': request({ id }, { token }),
  /** Removes an entry with its rules, and disconnects its agents. */
  'gate.remove': request({ id }),
}
