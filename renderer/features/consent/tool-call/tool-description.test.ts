import { expect, it } from 'vitest'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { makeToolRequest } from '#renderer/testing/builders.ts'
import { claimSentence } from './tool-description.tsx'

const claimed = (annotations: ToolCallRequest['annotations'], trusted = false): string =>
  claimSentence(makeToolRequest({ annotations, trusted })) ?? ''

it.each([
  ['nothing', undefined, ''],
  ['only what is claimed', { readOnlyHint: false, openWorldHint: true }, 'Claims: network'],
  ['both sides, the worse first', { destructiveHint: true, idempotentHint: true }, 'Claims: destructive, safe to repeat · not trusted'],
] as const)('names %s', (_name, annotations, expected) => {
  expect(claimed(annotations)).toBe(expected)
})

it('says whether the claims count, only where it would matter', () => {
  const harmless = { readOnlyHint: true }
  const harmful = { destructiveHint: true }
  expect([claimed(harmless) === claimed(harmless, true), claimed(harmful) === claimed(harmful, true)]).toEqual([false, true])
})

it('never says that the person marked a server as trusted: the demo comes trusted, and a file can say so', () => {
  expect(claimed({ readOnlyHint: true }, true)).toBe('Claims: read-only · trusted')
  expect(claimed({ readOnlyHint: true }, true)).not.toMatch(/\byou\b|marked/i)
})
