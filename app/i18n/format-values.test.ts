import { afterEach, describe, expect, it } from 'vitest'
import { formatBytes, formatDuration } from '../text/format-text.ts'
import { dayTitle, formatUntil, formatWhen } from './format-dates.ts'
import {
  clockWithMilliseconds,
  clockWithSeconds,
  formatClock,
  formatList,
  formatMoment,
  formatNumber,
  formatPercent,
  numberFrom,
  setFormats,
} from './format-values.ts'
import { setCatalogue, t } from './translate.ts'

const noon = new Date(2026, 8, 24, 12).getTime()
const day = 86_400_000

afterEach(() => {
  setFormats(undefined)
  setCatalogue(undefined)
})

describe('formats', () => {
  it('are those of plain English where nothing was said', () => {
    const said = [formatNumber(1200), formatClock(noon), formatList(['a', 'b', 'c']), formatBytes(3_100_000), formatDuration(400)]
    expect(said).toEqual(['1,200', '12:00', 'a, b and c', '3.1 MB', '0.4 s'])
  })

  it.each([
    ['de', ['1.200', '3,1 MB', '0,4 s', 'a, b und c']],
    ['en-US', ['1,200', '3.1 MB', '0.4 s', 'a, b, and c']],
  ])('are those of the locale: %s', (locale, said) => {
    setFormats(locale)
    expect([formatNumber(1200), formatBytes(3_100_000), formatDuration(400), formatList(['a', 'b', 'c'])]).toEqual(said)
  })

  it('are read back: a form is chosen by the number that digits stand for, in any locale', () => {
    for (const locale of ['en', 'de', 'fr', 'hi']) {
      setFormats(locale)
      expect([numberFrom(formatNumber(1_234_567)), numberFrom(formatNumber(1.5))]).toEqual([1_234_567, 1.5])
    }
    setFormats('pl')
    const forms = { one: 'one', few: 'few', many: 'many', other: 'other' }
    setCatalogue({ language: 'pl', messages: { '{0} tools': { by: 0, forms } } })
    expect([1, 2, 1_000_005].map((count) => t`${formatNumber(count)} tools`)).toEqual(['one', 'few', 'many'])
  })

  it('show the same clock of 24 hours everywhere, in a locale of 12 too', () => {
    setFormats('en-US')
    const evening = noon + 9 * 3_600_000
    const shown = [formatClock(evening), clockWithSeconds(evening), clockWithMilliseconds(evening), formatMoment(evening)]
    expect(shown).toEqual(['21:00', '21:00:00', '21:00:00.000', '9/24/26, 21:00:00'])
  })

  it('round no share up to all of it', () => {
    expect(formatPercent(0.999)).toBe('99%')
  })

  it('say a time beside now', () => {
    expect([0, -1, -2, -300].map((days) => formatWhen(noon + days * day, noon))).toEqual([
      'today, 12:00',
      'yesterday, 12:00',
      '22 Sept',
      '28 Nov 2025',
    ])
    expect([dayTitle(noon, noon), dayTitle(noon - day, noon), formatUntil(noon + day, noon)]).toEqual([
      'Today',
      'Yesterday',
      'tomorrow, 12:00',
    ])
  })
})
