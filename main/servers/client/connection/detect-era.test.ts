import { describe, expect, it } from 'vitest'
import type { RawResponse } from '#main/servers/transport/stdio/raw-requests.ts'
import { classifyDiscover, type DiscoverVerdict } from './detect-era.ts'

const result = (value: Record<string, string | string[] | object>): RawResponse => ({ kind: 'result', result: value as never })
const error = (code: number, data?: unknown): RawResponse => ({ kind: 'error', error: { code, message: 'no', data } })
const legacy: DiscoverVerdict = { kind: 'legacy' }

describe('classifyDiscover', () => {
  const table: [title: string, answer: RawResponse, verdict: DiscoverVerdict | { readonly kind: 'modern' }][] = [
    ['a server of 2026-07-28', result({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }), { kind: 'modern' }],
    [
      'one that leaves out what the drafts did not have',
      result({ supportedVersions: ['2026-07-28'], capabilities: {} }),
      { kind: 'modern' },
    ],
    ['one of both eras', result({ supportedVersions: ['2025-06-18', '2026-07-28'], capabilities: {} }), { kind: 'modern' }],
    ['one that discovers but speaks the old revisions', result({ supportedVersions: ['2025-06-18'], capabilities: {} }), legacy],
    ['one of the future', result({ supportedVersions: ['2031-01-01'], capabilities: {} }), { kind: 'mismatch', supported: ['2031-01-01'] }],
    ['a result of something else', result({ hello: 'world' }), legacy],
    ['an empty result', result({}), legacy],
    ['method not found', error(-32601), legacy],
    ['any other error', error(-32600), legacy],
    ['an error of a strange code', error(7), legacy],
    ['a version error that names old revisions', error(-32022, { supported: ['2025-11-25'] }), legacy],
    ['a version error that names nothing', error(-32022), legacy],
    ['a version error in the drafts’ number', error(-32602, { supported: ['DRAFT-2026-v1', '2025-11-25'] }), legacy],
    ['the draft and nothing else', error(-32602, { supported: ['DRAFT-2026-v1'] }), { kind: 'draft', supported: ['DRAFT-2026-v1'] }],
    ['the draft that it lists', result({ supportedVersions: ['DRAFT-2026-v1'], capabilities: {} }), { kind: 'modern' }],
    ['the draft and an older one that it lists', result({ supportedVersions: ['DRAFT-2026-v1', '2025-06-18'], capabilities: {} }), legacy],
    ['another draft and nothing else', error(-32602, { supported: ['DRAFT-2026-v2'] }), { kind: 'mismatch', supported: ['DRAFT-2026-v2'] }],
    [
      'a version error that names only the future',
      error(-32022, { supported: ['2031-01-01'] }),
      { kind: 'mismatch', supported: ['2031-01-01'] },
    ],
    ['silence', { kind: 'timeout' }, { kind: 'silent' }],
    ['the end', { kind: 'closed' }, { kind: 'ended' }],
  ]
  it.each(table)('takes %s for what it is', (_title, answer, verdict) => {
    expect(classifyDiscover(answer)).toMatchObject(verdict)
  })
})
