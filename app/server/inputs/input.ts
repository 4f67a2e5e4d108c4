// Values that a definition leaves to be asked for: what the file declares of them (VS Code's `inputs`), and what a page
// may know. The values themselves never cross the boundary outwards.
import { z } from 'zod'

export const inputId = z
  .string()
  .min(1)
  .max(100)
  .refine((id) => !/[{}\p{C}]/u.test(id), 'no braces, no control characters')

/** An entry of the file's `inputs`. */
export const inputDeclaration = z.object({
  id: inputId,
  description: z.string().optional(),
  /** Masked as it is typed. */
  password: z.boolean(),
  /** Filled into the field; never used unseen. */
  default: z.string().optional(),
  /** One of these (VS Code's `pickString`). */
  options: z.array(z.string()).optional(),
})
export type InputDeclaration = z.infer<typeof inputDeclaration>

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
