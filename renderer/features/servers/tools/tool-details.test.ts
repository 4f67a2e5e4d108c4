import { describe, expect, it } from 'vitest'
import type { Rule } from '#app/consent/rules/rule.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { parameterLabels, searchTools, toolPermission } from './tool-details.tsx'

const tool: ToolEntry = {
  name: 'read',
  title: 'Read a file',
  inputSchema: {},
  modelName: 'files__read',
  tokens: 10,
  enabled: true,
  fingerprint: 'now',
}
const rule = (extra: Partial<Rule> = {}): Rule => ({
  id: 'r',
  effect: 'allow',
  server: 'files',
  tool: 'read',
  scope: { kind: 'always' },
  createdAt: 0,
  ...extra,
})
const files = { server: 'files', trusted: false, now: 1000 }
const chat = { scope: { kind: 'conversation', conversationId: 'c' } } as const

describe('what happens when a tool is called', () => {
  it.each([
    ['asks', []],
    ['allowed', [rule()]],
    ['allowed', [rule({ fingerprint: 'now' })]],
    ['changed', [rule({ fingerprint: 'then' })]],
    ['allowed-in-chats', [rule(chat)]],
    ['asks', [rule(), rule({ effect: 'ask' })]],
    ['never', [rule(), rule({ effect: 'deny', tool: undefined })]],
    ['in-part', [rule({ conditions: [{ kind: 'equals', argument: '/a', value: 1 }] })]],
    ['in-part', [rule(), rule({ effect: 'deny', conditions: [{ kind: 'equals', argument: '/a', value: 1 }] })]],
    ['never', [rule(), rule({ effect: 'deny', server: undefined, tool: 're*' } as Partial<Rule>)]],
    ['asks', [rule({ expiresAt: 1000 })]],
    ['asks', [rule({ tool: undefined, readOnly: true, definitions: { read: 'now' } } as Partial<Rule>)]],
    ['asks', [rule({ server: 'notes' }), rule({ tool: 'write' })]],
  ] as const)('is “%s” by its rules', (standing, rules) => {
    expect(toolPermission(rules as readonly Rule[], files, tool)).toBe(standing)
  })

  it('is nothing while its switch is off', () => {
    expect(toolPermission([rule()], files, { ...tool, enabled: false })).toBe('off')
  })
})

describe('tools', () => {
  it('are found by every word of the search', () => {
    const tools = [tool, { ...tool, name: 'write', title: 'Write a file' }]
    expect([searchTools(tools, 'FILE').length, searchTools(tools, 'file read').length, searchTools(tools, 'no').length]).toEqual([2, 1, 0])
  })

  it('name their parameters, required first, whatever the schema holds', () => {
    const schema = { properties: { b: { type: 'string' }, a: { enum: ['x', 1] }, c: 7 }, required: ['a'] }
    expect(parameterLabels(schema).map(({ name, type, required }) => [name, type, required])).toEqual([
      ['a', 'one of "x", 1', true],
      ['b', 'string', false],
      ['c', '', false],
    ])
    expect(parameterLabels({ properties: [] })).toEqual([])
  })
})
