// How much of a model's context the definitions of tools may take. Tokens are estimated (`estimateTokens`), as everywhere
// that tools are counted.
import { estimateTokens } from '../text.ts'

/** Percent of the context, until the person sets another. */
export const defaultToolShare = 10
/** Taken for the context where nobody says how large it is. */
export const unknownContextTokens = 100_000
/** Less would leave no room for what a search finds. */
const LEAST = 1000

/** Tokens. `share`: percent. */
export const toolBudget = (share: number, contextTokens: number | undefined): number =>
  Math.max(LEAST, Math.floor(((contextTokens ?? unknownContextTokens) * share) / 100))

/** About what a definition costs in each request. */
export const definitionTokens = (name: string, description: string, inputSchema: object): number =>
  estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema }))
