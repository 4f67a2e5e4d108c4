// A connection test: a server is started once as it would be saved, and stopped when it has shown what it offers.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { toolEntry } from './catalogue.ts'
import { serverDefinition, serverName } from './definition.ts'
import { diagnosis, doctorReport } from './doctor.ts'
import { inputId } from './inputs/input.ts'
import { session, startStep } from './server-state.ts'

export const testedDefinition = z.object({
  name: serverName,
  previousName: serverName.optional(),
  definition: serverDefinition,
  /** Variables or headers whose values move to the secret store. */
  keepSecrets: z.array(z.string().min(1).max(1000)).max(1000).optional(),
  /** Values of `${input:ID}`, by id. They go to the host and never come back. */
  values: z.record(inputId, z.string().min(1).max(65_536)).optional(),
})
export type TestedDefinition = z.infer<typeof testedDefinition>

/** Offered capabilities: part of the lists, and the counts of all. */
const testedCapabilities = z.object({
  session,
  tools: z.array(toolEntry.pick({ name: true, title: true, description: true })),
  counts: z.object({ tools: z.number().int(), resources: z.number().int(), prompts: z.number().int() }),
  tokens: z.number().int(),
  warnings: z.array(z.string()),
})
export type TestedCapabilities = z.infer<typeof testedCapabilities>

const connectionTestPhase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  z.object({ kind: z.literal('starting'), step: startStep, diagnosis: diagnosis.optional() }),
  z.object({ kind: z.literal('works'), offers: testedCapabilities }),
  /** The server requires a sign-in, which only a saved server can do. */
  z.object({ kind: z.literal('asks-sign-in'), issuer: z.string() }),
  z.object({ kind: z.literal('failed'), error: errorValue, diagnosis: diagnosis.optional() }),
  /** `called-off`: cancelled, or no longer watched. */
  z.object({ kind: z.enum(['refused', 'called-off']) }),
])
export type ConnectionTestPhase = z.infer<typeof connectionTestPhase>

export const connectionTestSummary = z.object({
  revision: z.number().int(),
  phase: connectionTestPhase,
  over: z.boolean(),
  report: doctorReport,
})
export type ConnectionTestSummary = z.infer<typeof connectionTestSummary>
