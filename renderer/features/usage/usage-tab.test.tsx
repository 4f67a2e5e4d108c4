import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dayWithYear } from '#app/i18n/format-values.ts'
import type { UsageReport, UsageRow } from '#app/models/usage.ts'
import { defaultSettings } from '#app/settings.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { renderAt } from '#renderer/testing/render-page.tsx'
import { costLabel, dayLabel, daysOf, everyDay } from './usage-labels.ts'
import { readPrice } from './usage-tab.tsx'

const row = (key: string, change: Partial<UsageRow> = {}): UsageRow => ({
  key,
  requests: 2,
  inputTokens: 1000,
  outputTokens: 500,
  cacheReadTokens: 3000,
  cacheWriteTokens: 0,
  cost: 0.42,
  unpriced: 0,
  ...change,
})
const report = (change: Partial<UsageReport> = {}): UsageReport => ({
  total: row('', {}),
  days: [row('2026-11-20')],
  models: [row('anthropic/claude')],
  conversations: [row('c1', { title: 'Tidy invoices' }), row('c2'), row('')],
  ...change,
})
const models = [{ id: 'anthropic/claude', provider: 'anthropic', name: 'Claude', ai: true }]

function open(answer: UsageReport = report(), settings = defaultSettings) {
  const link = createFakeConnection({ snapshot: { models, settings }, answers: { 'usage.report': () => answer } })
  renderAt(link, '#/settings/usage')
  return link
}

describe('the report', () => {
  it('says what each chat and each model took, also of a chat that is gone', async () => {
    open()
    await screen.findByText('Tidy invoices')
    expect(screen.getByRole('link', { name: 'Tidy invoices' }).getAttribute('href')).toContain('c1')
    expect(screen.getByRole('rowheader', { name: 'Deleted chat' })).toBeTruthy()
    expect(within(screen.getByRole('row', { name: /Claude/ })).getByText('$0.42')).toBeTruthy()
  })

  it('is asked for again when something was counted', async () => {
    const link = open()
    await screen.findByText('Tidy invoices')
    link.answer({ 'usage.report': () => report({ conversations: [row('c9', { title: 'Another one' })] }) })
    link.tell('usage.changed', {})
    expect(await screen.findByText('Another one')).toBeTruthy()
  })

  it('asks for the days of what was chosen', async () => {
    const link = open()
    fireEvent.click(await screen.findByRole('radio', { name: 'All' }))
    await waitFor(() => expect(link.paramsOf('usage.report').at(-1)).toEqual({ from: '0000-01-01', to: '9999-12-31' }))
  })
})

describe('a price', () => {
  it('is kept for its model, beside those of others', async () => {
    const link = open(report({ models: [row('anthropic/claude', { unpriced: 2 })] }), {
      ...defaultSettings,
      prices: { 'x/y': { input: 1, output: 1 } },
    })
    fireEvent.change(await screen.findByLabelText('Set the price of a model'), { target: { value: 'anthropic/claude' } })
    fireEvent.change(screen.getByLabelText('Read'), { target: { value: '3' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByRole('alert')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Written'), { target: { value: '$15' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(link.paramsOf('settings.set')).toEqual([
      { prices: { 'x/y': { input: 1, output: 1 }, 'anthropic/claude': { input: 3, output: 15 } } },
    ])
  })

  it.each([
    [
      { input: '3', output: '15', cacheRead: '', cacheWrite: '' },
      { input: 3, output: 15 },
    ],
    [
      { input: '0', output: '0,5', cacheRead: '0.1', cacheWrite: '' },
      { input: 0, output: 0.5, cacheRead: 0.1 },
    ],
    [{ input: '', output: '1', cacheRead: '', cacheWrite: '' }, undefined],
    [{ input: '-1', output: '1', cacheRead: '', cacheWrite: '' }, undefined],
    [{ input: '1', output: 'free', cacheRead: '', cacheWrite: '' }, undefined],
    [{ input: '1', output: '1', cacheRead: 'x', cacheWrite: '' }, undefined],
  ])('%j', (typed, price) => {
    expect(readPrice(typed)).toEqual(price)
  })
})

it('a budget is chosen in dollars or tokens, and none takes it away', async () => {
  const link = open(report(), { ...defaultSettings, monthBudget: { unit: 'dollars', amount: 5 } })
  fireEvent.change(await screen.findByLabelText(/Budget for a month/), { target: { value: '' } })
  fireEvent.change(screen.getByLabelText(/Budget for a month/), { target: { value: 'tokens' } })
  expect(link.paramsOf('settings.set').map(({ monthBudget }) => monthBudget?.unit ?? null)).toEqual([null, 'tokens'])
})

it('days are those of the calendar, months of any length', () => {
  const now = new Date(2026, 2, 3, 1).getTime()
  expect(daysOf('week', now)).toEqual({ from: '2026-02-25', to: '2026-03-03' })
  expect(daysOf('month', now)).toEqual({ from: '2026-03-01', to: '2026-03-03' })
  expect(daysOf('last-month', now)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(everyDay('2026-02-27', '2026-03-02', 60)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect(everyDay('0000-01-01', '2026-03-02', 2)).toEqual(['2026-03-01', '2026-03-02'])
})

it.each([
  [{ requests: 2, unpriced: 0, cost: 0.004 }, '$0.004'],
  [{ requests: 2, unpriced: 1, cost: 1.5 }, 'at least $1.50'],
  [{ requests: 2, unpriced: 2, cost: 0 }, undefined],
  [{ requests: 2, unpriced: 0, cost: 0 }, '$0.00'],
])('%j costs %s', (total, words) => {
  expect(costLabel(total)).toBe(words)
})

it('a day is written as everywhere else, and is that day in any zone', () => {
  expect(dayLabel('2025-11-20')).toBe(dayWithYear(new Date(2025, 10, 20).getTime()))
})
