import { describe, expect, it } from 'vitest'
import { mutual, supportedIn, versionMismatchError } from './protocol-versions.ts'

describe('the versions that a server names', () => {
  it.each([
    [{ code: -32022, data: { supported: ['2025-11-25'] } }, ['2025-11-25']],
    [{ code: -32602, data: { supported: ['DRAFT-2026-v1'], requested: '2026-07-28' } }, ['DRAFT-2026-v1']],
    [{ code: -32004, data: { supported: ['DRAFT-2026-v1', '2025-11-25'], requested: '1900-01-01' } }, ['DRAFT-2026-v1', '2025-11-25']],
    [{ code: -32602, data: { supported: [] } }, undefined],
    [{ code: -32602, data: { supported: [1] } }, undefined],
    [{ code: -32602 }, undefined],
    [{ code: -32602, data: 'supported' }, undefined],
    [{ code: -32601, data: { supported: ['2025-11-25'] } }, undefined],
  ])('are read from %j', (error, versions) => {
    expect(supportedIn(error)).toEqual(versions)
  })

  it('are compared with ours, and both are told', () => {
    expect(mutual(['DRAFT-2026-v1', '2025-11-25', '2026-07-28'])).toEqual(['2025-11-25', '2026-07-28'])
    expect([mutual(['DRAFT-2026-v1', '2031-01-01']), mutual(['DRAFT-2026-v2'])]).toEqual([['DRAFT-2026-v1'], []])
    expect(versionMismatchError('s', ['DRAFT-2026-v2'])).toMatchObject({
      code: 'server.version-mismatch',
      data: { supported: ['DRAFT-2026-v2'], ours: expect.arrayContaining(['2026-07-28', '2025-11-25', '2024-11-05']) },
    })
  })
})
