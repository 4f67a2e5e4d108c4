import { expect, test } from 'vitest'
import { type ModelEvent, textAfter } from './provider.ts'

const text = (words: string): ModelEvent => ({ type: 'text', index: 0, text: words })
const said = (...events: readonly ModelEvent[]): string => events.reduce(textAfter, '')

test('the words of an answer are none of those that turn out to be thinking, and those that turn out to be none', () => {
  expect(said(text('One '), text('two'), { type: 'thinking', index: 1, text: 'Hm' })).toBe('One two')
  expect(said(text('Hm'), { type: 'recast', index: 0, as: 'thinking', text: 'Hm' }, text('One'))).toBe('One')
  expect(said({ type: 'thinking', index: 0, text: 'One' }, { type: 'recast', index: 0, as: 'text', text: 'One' })).toBe('One')
})
