// What the line of a scope says is what the rule answers: the sentence is read back as a person would, and compared with what
// the rule matches, over every call that can be built from a few arguments.
import { expect, test } from 'vitest'
import type { JsonObject } from '#app/json.ts'
import { makeFacts, makeRule } from '../consent.testing.ts'
import { matchRule } from './match-rule.ts'
import type { Condition, Rule, RuleTerms } from './rule.ts'
import { code, joinPieces, ruleLabel, rulePieces, termPieces } from './rule-labels.ts'
import { narrowTerms } from './rule-suggestions.ts'

const equals = (argument: string, value: number): Condition => ({ kind: 'equals', argument, value })
const conditions: readonly (readonly Condition[])[] = [[], [equals('/a', 1)], [equals('/a', 1), equals('/b', 2)], [equals('/o/p', 1)]]
const onlyArguments: readonly (readonly string[] | undefined)[] = [undefined, [], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['o'], ['o', 'c']]
const effects: readonly Rule['effect'][] = ['allow', 'deny', 'ask']

const values: Readonly<Record<string, readonly (JsonObject[string] | undefined)[]>> = {
  a: [undefined, 1, 9],
  b: [undefined, 2],
  c: [undefined, 'x'],
  o: [undefined, { p: 1 }, { p: 1, q: 5 }, { q: 5 }],
}
const calls = Object.entries(values).reduce<readonly JsonObject[]>(
  (all, [name, some]) => all.flatMap((call) => some.map((value) => (value === undefined ? call : { ...call, [name]: value }))),
  [{}],
)

/** Returns the words alone: names and values stand in ‹›. */
function claims(sentence: string, call: JsonObject): boolean {
  const met = [...sentence.matchAll(/‹([^›]+)› is ‹([^›]+)›/g)].map(([, name = '', value = '']) => ({ path: name.split('.'), value }))
  const at = (path: readonly string[]): unknown => path.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], call)
  if (!met.every(({ path, value }) => JSON.stringify(at(path)) === value)) return false
  if (sentence.endsWith('(matches no call)')) return false
  if (/ without arguments$/.test(sentence)) return Object.keys(call).length === 0
  if (!/(?:and no|without) other arguments$/.test(sentence)) return true
  const free = [...sentence.matchAll(/any ‹([^›]+)›|anything else in ‹([^›]+)›/g)].map(([, whole, part]) => whole ?? part)
  const named = [...free, ...met.flatMap(({ path: [name = ''] }) => name)]
  // Words that name only a part must say whether the rest may be there.
  const whole = met.every(
    ({ path: [name = '', ...rest] }) => rest.length === 0 || free.includes(name) || Object.keys(call[name] as object).length === 1,
  )
  return whole && Object.keys(call).every((name) => named.includes(name))
}

const spoken = (rule: Rule): string =>
  rulePieces(rule)
    .map((piece) => (piece.code || piece.name ? `‹${piece.text}›` : piece.text))
    .join('')

test('the sentence of a rule claims what it matches, no more and no less', () => {
  const rules = effects.flatMap((effect) =>
    conditions.flatMap((all) =>
      onlyArguments.map((only) =>
        makeRule('r', { effect, tool: 'move', conditions: [...all], ...(only === undefined ? {} : { onlyArguments: [...only] }) }),
      ),
    ),
  )
  const wrong = rules.flatMap((rule) => {
    const sentence = spoken(rule)
    return calls
      .filter((call) => claims(sentence, call) !== (matchRule(makeFacts({ arguments: call }), rule) === 'yes'))
      .map((call) => `“${sentence}” for ${JSON.stringify(call)}`)
  })
  expect(wrong.slice(0, 5)).toEqual([])
  expect(calls.length * rules.length).toBeGreaterThan(3000)
})

test('what a card offers for a file names the arguments that stay free', () => {
  const terms = narrowTerms({ path: '/home/me/notes/a.md', content: 'x', mode: 'append' }, true) as RuleTerms
  expect(joinPieces(termPieces([code('write_file')], terms))).toBe(
    'write_file where path is inside /home/me/notes, with any content and any mode, and no other arguments',
  )
  expect(ruleLabel(makeRule('r', { effect: 'deny', tool: 'write_file', ...terms }))).toBe(
    '“write_file” of “files” where path is inside /home/me/notes, with any other arguments',
  )
})
