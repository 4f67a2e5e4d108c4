// Servers of other programs as a page sees them: what each would be here, beside what is here already. Secrets are
// references in all of it; their values stay with the host.
import { z } from 'zod'
import { configProblem, serverDefinition, serverName } from '../server/definition.ts'
import { hostId } from '../server/import/app-names.ts'
import { launchTarget } from './request.ts'

const appImportState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('new') }),
  /** It is here already, maybe under another name. */
  z.object({ kind: z.literal('same'), as: serverName }),
  /** Another server has the name. */
  z.object({ kind: z.literal('different'), here: launchTarget.optional() }),
])
export type AppImportState = z.infer<typeof appImportState>

const appImportServer = z.object({
  id: z.string(),
  name: serverName,
  /** As it would be written: with references in the place of secrets. */
  definition: serverDefinition,
  target: launchTarget.optional(),
  /** What of it moves into the secret store, by name. */
  secrets: z.array(z.string()),
  problems: z.array(configProblem),
  project: z.string().optional(),
  state: appImportState,
})
export type AppImportServer = z.infer<typeof appImportServer>

const appImportFile = z.object({
  path: z.string(),
  servers: z.array(appImportServer),
  problems: z.array(configProblem),
  /** It is in the place that the person named. */
  asked: z.literal(true).optional(),
})
export type AppImportFile = z.infer<typeof appImportFile>

export const appImportHost = z.object({ host: hostId, files: z.array(appImportFile) })
export type AppImportHost = z.infer<typeof appImportHost>

/** What is to become of one of them. `replace`: it takes the place of the server of that name. */
export const appImportChoice = z.object({ id: z.string().max(100), name: serverName, replace: z.boolean() })
export type AppImportChoice = z.infer<typeof appImportChoice>

export const appImportResult = z.object({
  outcome: z.enum(['allowed', 'denied', 'withdrawn']),
  taken: z.array(serverName),
  failed: z.array(z.object({ name: serverName, message: z.string() })),
})
