import { fireEvent } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { holdTyping } from './hold-typing.ts'

afterEach(() => document.body.replaceChildren())

const add = (): HTMLInputElement => document.body.appendChild(document.createElement('input'))
const focused = (): HTMLInputElement => document.activeElement as HTMLInputElement
/** As the browser does it: into what has the focus. */
const type = (text: string): void => {
  focused().value += text
}
const frames = (count: number): Promise<void> =>
  count === 0 ? Promise.resolve() : new Promise((resolve) => requestAnimationFrame(() => resolve(frames(count - 1))))

function hold(options: Partial<Parameters<typeof holdTyping>[0]> = {}) {
  const before = add()
  before.focus()
  let field: HTMLInputElement | null = null
  const keys: string[] = []
  const end = holdTyping({ field: () => field, isWanted: () => true, label: 'Find', onEscape: () => undefined, ...options })
  onTestFinished(end)
  return {
    before,
    end,
    keys,
    comes(): HTMLInputElement {
      field = add()
      field.addEventListener('keydown', ({ key }) => keys.push(`${key} after ${field?.value}`))
      return field
    },
  }
}

it('what is typed before the field is there goes to it, and to nothing else', async () => {
  const { before, comes } = hold()
  type('set')
  await frames(3)
  type('tings')
  const field = comes()
  await frames(2)
  expect([before.value, field.value, focused() === field, document.querySelectorAll('input').length]).toEqual(['', 'settings', true, 2])
})

it('a field that takes the focus itself has it before the next key', async () => {
  const { comes } = hold({ onField: (field) => field.select() })
  type('se')
  const field = comes()
  field.focus()
  await Promise.resolve()
  type('arch')
  await frames(2)
  expect(field.value).toBe('search')
})

it('Enter is pressed once its text stands there, and what comes after it goes to where it led', async () => {
  const { comes, keys } = hold()
  type('first')
  fireEvent.keyDown(focused(), { key: 'Enter' })
  type('then')
  const field = comes()
  const next = add()
  field.addEventListener('keydown', () => next.focus())
  await frames(6)
  expect([keys, field.value, next.value]).toEqual([['Enter after first'], 'first', 'then'])
})

it('what an input method is composing stays with it until it is done', async () => {
  const { comes } = hold()
  fireEvent.compositionStart(focused())
  const field = comes()
  await frames(2)
  expect(focused()).not.toBe(field)
  type('請求')
  fireEvent.compositionEnd(focused())
  await frames(2)
  expect([focused() === field, field.value]).toEqual([true, '請求'])
})

it('Escape is told, Tab leads nowhere, and a chord is the page’s', () => {
  const onEscape = vi.fn()
  hold({ onEscape })
  const press = (key: string, more: object = {}): boolean => fireEvent.keyDown(focused(), { key, ...more })
  expect([press('Escape'), press('Tab'), press('k', { ctrlKey: true }), onEscape.mock.calls.length]).toEqual([false, false, true, 1])
})

it('when it is no more wanted, or ended, the focus is where it was, and nothing is left', async () => {
  let wanted = true
  const first = hold({ isWanted: () => wanted })
  type('lost')
  wanted = false
  await frames(2)
  expect([focused() === first.before, first.before.value]).toEqual([true, ''])
  const second = hold()
  second.end()
  expect([focused() === second.before, document.querySelectorAll('input').length]).toEqual([true, 2])
})
