// Regular expressions of servers run in the page while the person types, and in the host, so one that backtracks would block both.
// Only patterns with a small worst case are used; others are left to the server.

import { orElse } from '#app/or-else.ts'

const LONGEST_PATTERN = 300
/** Longest value that is matched, in UTF-16 units. */
export const LONGEST_VALUE = 100
/** Budget in powers of two of steps: some 50 ms at worst; the page checks all fields at each key press. */
const BUDGET_BITS = 20
/** Most patterns of one form; further ones are left to the server. */
export const MOST_PATTERNS = 8
/** Cost of an alternative: it doubles the paths and lengthens each. */
const CHOICE_BITS = 1.5

/** Compiles a pattern; undefined when it is invalid or may be slow. Unanchored, as in JSON Schema. */
export function safePattern(pattern: string): RegExp | undefined {
  if (pattern.length > LONGEST_PATTERN || /\(\?[=!<]|\\[1-9k]/.test(pattern)) return undefined
  const bones = pattern.replace(/\\./gs, 'x').replace(/\[(?:[^\]])*\]/g, 'x')
  if (/\)(?:[*+]|\{)/.test(bones)) return undefined
  const count = (expression: RegExp): number => bones.match(expression)?.length ?? 0
  const repeats = count(/[*+]|\{\d*,\d*\}/g)
  const choices = count(/\|/g) + count(/[^*+?}(]\?/g) + (bones.startsWith('?') ? 1 : 0)
  const start = bones.startsWith('^') && !bones.includes('|') ? 0 : 1
  if ((repeats + start) * Math.log2(LONGEST_VALUE) + choices * CHOICE_BITS > BUDGET_BITS) return undefined
  return orElse(() => new RegExp(pattern, 'u'), undefined)
}
