import { describe, expect, it } from 'vitest'
import { type Negotiated, offersOf, refusalOf } from './offers.ts'

const legacy = (capabilities: Negotiated['capabilities'], protocolVersion = '2025-06-18'): Negotiated => ({
  session: { era: 'legacy', protocolVersion },
  capabilities,
})
const modern = (capabilities: Negotiated['capabilities']): Negotiated => ({
  session: { era: 'modern', protocolVersion: '2026-07-28' },
  capabilities,
})

describe('refusalOf', () => {
  it.each([
    ['tools/call', {}, { tools: {} }],
    ['tools/list', {}, { tools: {} }],
    ['prompts/get', { tools: {} }, { prompts: {} }],
    ['resources/read', { tools: {} }, { resources: {} }],
    ['resources/templates/list', {}, { resources: {} }],
    ['resources/subscribe', { resources: {} }, { resources: { subscribe: true } }],
    ['resources/unsubscribe', { resources: { subscribe: false } }, { resources: { subscribe: true } }],
    ['completion/complete', { prompts: {}, resources: {} }, { completions: {} }],
    ['logging/setLevel', { tools: {} }, { logging: {} }],
  ])('lets %s through only where it was declared', (method, without, withIt) => {
    expect([refusalOf(method, legacy(without)), refusalOf(method, legacy(withIt))]).toEqual(['not-declared', undefined])
  })

  it('lets a server of 2024-11-05 be asked for completions, which it has no capability for', () => {
    expect(refusalOf('completion/complete', legacy({ prompts: {} }, '2024-11-05'))).toBeUndefined()
    expect(refusalOf('completion/complete', legacy({ tools: {} }, '2024-11-05'))).toBe('not-declared')
  })

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])('knows that 2026-07-28 has no %s', (method) => {
    const all = { resources: { subscribe: true }, logging: {} }
    expect([refusalOf(method, modern(all)), refusalOf(method, legacy(all))]).toEqual(['not-in-era', undefined])
  })

  it('has no opinion on methods that no capability governs', () => {
    expect(refusalOf('example/anything', legacy({}))).toBeUndefined()
  })
})

describe('offersOf', () => {
  it('names what a page may show a switch for', () => {
    expect(offersOf(modern({ resources: { subscribe: true }, logging: {}, completions: {} }))).toEqual([
      'resource-subscriptions',
      'logging',
      'completions',
    ])
    expect(offersOf(legacy({ tools: {}, resources: {} }))).toEqual([])
  })
})
