// Values that a definition leaves to be asked for: their declarations (VS Code's `inputs`) and what a page may know of them. The
// values never leave the host.
import { z } from 'zod'

export const inputId = z
  .string()
  .min(1)
  .max(100)
  .refine((id) => !/[{}\p{C}]/u.test(id), 'no braces, no control characters')

export const inputDeclaration = z.object({
  id: inputId,
  description: z.string().optional(),
  password: z.boolean(),
  /** Initial text of the field; never used unseen. */
  default: z.string().optional(),
  /** Options to choose from (VS Code's `pickString`). */
  options: z.array(z.string()).optional(),
})
export type InputDeclaration = z.infer<typeof inputDeclaration>

/** One input of a server, as a page sees it. */
export const serverInput = inputDeclaration.extend({
  set: z.boolean(),
  /** Declared for all servers of the file. */
  shared: z.boolean(),
  /** Environment variable that provides it in this run. */
  from: z.string().optional(),
})
export type ServerInput = z.infer<typeof serverInput>
