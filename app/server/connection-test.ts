// A server that is tried out before it is saved: started once as it would be, and ended as soon as it has shown what it is.
import { z } from 'zod'
import { errorValue } from '../errors.ts'
import { serverDefinition, serverName } from './definition.ts'
import { diagnosis, doctorReport } from './doctor.ts'
import { inputId } from './inputs/input.ts'
import { session, startStep } from './server-state.ts'

/** What would be saved. */
export const testedDefinition = z.object({
  name: serverName,
  /** Its name so far. */
  previousName: serverName.optional(),
  definition: serverDefinition,
  /** Variables or headers whose values go into the secret store. */
  keepSecrets: z.array(z.string().min(1).max(1000)).max(1000).optional(),
  /** For `${input:ID}` in it, by id. They go to the host and never come back. */
  values: z.record(inputId, z.string().min(1).max(65_536)).optional(),
})
export type TestedDefinition = z.infer<typeof testedDefinition>

/** Of its lists so much as a person reads at a glance; the counts tell of all. */
const testedCapabilities = z.object({
  session,
  tools: z.array(z.object({ name: z.string(), title: z.string().optional(), description: z.string().optional() })),
  counts: z.object({ tools: z.number().int(), resources: z.number().int(), prompts: z.number().int() }),
  /** Estimated tokens of its tools in every request. */
  tokens: z.number().int(),
  warnings: z.array(z.string()),
})
export type TestedCapabilities = z.infer<typeof testedCapabilities>

const connectionTestPhase = z.discriminatedUnion('kind', [
  /** The launch waits for the person's assent. */
  z.object({ kind: z.literal('waiting'), requestId: z.string() }),
  z.object({
    kind: z.literal('starting'),
    step: startStep,
    /** What looks wrong by now; it is waited for all the same. */
    diagnosis: diagnosis.optional(),
  }),
  z.object({ kind: z.literal('works'), offers: testedCapabilities }),
  /** It speaks MCP, and wants the person to sign in first: that is for a server that is saved. */
  z.object({ kind: z.literal('asks-sign-in'), issuer: z.string() }),
  z.object({ kind: z.literal('failed'), error: errorValue, diagnosis: diagnosis.optional() }),
  z.object({ kind: z.literal('refused') }),
  /** It was called off, or nobody looked at it any more. */
  z.object({ kind: z.literal('called-off') }),
])
export type ConnectionTestPhase = z.infer<typeof connectionTestPhase>

export const connectionTestSummary = z.object({
  /** Counts up with each change. */
  revision: z.number().int(),
  phase: connectionTestPhase,
  /** Nothing of it runs any more. */
  over: z.boolean(),
  report: doctorReport,
})
export type ConnectionTestSummary = z.infer<typeof connectionTestSummary>
