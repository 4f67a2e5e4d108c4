import { describe, expect, it } from 'vitest'
import { toolFingerprint } from './catalogue-entries.ts'

describe('toolFingerprint', () => {
  const tool = {
    name: 'pay',
    title: 'Pay',
    description: 'Pays an invoice',
    inputSchema: { type: 'object', properties: { id: { type: 'string' }, sum: { type: 'number' } } },
    outputSchema: { type: 'object' },
    annotations: { readOnlyHint: false },
  }

  it('does not depend on the order of keys', () => {
    const { name, ...rest } = tool
    const inputSchema = { properties: { sum: { type: 'number' }, id: { type: 'string' } }, type: 'object' }
    expect(toolFingerprint({ ...rest, inputSchema, name })).toBe(toolFingerprint(tool))
  })

  it.each([
    { name: 'pay2' },
    { title: undefined },
    { description: 'Pays an invoice ' },
    { description: 'Pays an invoice\u200b' },
    { inputSchema: { type: 'object' } },
    { outputSchema: undefined },
    { annotations: { readOnlyHint: true } },
    { annotations: { readOnlyHint: false, extra: 1 } },
  ])('changes with %j', (change) => {
    expect(toolFingerprint({ ...tool, ...change })).not.toBe(toolFingerprint(tool))
  })

  it('is the same from one version of Assent to the next', () => {
    expect(toolFingerprint({ name: 'a', inputSchema: { type: 'object' } })).toBe(
      '60d4353e9a5499b483d09f13d9e28060e70f34edf787bb7040ba30bd390f85af',
    )
  })
})
