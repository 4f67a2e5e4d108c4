import { expect, it } from 'vitest'
import { ZodObject, ZodString, z } from './lazy-zod.ts'

it('builds a schema when it is first asked something, through methods that answer with a schema', () => {
  const shape: Record<string, z.ZodType> = { a: z.string().min(1).optional() }
  const schema = z.object(shape).extend({ c: z.array(z.number()).max(1) })
  shape['b'] = z.literal('late')
  expect(schema.safeParse({ c: [1] }).error?.issues.map(({ path }) => path)).toEqual([['b']])
  delete shape['b']
  expect(schema.safeParse({ c: [1] }).error?.issues.map(({ path }) => path)).toEqual([['b']])
})

it('holds schemas of zod itself once it is built, so that nothing stands between them when it parses', () => {
  const inner = z.object({ text: z.string() })
  const outer = z.object({ inner, list: z.array(inner), either: z.union([inner, z.null()]) })
  const { shape } = outer._zod.def
  for (const schema of [shape.inner, shape.list.element, shape.either.options[0]])
    expect([Object.hasOwn(schema, '_zod'), schema === shape.inner]).toEqual([true, true])
  expect(Object.hasOwn(inner, '_zod')).toBe(false)
})

it('answers like the schema that it stands for', () => {
  const kind = z.enum(['a', 'b'])
  const schema = z.object({ kind, rest: z.record(z.string(), z.unknown()).catch({}) }).partial()
  expect([schema instanceof ZodObject, z.string() instanceof ZodString, '_zod' in schema]).toEqual([true, true, true])
  expect([kind.options, schema.parse({ rest: 1 }), schema.keyof().options]).toEqual([['a', 'b'], { rest: {} }, ['kind', 'rest']])
  expect(z.toJSONSchema(kind)).toEqual({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string', enum: ['a', 'b'] })
})

it('bears a mark that is put on it for good, and gives it to what is built', () => {
  const key = Symbol('mark')
  const schema = z.string().describe('x')
  Object.defineProperty(schema, key, { value: 1, enumerable: false, writable: false, configurable: false })
  expect([key in schema, (schema as { readonly [key]?: number })[key]]).toEqual([true, 1])
  const { shape } = z.object({ schema })._zod.def
  expect(key in shape.schema).toBe(true)
})

it('tells the shape of what was made of an object without building it, as zod does', () => {
  const shape: Record<string, z.ZodType> = {
    a: z.string(),
    b: z.number(),
    get c() {
      return z.array(z.string())
    },
  }
  const made = z.object(shape)
  const keys = (schema: { readonly shape: object }): string[] => Object.keys(schema.shape)
  const all = [made.extend({ d: z.null() }), made.pick({ a: true }), made.omit({ a: true }), made.omit({ a: true }).extend({ e: z.null() })]
  const said = all.map(keys)
  expect(said).toEqual([['a', 'b', 'c', 'd'], ['a'], ['b', 'c'], ['b', 'c', 'e']])
  // Not built until now: what comes into the first one is in the others.
  shape['late'] = z.null()
  expect(all.map((schema) => schema.safeParse({}).success)).toEqual([false, false, false, false])
  expect(all.map(keys)[0]).toContain('late')
})

it('reads what is recursive when it is needed', () => {
  interface Tree {
    readonly name: string
    readonly below: readonly Tree[]
  }
  const tree = z.object({
    name: z.string(),
    get below(): z.ZodType<readonly Tree[]> {
      return z.array(tree)
    },
  })
  const value = { name: 'a', below: [{ name: 'b', below: [] }] }
  expect(tree.parse(value)).toEqual(value)
  expect(tree.safeParse({ name: 'a', below: [{ name: 1, below: [] }] }).success).toBe(false)
})
