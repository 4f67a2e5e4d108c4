// A server's regular expression runs in the page while the person types, and in the host: one that backtracks without
// end would hold both. Only patterns whose worst case is small are used; others are left to the server to check.
const LONGEST_PATTERN = 300
/** Longer values are not matched at all. */
export const LONGEST_VALUE = 100
/** In powers of two of steps: some 50 ms at the very worst, and the page checks all fields with each key. */
const BUDGET_BITS = 20
/** Fields of one form whose pattern is used; those of the others are left to the server too. */
export const MOST_PATTERNS = 8
/** A choice doubles the ways, and lengthens each. */
const CHOICE_BITS = 1.5

/** The expression, or undefined when it is broken or could take long. Anchors as JSON Schema has them: none by themselves. */
export function safePattern(pattern: string): RegExp | undefined {
  if (pattern.length > LONGEST_PATTERN || /\(\?[=!<]|\\[1-9k]/.test(pattern)) return undefined
  const bones = pattern.replace(/\\./gs, 'x').replace(/\[(?:[^\]])*\]/g, 'x')
  if (/\)(?:[*+]|\{)/.test(bones)) return undefined
  const count = (expression: RegExp): number => bones.match(expression)?.length ?? 0
  const repeats = count(/[*+]|\{\d*,\d*\}/g)
  const choices = count(/\|/g) + count(/[^*+?}(]\?/g) + (bones.startsWith('?') ? 1 : 0)
  const start = bones.startsWith('^') && !bones.includes('|') ? 0 : 1
  if ((repeats + start) * Math.log2(LONGEST_VALUE) + choices * CHOICE_BITS > BUDGET_BITS) return undefined
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined // Not an expression that we know: the server wrote it and may check it.
  }
}
