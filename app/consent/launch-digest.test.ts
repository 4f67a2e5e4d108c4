import { expect, it } from 'vitest'
import { addDigest, compareDigests, type LaunchDigest } from './launch-digest.ts'

const digest = (values: Record<string, string>, part: Partial<LaunchDigest> = {}): LaunchDigest => ({
  key: 'k',
  kept: 'keyring',
  values,
  ...part,
})
const a = digest({ A: '1', B: '2' })

it.each([
  ['of the same values', [a], digest({ B: '2', A: '1' }), { kind: 'same' }],
  ['of another value', [a], digest({ A: '1', B: '3' }), { kind: 'changed', names: ['B'] }],
  ['of other names', [a], digest({ A: '1', C: '2' }), { kind: 'changed', names: ['B', 'C'] }],
  ['that was never made', [], a, { kind: 'unbound' }],
  ['of a run that is over', [digest({ A: '1' }, { kept: 'memory' })], digest({ A: '2' }, { key: 'other' }), { kind: 'unbound' }],
  ['under another key', [a], digest({ A: '2', B: '2' }, { key: 'other' }), { kind: 'unbound' }],
  ['of the first values', [digest({}, { key: '', kept: 'memory' })], a, { kind: 'changed', names: ['A', 'B'] }],
  ['of no values any more', [a], digest({}, { key: '', kept: 'memory' }), { kind: 'changed', names: ['A', 'B'] }],
  ['of no values, as before', [digest({}, { key: '' })], digest({}, { key: '' }), { kind: 'same' }],
  ['of a name more, under another key', [a], digest({ A: '1', B: '2', C: '3' }, { key: 'other' }), { kind: 'changed', names: ['C'] }],
  ['under one of two keys', [digest({ A: '9' }, { key: 'other' }), a], digest({ A: '2', B: '2' }), { kind: 'changed', names: ['A'] }],
  ['of a keyring that does not answer', [a], undefined, { kind: 'unknown' }],
  ['of nothing, where there is no key', [], undefined, { kind: 'unbound' }],
])('a digest %s', (_title, before, now, expected) => {
  expect(compareDigests(before, now)).toEqual(expected)
})

it('one more key is added, in the place of its own and of those of runs that are over', () => {
  const other = digest({ A: '1' }, { key: 'other' })
  const over = digest({ A: '1' }, { key: 'run', kept: 'memory' })
  const newer = digest({ A: '2' })
  expect([addDigest([a, over, other], newer), addDigest([a], undefined)]).toEqual([[other, newer], [a]])
})
