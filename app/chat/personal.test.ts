import { expect, it } from 'vitest'
import { fillPlaceholders, placeholdersIn } from './personal.ts'

it('finds each placeholder once, in order, and none that breaks a line or is empty', () => {
  expect(placeholdersIn('{{topic}} for {{ who }}, again {{topic}}; {{}} {{a\nb}} {single} {{{x}}}')).toEqual(['topic', 'who', 'x'])
})

it('fills in values as they are, and leaves what has none', () => {
  const values = { topic: '$& {{who}}', who: '' }
  expect(fillPlaceholders('{{topic}} for {{ who }}, {{constructor}}.', values)).toBe('$& {{who}} for , {{constructor}}.')
})
