import { describe, expect, it } from 'vitest'
import { filledContext } from '#renderer/testing/stories/context.stories.ts'
import { fullness, partLines, widths } from './context-meter.tsx'

describe('the meter', () => {
  it('warns near the end, and says nothing of fullness where nobody knows the end', () => {
    expect([10, 79, 80, 94, 95, 200].map((used) => fullness(used, 100))).toEqual(['roomy', 'roomy', 'filling', 'filling', 'full', 'full'])
    expect(fullness(1_000_000, undefined)).toBe('unknown')
  })

  it('has a line for each part that takes room, and their widths add up to what is used', () => {
    const lines = partLines(filledContext)
    expect(lines.map(({ kind }) => kind)).toEqual(['system', 'tools', 'summary', 'messages', 'attachments', 'results'])
    const { parts, reserved } = widths(filledContext, lines)
    const used = parts.reduce((sum, width) => sum + width, 0)
    expect(Math.round(used)).toBe(Math.round((filledContext.used / 200_000) * 100))
    expect(used + reserved).toBeLessThanOrEqual(100)
  })

  it('never draws beyond its end, however much is used', () => {
    const { limit: _, ...unknown } = filledContext
    for (const view of [{ ...filledContext, limit: 1000 }, unknown]) {
      const { parts, reserved } = widths(view, partLines(view))
      expect(Math.round(parts.reduce((sum, width) => sum + width, reserved))).toBeLessThanOrEqual(100)
    }
  })
})
