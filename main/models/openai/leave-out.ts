// Fields that a request can do without. An endpoint that refuses one by its name is asked again without it, at once, and
// not told of it any more. It is our own field that is looked for in the refusal, never the endpoint's wording.
import { APIError } from 'openai'
import { isJsonObject } from '#app/json.ts'

const optional = ['stream_options', 'reasoning_effort', 'temperature', 'max_tokens', 'max_completion_tokens'] as const

/** The field that was refused; undefined: something else was, or nothing that could be left out. */
export function refusedField(error: unknown, sent: object): string | undefined {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return undefined
  const body: unknown = error.error
  const there = optional.filter((name) => name in sent)
  const param = isJsonObject(body) ? body['param'] : undefined
  const named = there.find((name) => name === param)
  if (named) return named
  const text = `${JSON.stringify(body ?? '')} ${error.message}`
  return there.find((name) => new RegExp(`\\b${name}\\b`).test(text))
}
