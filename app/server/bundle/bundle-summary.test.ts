import { expect, it } from 'vitest'
import { isQuestionable } from './bundle-summary.ts'

type Judged = Parameters<typeof isQuestionable>[0]
const fine: Judged = { signature: { kind: 'none' }, concerns: [], fit: [] }
const download = { url: 'https://example.com/a.mcpb', sha256: '0'.repeat(64), checked: true }

it.each<[questionable: boolean, what: string, judged: Partial<Judged>]>([
  [false, 'no signature', {}],
  [false, 'a download that was checked, on a system that nobody knows', { download, fit: [{ what: 'node', fits: 'unknown' }] }],
  [true, 'changed bytes', { signature: { kind: 'changed' } }],
  [true, 'a signature that cannot be read', { signature: { kind: 'unreadable' } }],
  [true, 'a system that it does not fit', { fit: [{ what: 'system', fits: 'no' }] }],
  [true, 'a download that could not be checked', { download: { ...download, checked: false } }],
])('is questionable: %s, with %s', (questionable, _what, judged) => {
  expect(isQuestionable({ ...fine, ...judged })).toBe(questionable)
})
