import { describe, expect, it } from 'vitest'
import { inputReference, inputsIn, isReferenceOnly, onlyInputOf, referencesIn, replaceReferences } from './variable-references.ts'

const dollar = '$'

describe('references', () => {
  it.each([
    [`a${inputReference('my token')}b`, [{ kind: 'input', id: 'my token' }]],
    [
      `${dollar}{env:HOME}${dollar}{/}${dollar}{userHome}`,
      [
        { kind: 'env', name: 'HOME' },
        { kind: 'place', place: '/' },
        { kind: 'place', place: 'userHome' },
      ],
    ],
    [`${dollar}{workspaceFolderBasename}`, [{ kind: 'place', place: 'workspaceFolderBasename' }]],
    [`${dollar}{input:} ${dollar}{input:a{b}} ${dollar}{env:1} ${dollar}{other} {input:x} ${dollar}input:x`, []],
    [`${dollar}{input:two\nlines}`, []],
  ])('in %j', (text, found) => {
    expect(referencesIn(text)).toEqual(found)
  })

  it('are replaced in one pass: what is put in is no reference', () => {
    const text = `${inputReference('a')} ${inputReference('b')}`
    expect(replaceReferences(text, (found) => (found.kind === 'input' && found.id === 'a' ? inputReference('b') : undefined))).toBe(
      `${inputReference('b')} ${inputReference('b')}`,
    )
  })

  it.each([
    [inputReference('a'), 'a'],
    [`Bearer ${inputReference('a')}`, 'a'],
    [`Bearer ${dollar}{env:A}`, undefined],
    [`x-${inputReference('a')}`, undefined],
    [`Bearer s3cret ${inputReference('a')}`, undefined],
    [`${inputReference('a')}${inputReference('b')}`, undefined],
    ['plain', undefined],
  ])('the only one of %j', (value, id) => {
    expect(onlyInputOf(value)).toBe(id)
  })

  it('hide nothing where nothing but a reference stands', () => {
    expect([`Basic ${dollar}{env:A}`, `${dollar}{userHome}`, 'Bearer', ''].map(isReferenceOnly)).toEqual([true, false, false, false])
  })

  it('are found anywhere in a value, each once', () => {
    expect(
      inputsIn({ env: { A: inputReference('a'), B: `${inputReference('b')}${inputReference('a')}` }, args: [inputReference('c')], n: 1 }),
    ).toEqual(['a', 'b', 'c'])
  })
})
