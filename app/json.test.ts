import { expect, it } from 'vitest'
import { z } from 'zod'
import { promptArguments } from './chat/attachments/attachment.ts'
import { toolSwitches } from './chat/tools/tool-switches.ts'
import { consentAnswer } from './consent/request.ts'
import { rule } from './consent/rules/rule.ts'
import { mapOf, ownMember } from './json.ts'
import { completionQuery } from './server/completion.ts'
import { serverDefinition } from './server/definition.ts'

const odd = '{"__proto__":"a","constructor":"b"}'
const program = '"transport":"stdio","command":"x","args":[],"enabled":true,"start":"needed","trusted":false'

it.each<[what: string, schema: z.ZodType, text: string]>([
  ['the answer to a form', consentAnswer, `{"kind":"allow","scope":"once","content":${odd}}`],
  ['arguments of a prompt', promptArguments, odd],
  ['what a completion is asked with', completionQuery.shape.context, `{"arguments":${odd}}`],
  ['variables of a server', serverDefinition, `{"env":${odd},${program}}`],
  ['tools that are off', toolSwitches.shape.tools, '{"__proto__":["a"]}'],
  ['tools of a rule', rule.shape.definitions, odd],
])('keeps a member named __proto__ in %s', (_what, schema, text) => {
  const members = (value: string): string[] =>
    [...value.matchAll(/"([^"]+)":/g)].map(([, name = '']) => name).toSorted((a, b) => (a < b ? -1 : 1))
  expect(members(JSON.stringify(schema.parse(JSON.parse(text))))).toEqual(members(text))
})

it.each(['{"a":1}', '{"__proto__":1}', '[]', 'null', '{"long":"x"}'])('refuses a map of other members or keys: %s', (text) => {
  expect(mapOf(z.string(), z.string().max(3)).safeParse(JSON.parse(text)).success).toBe(false)
})

it('finds own members alone', () => {
  expect(['a', 'constructor', '__proto__'].map((name) => ownMember({ a: 1 }, name))).toEqual([1, undefined, undefined])
  expect(ownMember(JSON.parse('{"__proto__":1}') as Record<string, number>, '__proto__')).toBe(1)
})
