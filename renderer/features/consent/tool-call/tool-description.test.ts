import { expect, it } from 'vitest'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { makeToolRequest } from '#renderer/testing/builders.ts'
import { claimSentence } from './tool-description.tsx'

const claimed = (annotations: ToolCallRequest['annotations'], trusted = false): string =>
  claimSentence(makeToolRequest({ annotations, trusted })) ?? ''
const counts = (sentence: string): readonly string[] =>
  [...sentence.matchAll(/“([^”]+)”/g)].map((match) => match[1] ?? '').filter((word) => word !== 'files')

it.each([
  ['nothing', undefined, []],
  ['only what is claimed', { readOnlyHint: false, openWorldHint: true }, ['open to the outside']],
  ['both sides, the worse first', { destructiveHint: true, idempotentHint: true }, ['destructive', 'safe to repeat']],
] as const)('names %s', (_name, annotations, expected) => {
  expect(counts(claimed(annotations))).toEqual(expected)
})

it('says whether the person trusts the word of the server, only where it would matter', () => {
  const harmless = { readOnlyHint: true }
  const harmful = { destructiveHint: true }
  expect([claimed(harmless) === claimed(harmless, true), claimed(harmful) === claimed(harmful, true)]).toEqual([false, true])
})

it('says of trust what the settings say: a file that came with `"trusted": true` is no mark by the person', () => {
  expect(claimed({ readOnlyHint: true }, true)).toMatch(/its settings mark “files” as trusted/)
  expect(claimed({ readOnlyHint: true }, true)).not.toMatch(/\byou\b/i)
})
