// Requests about agents that use the servers of Assent through `assent mcp`.
import { z } from 'zod'
import { gateClient, gateClientDraft, gateClientSummary, gateHttp } from '../gate.ts'
import { hostId } from '../server/import/app-names.ts'
import { id, request } from './request-schema.ts'

const token = z.string()

const name = z.string().max(1000)

const linkedApp = z.object({
  id,
  host: hostId,
  path: z.string(),
  /** `changed`: Assent’s entry is there, and is not as Assent wrote it. `refused`: the file is not written, for `problem`. */
  state: z.enum(['absent', 'connected', 'changed', 'refused']),
  problem: z.string().optional(),
  /** Client of the gate whose token is in the file. */
  client: z.string().optional(),
  /** Servers of the file that can be moved behind Assent. `here`: configured in Assent already. */
  servers: z.array(z.object({ name, here: z.boolean() })),
})
export type LinkedApp = z.infer<typeof linkedApp>

/** Each change of an entry is told by `gate.changed`. */
export const gateRequests = {
  'gate.list': request({}, { clients: z.array(gateClientSummary), http: gateHttp }),
  /** Adds an entry. `token` is told this once; only its digest is kept. */
  'gate.add': request({ draft: gateClientDraft }, { client: gateClient, token }),
  /** Replaces what the entry says. What its agents are offered changes at once. */
  'gate.change': request({ id, draft: gateClientDraft }, { client: gateClient }),
  /** Replaces its token; agents that hold the one before are disconnected. */
  'gate.renewToken': request({ id }, { token }),
  /** Removes an entry with its rules, and disconnects its agents. */
  'gate.remove': request({ id }),

  /** Programs on this computer that can use Assent’s servers. */
  'appLink.list': request({}, { apps: z.array(linkedApp) }),
  /** Files of programs that are set up by hand, with the token of a client in Assent's entry. */
  'appLink.snippets': request({ token: z.string().max(200) }, { snippets: z.array(z.object({ host: hostId, text: z.string() })) }),
  /**
   * Works out a change of a program's file; writes nothing. `move`: names of servers that leave the file, once Assent has them. `before`,
   * `after`: the lines that differ with three around them, secrets masked; null: no file. `exact`: the file becomes what it was before.
   */
  'appLink.preview': request(
    { app: id, to: z.enum(['connect', 'disconnect', 'renew']), move: z.array(name).max(500).optional() },
    {
      change: id,
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      exact: z.boolean(),
    },
  ),
  /** Writes a change that was shown, and makes or renews the client of the gate. @throws {HostError} `app-file.refused`, and when the file has changed */
  'appLink.apply': request({ change: id }, { client: z.string().nullable() }),
}
