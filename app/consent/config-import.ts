// Servers of other apps as a page sees them: what each would become, compared with the configured servers. Secrets are references;
// their values stay with the host.
import { z } from 'zod'
import { candidate } from '../server/candidate.ts'
import { configProblem, serverName } from '../server/definition.ts'
import { hostId } from '../server/import/app-names.ts'
import { launchTarget } from './request.ts'

const appImportState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new') }),
  /** Configured already, maybe under another name. */
  z.object({ kind: z.literal('same'), as: serverName }),
  z.object({ kind: z.literal('different'), here: launchTarget.optional() }),
])
export type AppImportState = z.infer<typeof appImportState>

/** Missing part of a server that cannot start yet: a program, by the name under which it is installed, a key, or another value. */
const importNeed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('program'), name: z.string() }),
  z.object({ kind: z.enum(['key', 'value']) }),
])
export type ImportNeed = z.infer<typeof importNeed>

/** Server of another app, with references in place of the secrets of its definition. */
const appImportServer = candidate.omit({ line: true, column: true }).extend({
  id: z.string(),
  target: launchTarget.optional(),
  state: appImportState,
  needs: z.array(importNeed),
})
export type AppImportServer = z.infer<typeof appImportServer>

const appImportFile = z.object({
  path: z.string(),
  servers: z.array(appImportServer),
  problems: z.array(configProblem),
  /** Whether it is in the place that the person named. */
  asked: z.literal(true).optional(),
})
export type AppImportFile = z.infer<typeof appImportFile>

export const appImportHost = z.object({ host: hostId, files: z.array(appImportFile) })
export type AppImportHost = z.infer<typeof appImportHost>

/** Choice for one server. `replace`: it replaces the server of that name. */
export const appImportChoice = z.object({ id: z.string().max(100), name: serverName, replace: z.boolean() })
export type AppImportChoice = z.infer<typeof appImportChoice>

export const appImportResult = z.object({
  outcome: z.enum(['allowed', 'denied', 'withdrawn']),
  taken: z.array(serverName),
  failed: z.array(z.object({ name: serverName, message: z.string() })),
})
