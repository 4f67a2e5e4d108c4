// Worker that checks values against schemas of servers, whose patterns may take for ever: the main thread then ends it. Nothing is
// fetched: a `$ref` to another document makes the schema unusable.
import { parentPort } from 'node:worker_threads'
import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { CheckRequest, CheckResult } from './schema-validator.ts'

const drafts: readonly [mark: string, draft: SchemaDraft][] = [
  ['draft-04', '4'],
  ['draft-06', '7'],
  ['draft-07', '7'],
  ['2019-09', '2019-09'],
]

const parsed = (value: CheckRequest['value']): unknown =>
  value instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(value)) : value

function check({ schema, value }: CheckRequest): CheckResult {
  try {
    const named = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
    const draft = drafts.find(([mark]) => named.includes(mark))?.[1] ?? '2020-12'
    const { valid, errors } = new Validator(structuredClone(schema), draft, false).validate(parsed(value))
    if (valid) return { kind: 'valid' }
    // The deepest error is the one that names the place; those before it say that something within is wrong.
    const error = errors.reduce((deepest, other) => (other.instanceLocation.length >= deepest.instanceLocation.length ? other : deepest))
    return { kind: 'invalid', place: error.instanceLocation.replace(/^#/, '') || '/', reason: error.error }
  } catch (error) {
    return { kind: 'unchecked', reason: error instanceof Error ? error.message : String(error) }
  }
}

parentPort?.on('message', (request: CheckRequest & { readonly id: number }) => {
  parentPort?.postMessage({ id: request.id, result: check(request) })
})
// The time of a check is counted from here on.
parentPort?.postMessage('ready')
