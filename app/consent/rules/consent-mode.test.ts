import { describe, expect, it } from 'vitest'
import { makeFacts, makeRule } from '../consent.testing.ts'
import { type ConsentMode, consentMode, type KindAnswer, modeAnswers, modeWith, type ToolKind } from './consent-mode.ts'
import { decideConsent } from './decide.ts'

const kinds: readonly ToolKind[] = ['reads', 'changes']
const cells = consentMode.options.flatMap((mode) => kinds.map((kind) => [mode, kind] as const))

/** Answer that a mode gives for a kind of tool, as the decision has it. */
function decided(mode: ConsentMode, kind: ToolKind): KindAnswer {
  const facts = makeFacts({ mode, readOnly: kind === 'reads' })
  const verdict = (effect?: 'allow' | 'deny') => decideConsent(facts, effect ? [makeRule('r', { effect })] : []).kind
  expect(verdict('deny')).toBe('deny')
  if (verdict() !== 'ask') return verdict() === 'allow' ? 'allow' : 'deny'
  return verdict('allow') === 'ask' ? 'always-ask' : 'ask'
}

describe('the answers by kind of tool', () => {
  it.each(cells)('are those that the mode %s decides for what %s', (mode, kind) => {
    expect(modeAnswers[mode][kind]).toBe(decided(mode, kind))
  })

  it.each<[ConsentMode, ToolKind, KindAnswer, ConsentMode]>([
    ['rules', 'reads', 'allow', 'ask-writes'],
    ['rules', 'reads', 'always-ask', 'ask-all'],
    ['rules', 'changes', 'deny', 'rules-only'],
    ['ask-writes', 'changes', 'ask', 'ask-writes'],
    ['ask-writes', 'reads', 'ask', 'rules'],
    ['ask-all', 'reads', 'allow', 'ask-writes'],
    ['ask-all', 'changes', 'ask', 'rules'],
    ['rules-only', 'reads', 'ask', 'rules'],
  ])('lead from %s, with %s to %s, to %s', (mode, kind, answer, expected) => {
    expect(modeWith(mode, kind, answer)).toBe(expected)
    expect(decided(expected, kind)).toBe(answer)
  })
})
