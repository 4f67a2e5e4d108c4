import { z } from 'zod'

type NoFields = Readonly<Record<never, z.ZodType>>
type Fields = Readonly<Record<string, z.ZodType>>
type SchemaOf<S extends z.ZodType | Fields> = S extends z.ZodType ? S : S extends Fields ? z.ZodObject<S> : never

/** Defers the schema to its first use: what asks a lazy schema of its class builds it. */
function later<S extends z.ZodType | Fields>(given: S): () => SchemaOf<S> {
  let schema: z.ZodType | undefined
  return () => {
    schema ??= given instanceof z.ZodType ? given : z.object(given)
    return schema as SchemaOf<S>
  }
}

/** Schemas of one request: its parameters and its result, each a schema or the fields of an object; absent: no fields. */
export function request<const P extends z.ZodType | Fields = NoFields, const R extends z.ZodType | Fields = NoFields>(
  params?: P,
  result?: R,
) {
  const [paramsOf, resultOf] = [later(params ?? ({} as P)), later(result ?? ({} as R))]
  return {
    get params() {
      return paramsOf()
    },
    get result() {
      return resultOf()
    },
  }
}

export const id = z.string().min(1).max(100)
export const integer = z.number().int()

/** Path of a saved file; null: the person chose no folder. */
export const savedFile = z.object({ path: z.string().nullable() })

/** Part of an uploaded file: base64 from byte `at` on, in order. `upload`: any new name for the file. */
export const uploadedPart = z.object({ upload: id, at: integer.min(0), data: z.base64().max(1_400_000) })
