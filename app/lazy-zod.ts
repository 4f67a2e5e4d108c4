// zod with schemas that are built at first use: a run declares some five thousand, and uses few. The build and the tests replace
// zod by this module (`vite.config.ts`), for the SDK too. See docs/decisions/0044-what-comes-before-the-page.md.
import * as zod from 'zod'

export * from 'zod'
export * as z from './lazy-zod.ts'

// The page's CSP refuses eval, which zod would try; the refusal would show in the console.
if ('document' in globalThis) zod.config({ jitless: true })

type Make = (...args: readonly unknown[]) => object

/** Recipe of a schema. */
interface Plan {
  /** Function of zod, or a method of another schema. */
  readonly make: Make | { readonly of: object; readonly method: string }
  readonly args: readonly unknown[]
  made?: object
}

/** Key that returns the recipe of a schema that is not built. */
const plan = Symbol('plan')
const planOf = (value: object): Plan | undefined => (value as { readonly [plan]?: Plan })[plan]

/** Methods that return a schema; any other access builds it. */
const methods = new Set(
  `and array brand catch catchall check default describe endsWith exactOptional exclude extend extract finite gt gte includes int length
  loose lt lte max merge min multipleOf negative nonempty nonnegative nonoptional nonpositive normalize nullable nullish omit optional or
  overwrite partial passthrough pick pipe positive prefault readonly refine regex required safeExtend size startsWith strict strip
  superRefine toLowerCase toUpperCase transform trim unwrap`.split(/\s+/),
)

function built(how: Plan): object {
  how.made ??= make(how)
  return how.made
}

function make({ make, args }: Plan): object {
  const settledArgs = args.map(settled)
  if (typeof make === 'function') return make(...settledArgs)
  const schema = settled(make.of) as Record<string, Make>
  return Reflect.apply(schema[make.method] as Make, schema, settledArgs)
}

/** Builds all schemas within a value, so that parsing is as fast as zod's. Getters (of recursive shapes) stay. */
function settled(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const how = planOf(value)
  if (how) return built(how)
  if (Array.isArray(value)) return value.map(settled)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.getOwnPropertyDescriptors(value)
  for (const member of Object.values(members)) if ('value' in member) member.value = settled(member.value)
  return Object.defineProperties({}, members)
}

const handler: ProxyHandler<Plan> = {
  get(how, key, schema: object) {
    if (key === plan) return how
    if (typeof key === 'string' && methods.has(key))
      return (...args: readonly unknown[]) => later({ make: { of: schema, method: key }, args })
    // `{ ...one.shape }` in another schema builds neither.
    if (key === 'shape' && !how.made) return shapeOf(how) ?? Reflect.get(built(how), key)
    return Reflect.get(built(how), key)
  },
  set: (how, key, value) => Reflect.set(built(how), key, value),
  has: (how, key) => Reflect.has(built(how), key),
  // Marks set on a schema (the SDK's `completable`) are set on both: a proxy must not lack a non-configurable property.
  defineProperty: (how, key, mark) => Reflect.defineProperty(built(how), key, mark) && Reflect.defineProperty(how, key, mark),
  getPrototypeOf: (how) => Reflect.getPrototypeOf(built(how)),
}

type Shape = Readonly<Record<string, unknown>>

/** Shape of an object schema without building it; undefined: only zod knows. */
function shapeOf({ make, args }: Plan): Shape | undefined {
  const [given] = args
  if (typeof make === 'function') return objects.has(make) ? (given as Shape) : undefined
  const of = planOf(make.of)
  const whole = of && shapeOf(of)
  if (!whole) return undefined
  const members = Object.getOwnPropertyDescriptors(whole)
  const named = (has: boolean) => Object.entries(members).filter(([name]) => Object.hasOwn(given as Shape, name) === has)
  switch (make.method) {
    case 'extend':
      return Object.defineProperties({}, { ...members, ...Object.getOwnPropertyDescriptors(given as Shape) })
    case 'pick':
      return Object.defineProperties({}, Object.fromEntries(named(true)))
    case 'omit':
      return Object.defineProperties({}, Object.fromEntries(named(false)))
    default:
      return undefined
  }
}

const objects = new Set<Plan['make']>([zod.object, zod.looseObject, zod.strictObject].map((make) => make as unknown as Make))

const later = (how: Plan): object => new Proxy(how, handler)

/** Defers a function of zod: its proxy acts as the schema. */
function putOff<Of extends (...args: never[]) => object>(make: Of): Of {
  const standIn = (...args: readonly unknown[]): object => later({ make: make as unknown as Make, args })
  return standIn as unknown as Of
}

export const array: typeof zod.array = /* @__PURE__ */ putOff(zod.array)
export const boolean: typeof zod.boolean = /* @__PURE__ */ putOff(zod.boolean)
export const custom: typeof zod.custom = /* @__PURE__ */ putOff(zod.custom)
export const discriminatedUnion: typeof zod.discriminatedUnion = /* @__PURE__ */ putOff(zod.discriminatedUnion)
export const intersection: typeof zod.intersection = /* @__PURE__ */ putOff(zod.intersection)
export const lazy: typeof zod.lazy = /* @__PURE__ */ putOff(zod.lazy)
export const literal: typeof zod.literal = /* @__PURE__ */ putOff(zod.literal)
export const looseObject: typeof zod.looseObject = /* @__PURE__ */ putOff(zod.looseObject)
export const nullable: typeof zod.nullable = /* @__PURE__ */ putOff(zod.nullable)
export const number: typeof zod.number = /* @__PURE__ */ putOff(zod.number)
export const object: typeof zod.object = /* @__PURE__ */ putOff(zod.object)
export const optional: typeof zod.optional = /* @__PURE__ */ putOff(zod.optional)
export const preprocess: typeof zod.preprocess = /* @__PURE__ */ putOff(zod.preprocess)
export const record: typeof zod.record = /* @__PURE__ */ putOff(zod.record)
export const strictObject: typeof zod.strictObject = /* @__PURE__ */ putOff(zod.strictObject)
export const string: typeof zod.string = /* @__PURE__ */ putOff(zod.string)
export const tuple: typeof zod.tuple = /* @__PURE__ */ putOff(zod.tuple)
export const union: typeof zod.union = /* @__PURE__ */ putOff(zod.union)
export const unknown: typeof zod.unknown = /* @__PURE__ */ putOff(zod.unknown)
const anEnum: typeof zod.enum = /* @__PURE__ */ putOff(zod.enum)
const aNull: typeof zod.null = /* @__PURE__ */ putOff(zod.null)

export { aNull as null, anEnum as enum }
