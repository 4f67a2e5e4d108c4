import { expect, it } from 'vitest'
import { z } from 'zod'
import { promptArguments } from './chat/attachments/attachment.ts'
import { toolSwitches } from './chat/tools/tool-switches.ts'
import { consentAnswer } from './consent/request.ts'
import { rule } from './consent/rules/rule.ts'
import { ownMember } from './json.ts'
import { mapOf } from './json-schemas.ts'
import { bundleManifest } from './server/bundle/manifest.ts'
import { configValues } from './server/bundle/user-config.ts'
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
  ['what was entered for a bundle', configValues, odd],
  [
    'variables, settings and runtimes of a bundle',
    bundleManifest,
    `{"manifest_version":"0.3","name":"n","version":"1","description":"d","author":{"name":"a"},"server":{"type":"node","entry_point":"x","mcp_config":{"command":"x","env":${odd}}},"user_config":{"__proto__":{"type":"string","title":"t","description":"d"}},"compatibility":{"runtimes":${odd}}}`,
  ],
])('keeps a member named __proto__ in %s', (_what, schema, text) => {
  const members = (value: string): string[] =>
    [...value.matchAll(/"([^"]+)":/g)].map(([, name = '']) => name).toSorted((a, b) => (a < b ? -1 : 1))
  expect(members(JSON.stringify(schema.parse(JSON.parse(text))))).toEqual(members(text))
})

it.each(['{"a":1}', '{"__proto__":1}', '[]', 'null', '{"long":"x"}'])('refuses a map of other members or keys: %s', (text) => {
  expect(mapOf(z.string(), z.string().max(3)).safeParse(JSON.parse(text)).success).toBe(false)
})

it('names what is wrong in a map', () => {
  const text = '{"a":{"b":1},"far too long":{"b":"x"}}'
  const { error } = mapOf(z.object({ b: z.string() }), z.string().max(3)).safeParse(JSON.parse(text))
  expect(error?.issues.map(({ path }) => path)).toEqual([['a', 'b'], ['far too long']])
})

it('finds own members alone', () => {
  expect(['a', 'constructor', '__proto__'].map((name) => ownMember({ a: 1 }, name))).toEqual([1, undefined, undefined])
  expect(ownMember(JSON.parse('{"__proto__":1}') as Record<string, number>, '__proto__')).toBe(1)
})
