// Errors of the host: a code, data and a message for a person. Protocol errors and tool errors (`isError`) are separate
// (docs/decisions/0003). No error is recognised by its text.
import { z } from 'zod'
import { errorFixes, type FixOf } from './error-fixes.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { jsonObject } from './json-schemas.ts'

export type HostErrorCode = keyof typeof errorFixes
export const hostErrorCodes = Object.keys(errorFixes) as [HostErrorCode, ...HostErrorCode[]]

/** An error as it crosses a process boundary or reaches the disk. */
export const errorValue = z.object({
  code: z.enum(hostErrorCodes),
  message: z.string(),
  data: jsonObject.optional(),
})
export type ErrorValue = Readonly<z.infer<typeof errorValue>>

/** Error of the host. `message` is a whole sentence that names the subject; `describeError` adds the fix. */
export class HostError extends Error {
  readonly code: HostErrorCode
  readonly data: JsonObject

  constructor(code: HostErrorCode, message: string, options: { data?: JsonObject; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'HostError'
    this.code = code
    this.data = options.data ?? {}
  }

  toValue(): ErrorValue {
    return { code: this.code, message: this.message, data: this.data }
  }
}

/** Any thrown thing as a value: a HostError keeps its code, everything else is `internal` with its message. */
export function toErrorValue(error: unknown): ErrorValue {
  if (error instanceof HostError) return error.toValue()
  if (error instanceof Error) return { code: 'internal', message: error.message || error.name }
  return { code: 'internal', message: isJsonObject(error) ? JSON.stringify(error) : String(error) }
}

export const fromErrorValue = (value: ErrorValue): HostError =>
  new HostError(value.code, value.message, value.data ? { data: value.data } : {})

const QUOTED = 600

/** Whether the cause may be in the other side's text: a model's provider, or a server. */
const isQuoted = (code: HostErrorCode): boolean => code.startsWith('model.') || code === 'server.said-no'

function quoteOf({ code, data }: ErrorValue): string | undefined {
  const detail = data?.['detail']
  if (!isQuoted(code) || typeof detail !== 'string') return undefined
  const words = detail.trim()
  if (words === '') return undefined
  return words.length > QUOTED ? `${words.slice(0, QUOTED - 1).toWellFormed()}…` : words
}

/**
 * `message`: event and cause, as a sentence. `quote`: text of the server or provider. `remedy`: the fix as a sentence; empty when
 * there is none.
 */
export function describeError(error: ErrorValue) {
  const fix: FixOf = errorFixes[error.code]
  const [remedy, action] = fix(error.data)
  return { message: error.message, quote: quoteOf(error), remedy, action }
}
