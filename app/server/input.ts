// Values that a definition leaves to be asked for: what the file declares of them (VS Code's `inputs`), and what a page
// may know. The values themselves never cross the boundary outwards.
import { z } from 'zod'

export const inputId = z
  .string()
  .min(1)
  .max(100)
  .refine((id) => !/[{}\p{C}]/u.test(id), 'no braces, no control characters')

/** An entry of the file's `inputs`. */
export interface InputDeclaration {
  readonly id: string
  readonly description?: string
  /** Masked as it is typed. */
  readonly password: boolean
  /** Filled into the field; never used unseen. */
  readonly default?: string
  /** One of these (VS Code's `pickString`). */
  readonly options?: readonly string[]
}

/** One value that a server needs, as a page sees it. */
export const serverInput = z.object({
  id: inputId,
  set: z.boolean(),
  /** Declared at the top of the file: every server that names it gets the same value. */
  shared: z.boolean(),
  /** The environment variable that gives it for this run. */
  from: z.string().optional(),
  description: z.string().optional(),
  password: z.boolean(),
  default: z.string().optional(),
  options: z.array(z.string()).optional(),
})
export type ServerInput = z.infer<typeof serverInput>
