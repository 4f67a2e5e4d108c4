import { describe, expect, it } from 'vitest'
import type { Rule } from '#app/consent/rules/rule.ts'
import { emptyCondition, emptyRuleForm, ruleDraftOf, ruleFormOf } from './rule-editor.tsx'
import { matchReason, verdictLabel } from './rules-tab.tsx'

const always = { kind: 'always' } as const
const rule = (part: Partial<Rule>): Rule => ({ id: 'r', effect: 'allow', server: 'files', scope: always, createdAt: 1, ...part })

describe('the form of a rule', () => {
  it.each<[string, Partial<Rule>]>([
    ['a tool', { tool: 'read' }],
    ['read-only tools', { readOnly: true }],
    ['any server', { effect: 'deny', server: undefined, tool: 'delete_*' } as Partial<Rule>],
    ['a chat, and an end', { scope: { kind: 'conversation', conversationId: 'c' }, expiresAt: 99 }],
    [
      'each condition',
      {
        tool: 'read',
        onlyArguments: ['path', 'url'],
        conditions: [
          { kind: 'path-inside', argument: '/path', folder: '/a' },
          { kind: 'url-host', argument: '/to/url', host: 'a.test', subdomains: true },
          { kind: 'equals', argument: '/a.b', value: 'x' },
          { kind: 'equals', argument: '/n', value: { a: [1] } },
          { kind: 'pattern', argument: '/a~1b', pattern: 'x*' },
        ],
      },
    ],
  ])('says again what it was made of: %s', (_title, part) => {
    const before = rule(part)
    const { id: _, createdAt: __, ...draft } = JSON.parse(JSON.stringify(before))
    expect(ruleDraftOf(ruleFormOf(before), before, 0)).toEqual(draft)
  })

  it('ends after what was chosen, and takes what is no JSON for text', () => {
    const condition = { ...emptyCondition(), kind: 'equals', argument: 'owner.name', value: 'maya' } as const
    expect(ruleDraftOf({ ...emptyRuleForm('files'), conditions: [condition], lasting: 'hour' }, undefined, 1000)).toEqual({
      effect: 'allow',
      server: 'files',
      conditions: [{ kind: 'equals', argument: '/owner/name', value: 'maya' }],
      scope: always,
      expiresAt: 3_601_000,
    })
  })

  it('is no rule while something is missing', () => {
    const forms = [emptyRuleForm(''), { ...emptyRuleForm('files'), conditions: [emptyCondition()] }]
    expect(forms.map((form) => typeof ruleDraftOf(form, undefined, 0))).toEqual(['string', 'string'])
  })
})

it('each reason that a rule does not answer has words of its own', () => {
  const conditions: Rule['conditions'] = [{ kind: 'equals', argument: '/owner', value: 'maya' }]
  const looked = { id: 'r', match: 'no', conditions: ['yes'], expired: false, void: false, otherArguments: [] } as const
  const reasons = [
    matchReason(rule({ conditions }), { ...looked, conditions: ['no'], otherArguments: [] }, false),
    matchReason(rule({ conditions }), { ...looked, conditions: ['unsure'], otherArguments: [] }, false),
    matchReason(rule({ conditions }), { ...looked, conditions: ['yes'], otherArguments: ['force'] }, false),
    matchReason(rule({}), { ...looked, conditions: [], otherArguments: [], expired: true }, false),
    matchReason(rule({}), { ...looked, conditions: [], otherArguments: [], void: true }, false),
    matchReason(rule({}), { ...looked, conditions: [], otherArguments: [] }, true),
    matchReason(rule({}), { ...looked, conditions: [], otherArguments: [] }, false),
    verdictLabel({ kind: 'ask', why: { kind: 'no-rule' } }),
    verdictLabel({ kind: 'allow' }),
    verdictLabel({ kind: 'deny' }),
  ]
  expect(new Set(reasons).size).toBe(reasons.length)
  expect(reasons[2]).toContain('force')
})

describe('a rule about answers of the model', () => {
  const form = { ...emptyRuleForm('notes'), about: 'requests', tokensPerDay: '5000' } as const
  it('has its limit, and nothing of tools', () => {
    const draft = ruleDraftOf({ ...form, tool: 'move', onlyArguments: 'path' }, undefined, 0)
    expect(draft).toEqual({
      effect: 'allow',
      server: 'notes',
      sampling: { step: 'requests', tokensPerDay: 5000 },
      scope: { kind: 'always' },
    })
  })
  it('has none where it denies', () => {
    const draft = ruleDraftOf({ ...form, effect: 'deny', untrusted: true }, undefined, 0)
    expect(draft).toMatchObject({ effect: 'deny', sampling: { step: 'requests' } })
  })
  it('is not written with a limit that is no number', () => {
    expect(ruleDraftOf({ ...form, tokensPerDay: 'many' }, undefined, 0)).toEqual(expect.any(String))
  })
  it('is read back into the form as it was', () => {
    const draft = ruleDraftOf({ ...form, untrusted: true }, undefined, 0)
    if (typeof draft === 'string') throw new Error(draft)
    expect(ruleDraftOf(ruleFormOf({ ...draft, id: 'r', createdAt: 1 }), undefined, 0)).toEqual(draft)
  })
})
