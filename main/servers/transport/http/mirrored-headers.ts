// Arguments that a tool wants repeated as HTTP headers for intermediaries (MCP 2026-07-28, Streamable HTTP, "Custom headers from
// tool parameters"): `x-mcp-header` on a property of the input schema, `Mcp-Param-{name}` on the wire. A tool with an invalid
// annotation must not be used. Pure.
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import type { Session } from '#app/server/server-state.ts'

interface Mirror {
  readonly path: readonly string[]
  readonly name: string
}

type MirrorsRead = { readonly kind: 'valid'; readonly mirrors: readonly Mirror[] } | { readonly kind: 'invalid'; readonly reason: string }

export const mirrorAnnotation = 'x-mcp-header'
/** RFC 9110, 5.1. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const mirrored: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean'])
/** Values of properties are schemas there, not keywords. */
const namesSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
/** Values are data there, whatever they look like. */
const holdsData: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required', mirrorAnnotation])

/** Reads which arguments are mirrored on a session; undefined: headers are not mirrored there. */
export const mirrorsIn = (inputSchema: JsonObject, { era, transport, protocolVersion }: Session): MirrorsRead | undefined =>
  era === 'modern' && transport === 'streamable-http'
    ? readMirrors(inputSchema, { fractions: protocolVersion.startsWith('DRAFT-') })
    : undefined

/** `fractions`: numbers that are not whole may be mirrored too, as the draft has it. */
export function readMirrors(inputSchema: JsonObject, { fractions = false } = {}): MirrorsRead {
  const mirrors: Mirror[] = []
  const seen = new Set<string>()

  /** `path` is undefined where no argument is certain to be: below items, choices, conditions and references. */
  function visit(schema: JsonObject, path: readonly string[] | undefined): string | undefined {
    if (mirrorAnnotation in schema) {
      const fault = take(schema, path)
      if (fault !== undefined) return fault
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (holdsData.has(keyword)) continue
      const named = namesSchemas.has(keyword) && isJsonObject(value)
      for (const [key, child] of Object.entries(named ? value : { '': value })) {
        const below = keyword === 'properties' && path ? [...path, key] : undefined
        for (const each of Array.isArray(child) ? child : [child]) {
          const fault = isJsonObject(each) ? visit(each, below) : undefined
          if (fault !== undefined) return fault
        }
      }
    }
    return undefined
  }

  function take(schema: JsonObject, path: readonly string[] | undefined): string | undefined {
    const name = schema[mirrorAnnotation]
    if (path === undefined || path.length === 0) return t`its ${mirrorAnnotation} is not on a property of its arguments`
    const where = path.join('.')
    if (typeof name !== 'string' || !token.test(name)) return t`the ${mirrorAnnotation} of “${where}” cannot be the name of a header`
    if (!mirrored.has(schema['type']) && !(fractions && schema['type'] === 'number'))
      return t`“${where}” has an ${mirrorAnnotation}, but is no text, whole number or boolean`
    if (seen.has(name.toLowerCase())) return t`two of its arguments have the ${mirrorAnnotation} “${name}”`
    seen.add(name.toLowerCase())
    mirrors.push({ path, name })
    return undefined
  }

  const fault = visit(inputSchema, [])
  return fault === undefined ? { kind: 'valid', mirrors } : { kind: 'invalid', reason: fault }
}

/** The headers of one call, decoded. What is absent or null has none. */
function mirroredTexts(mirrors: readonly Mirror[], args: Json): readonly (readonly [header: string, text: string, isNumber: boolean])[] {
  return mirrors.flatMap(({ path, name }) => {
    let value: Json | undefined = args
    for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    const text = asText(value)
    return text === undefined ? [] : [[`Mcp-Param-${name}`, text, typeof value === 'number'] as const]
  })
}

export const mirroredHeaders = (mirrors: readonly Mirror[], args: Json): Record<string, string> =>
  Object.fromEntries(mirroredTexts(mirrors, args).map(([header, text]) => [header, encodeHeaderValue(text)]))

/**
 * Compares the headers of a call with its arguments, as a server has to ("Server validation"). Returns what does not match. Numbers match by
 * their value; a header whose argument is absent or null means nothing.
 */
export function mirrorMismatch(inputSchema: JsonObject, args: Json, headers: Pick<Headers, 'get'>): string | undefined {
  const read = readMirrors(inputSchema)
  for (const [header, text, isNumber] of read.kind === 'valid' ? mirroredTexts(read.mirrors, args) : []) {
    const value = headers.get(header)
    if (value === null) return `${header} is missing`
    const decoded = decodeHeaderValue(value)
    if (decoded === undefined) return `${header} contains invalid characters`
    if (decoded !== text && !(isNumber && isDecimal(decoded) && Number(decoded) === Number(text)))
      return `${header} value ${JSON.stringify(decoded)} does not match body value ${JSON.stringify(text)}`
  }
  return undefined
}

const isDecimal = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)

function asText(value: Json | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  // A whole number beyond what JSON keeps exact would not be the one in the body.
  return typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? String(value) : undefined
}

/** Encodes a value as it is where a header can carry it, else as Base64 of its UTF-8 between `=?base64?` and `?=`. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(text) && text.trim() === text && !(text.startsWith('=?base64?') && text.endsWith('?='))
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** Undefined for what no header may carry: other characters, or Base64 that is none of UTF-8. */
function decodeHeaderValue(value: string): string | undefined {
  if (!/^[\t\x20-\x7e]*$/.test(value)) return undefined
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.toString('base64') === encoded
    ? orElse(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), undefined)
    : undefined
}

/** Codes of a refused call whose headers do not match its body ("Server validation"): published, and in the drafts. */
export const headerMismatchCode = -32020
const mismatchCodes: ReadonlySet<number> = new Set([headerMismatchCode, -32001])
const reason = 'header-mismatch'

/** Reads a header mismatch out of an error that came with HTTP 400: most likely the tool asks for other headers by now. */
export function headerMismatch({ code, message }: { readonly code: number; readonly message: string }): HostError | undefined {
  if (!mismatchCodes.has(code)) return undefined
  const sentence = t`The server refused the request headers: ${message} (${code}).`
  return new HostError('server.protocol', sentence, { data: { reason, code } })
}

export const isHeaderMismatch = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'server.protocol' && error.data['reason'] === reason
