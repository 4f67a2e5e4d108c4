import { z } from 'zod'

/** Schemas of one request: its parameters and its result. */
export const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R) => ({ params, result })

export const nothing = z.object({})
export const id = z.string().min(1).max(100)

/** Path of a saved file; null: the person chose no folder. */
export const savedFile = z.object({ path: z.string().nullable() })

/** Part of an uploaded file: base64 from byte `at` on, in order. `upload`: any new name for the file. */
export const uploadedPart = z.object({ upload: id, at: z.number().int().min(0), data: z.base64().max(1_400_000) })
