import { z } from 'zod'

/** How a process ended. Both null: it was not a process, or nobody knows. */
export const exit = z.object({ code: z.number().int().nullable(), signal: z.string().nullable() })
export type Exit = z.infer<typeof exit>
