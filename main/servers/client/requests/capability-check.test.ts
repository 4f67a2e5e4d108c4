import { describe, expect, it } from 'vitest'
import { missingCapabilityOf, type Negotiated, serverCapabilitiesOf } from './capability-check.ts'

const legacy = (capabilities: Negotiated['capabilities'], protocolVersion = '2025-06-18'): Negotiated => ({
  session: { era: 'legacy', protocolVersion },
  capabilities,
})
const modern = (capabilities: Negotiated['capabilities']): Negotiated => ({
  session: { era: 'modern', protocolVersion: '2026-07-28' },
  capabilities,
})

describe('missingCapabilityOf', () => {
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
    expect([missingCapabilityOf(method, legacy(without)), missingCapabilityOf(method, legacy(withIt))]).toEqual(['not-declared', undefined])
  })

  it('lets a server of 2024-11-05 be asked for completions, which it has no capability for', () => {
    expect(missingCapabilityOf('completion/complete', legacy({ prompts: {} }, '2024-11-05'))).toBeUndefined()
    expect(missingCapabilityOf('completion/complete', legacy({ tools: {} }, '2024-11-05'))).toBe('not-declared')
  })

  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])('knows that 2026-07-28 has no %s', (method) => {
    const all = { resources: { subscribe: true }, logging: {} }
    expect([missingCapabilityOf(method, modern(all)), missingCapabilityOf(method, legacy(all))]).toEqual(['not-in-era', undefined])
  })

  it('has no opinion on methods that no capability governs', () => {
    expect(missingCapabilityOf('example/anything', legacy({}))).toBeUndefined()
  })
})

describe('serverCapabilitiesOf', () => {
  it('names what a page may show a switch for', () => {
    expect(serverCapabilitiesOf(modern({ resources: { subscribe: true }, logging: {}, completions: {} }))).toEqual([
      'resource-subscriptions',
      'logging',
      'completions',
    ])
    expect(serverCapabilitiesOf(legacy({ tools: {}, resources: {} }))).toEqual([])
  })
})
