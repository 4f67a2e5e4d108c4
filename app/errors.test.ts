import { describe, expect, it } from 'vitest'
import { describeError, hostErrorCodes } from './errors.ts'
import { formatWait } from './i18n/format-dates.ts'

it.each(hostErrorCodes)('%s is described, whatever its area', (code) => {
  expect(describeError({ code, message: 'm' })).toMatchObject({ message: 'm', remedy: expect.any(String) })
})

describe('waiting', () => {
  it.each([
    [0, '1 s'],
    [4000, '4 s'],
    [90_000, '90 s'],
    [119_001, '2 min'],
    [601_000, '11 min'],
    [7_200_000, '2 h'],
  ])('%d ms is said as %s', (ms, words) => expect(formatWait(ms)).toBe(words))

  it('is said for as long as the API asks, and without a number where it does not say', () => {
    const remedy = (data?: { retryAfterMs: number }): string =>
      describeError({ code: 'model.rate-limited', message: 'm', ...(data ? { data } : {}) }).remedy
    expect(remedy({ retryAfterMs: 90_000 })).toContain(formatWait(90_000))
    expect(remedy()).not.toMatch(/\d/)
  })
})

it('a model that an endpoint has not got is to be loaded there', () => {
  const said = describeError({
    code: 'model.unknown',
    message: 'm',
    data: { endpoint: 'Ollama', atHome: true, detail: 'try pulling it first' },
  })
  expect(said).toMatchObject({ remedy: expect.stringContaining('Ollama'), quote: 'try pulling it first', action: { kind: 'retry' } })
})

it('a context that can grow is said to, with the page to do it on', () => {
  const said = (canGrow?: true) => describeError({ code: 'model.too-long', message: 'm', data: canGrow ? { canGrow } : {} })
  expect([said(true).action, said().action]).toEqual([{ kind: 'open-settings', tab: 'models' }, undefined])
})

describe('the API’s own words', () => {
  const quote = (detail: unknown, code: 'model.request-refused' | 'model.key-refused' = 'model.request-refused') =>
    describeError({ code, message: 'm', data: { detail: detail as string } }).quote

  it('are quoted for each error of a model, and stay short', () => {
    expect(quote(' max_tokens: 9 > 8 ')).toBe('max_tokens: 9 > 8')
    expect(quote('x'.repeat(601))).toHaveLength(600)
    expect(quote(`${'x'.repeat(598)}😀x`)?.isWellFormed()).toBe(true)
  })

  it('are left out where there are none', () => {
    expect([quote(' '), quote(7), quote('why', 'model.key-refused')]).toEqual([undefined, undefined, 'why'])
  })
})
