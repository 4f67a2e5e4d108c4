import { afterEach, describe, expect, it } from 'vitest'
import { messageKey, partsOf, setCatalogue, t } from './translate.ts'

const name = 'notes'
const runs = (count: number | string): string => t`${count} calls of ${name}`

describe('t', () => {
  afterEach(() => setCatalogue(undefined))

  it('says its English where no catalogue is set', () => {
    expect(runs(3)).toBe('3 calls of notes')
  })

  it('says a translation, its values in the order of the translation', () => {
    setCatalogue({ language: 'de', messages: { '{0} calls of {1}': '{1}: {0} Aufrufe' } })
    expect(runs(3)).toBe('notes: 3 Aufrufe')
  })

  it('says its English where the catalogue lacks a message', () => {
    setCatalogue({ language: 'de', messages: {} })
    expect(runs(3)).toBe('3 calls of notes')
  })

  it('chooses the form that the language has for a number, written with separators too', () => {
    const forms = { one: '{0} wywołanie', few: '{0} wywołania', many: '{0} wywołań', other: '{0} wywołania' }
    setCatalogue({ language: 'pl', messages: { '{0} calls of {1}': { by: 0, forms } } })
    expect([runs(1), runs(3), runs(5), runs('1,200')]).toEqual(['1 wywołanie', '3 wywołania', '5 wywołań', '1,200 wywołań'])
  })

  it('chooses between the forms of an English message by the value before them, or after where there is none', () => {
    const found = (count: number | string): string => t`${name}: ${count} {server is|servers are} {here|there}`
    expect([1, 2, 0, '1', '1,200', '1K'].map(found)).toEqual([
      'notes: 1 server is here',
      'notes: 2 servers are there',
      'notes: 0 servers are there',
      'notes: 1 server is here',
      'notes: 1,200 servers are there',
      'notes: 1K servers are there',
    ])
    expect([1, 2].map((count) => t`the {result|results} of ${count}`)).toEqual(['the result of 1', 'the results of 2'])
    expect(partsOf(['', ' {tool|tools}'], [1])).toEqual(['', 0, ' tool'])
  })

  it('says the English forms where the catalogue lacks the message, and keeps a value that looks like one', () => {
    setCatalogue({ language: 'pl', messages: {} })
    expect(t`${'{a|b}'}: ${1} {tool|tools}`).toBe('{a|b}: 1 tool')
  })

  it('takes the other form where the one of a number is missing', () => {
    setCatalogue({ language: 'pl', messages: { '{0} calls of {1}': { by: 0, forms: { other: 'x {0}' } } } })
    expect(runs(3)).toBe('x 3')
  })

  it('puts a value in as it is: braces in it stand for nothing, and it is no key', () => {
    setCatalogue({ language: 'de', messages: { 'of {0}': 'von {0}', '{1}': 'nie' } })
    expect(t`of ${'{1}'}`).toBe('von {1}')
  })

  it('knows no key that objects have by nature', () => {
    setCatalogue({ language: 'de', messages: {} })
    expect(t`constructor`).toBe('constructor')
  })
})

describe('parts of a message', () => {
  it('are texts and the numbers of its values', () => {
    expect(partsOf(['Press ', ' to send'], ['x'])).toEqual(['Press ', 0, ' to send'])
    expect(messageKey(['Press ', ' to send'])).toBe('Press {0} to send')
  })
})
