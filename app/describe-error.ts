// Describes an error to a person: its sentence, the fix, and an action if there is one.
import { errorFixes, type FixOf } from './error-fixes.ts'
import type { ErrorValue } from './errors.ts'

const QUOTED = 300

/** Codes whose cause is in the other side's text. */
const quoted: ReadonlySet<string> = new Set(['model.request-refused', 'model.server-error', 'model.unknown', 'server.said-no'])

function quoteOf({ code, data }: ErrorValue): string | undefined {
  const detail = data?.['detail']
  if (!quoted.has(code) || typeof detail !== 'string') return undefined
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
