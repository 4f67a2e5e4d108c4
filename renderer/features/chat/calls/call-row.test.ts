import { expect, it } from 'vitest'
import type { Json } from '#app/json.ts'
import { builtinCallNote } from './call-group.tsx'

const noteOf = (structuredContent: Json | undefined, isError = false): string | undefined =>
  builtinCallNote({
    state: {
      kind: 'done',
      decision: { allowed: true, by: 'host', scope: 'once' },
      startedAt: 0,
      durationMs: 1,
      result: { content: [], isError, bytes: 0, ...(structuredContent === undefined ? {} : { structuredContent }) },
    },
  })

it('says how many tools were found', () => {
  expect([noteOf({ found: ['a', 'b'] }), noteOf({ found: [] }), noteOf(undefined), noteOf({ found: ['a'] }, true)]).toEqual([
    '2 found',
    'not found',
    undefined,
    undefined,
  ])
})
