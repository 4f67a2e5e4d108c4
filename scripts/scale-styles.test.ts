import { expect, it } from 'vitest'
import { scaleCondition, scaleStyles, scaleValue } from './scale-styles.ts'

it.each([
  ['font', '13px / 20px var(--ui)', '0.8125rem / 1.25rem var(--ui)'],
  ['margin', '0 -10px 0 .5px', '0 -0.625rem 0 0.03125rem'],
  ['top', '1px', '0.0625rem'],
  ['--bar', '44px', '2.75rem'],
  ['height', 'calc(100vh - 40px)', 'calc(100vh - 2.5rem)'],
  ['height', '1px', '1px'],
  ['border', '1px solid var(--line)', '1px solid var(--line)'],
  ['border', '5px solid var(--ink)', '0.3125rem solid var(--ink)'],
  ['box-shadow', '0 1px 2px #1a1b1e0d', '0 1px 2px #1a1b1e0d'],
  ['grid-template-areas', '"a16px b"', '"a16px b"'],
])('scales %s: %s', (prop, value, expected) => {
  expect(scaleValue(prop, value)).toBe(expected)
})

it('leaves no width between two conditions, and others alone', () => {
  expect([
    scaleCondition('(max-width: 599px)'),
    scaleCondition('(min-width: 600px) and (max-width: 1099px)'),
    scaleCondition('(prefers-reduced-motion: reduce)'),
  ]).toEqual(['(width < 37.5rem)', '(width >= 37.5rem) and (width < 68.75rem)', undefined])
})

it('asks the page’s width where a sheet asks the window’s, and a container where it asks that', () => {
  const rules = [
    { name: 'media', params: '(max-width: 599px)' },
    { name: 'container', params: '(max-width: 519px)' },
    { name: 'media', params: '(hover: none)' },
  ]
  for (const rule of rules) scaleStyles.AtRule(rule)
  expect(rules).toEqual([
    { name: 'container', params: 'page (width < 37.5rem)' },
    { name: 'container', params: '(width < 32.5rem)' },
    { name: 'media', params: '(hover: none)' },
  ])
})
