import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { StoresProvider } from '#renderer/stores/store-hooks.tsx'
import { createStores } from '#renderer/stores/stores.ts'
import { createFakeConnection } from '#renderer/testing/fake-link.ts'
import { mostAtOnce } from '#renderer/ui/visible-text.tsx'
import { CodeBlock, colourInParts, grammarName } from './code-block.tsx'

const stores = createStores(createFakeConnection())
const shown = (code: string, language: string, growing = false) => (
  <StoresProvider stores={stores}>
    <CodeBlock code={code} language={language} growing={growing} />
  </StoresProvider>
)
// The wait for colours does not include their chunk.
beforeAll(() => import('./grammars.ts').then(() => undefined))
afterEach(cleanup)

describe('a block of code', () => {
  it('gets its colours, and hidden characters in it are still spelled out', async () => {
    const { container } = render(shown('let a = "pay\u200bpal"', 'ts'))
    await waitFor(() => expect(container.querySelector('.hl-text .reveal')?.textContent).toBe('zero-width space'))
    expect(container.querySelector('.hl-word')?.textContent).toBe('let')
  })

  it('stays plain in a language that is not known, and where it is too long', () => {
    const { container } = render(shown('x'.repeat(100_001), 'ts'))
    expect([container.querySelector('figcaption')?.textContent, container.querySelectorAll('[class^="hl-"]').length]).toEqual(['ts', 0])
  })

  it('is coloured a part at a time where it is long', async () => {
    const code = 'let a = 1\n'.repeat(1800)
    const lengths: number[] = []
    const tokens = await colourInParts(code, (text) => {
      lengths.push(text.length)
      return [{ text }]
    })
    expect(tokens?.map(({ text }) => text).join('')).toBe(code)
    expect(lengths.every((length) => length <= mostAtOnce) && lengths.length <= 5).toBe(true)
  })

  it('keeps the elements of full runs while more is written', async () => {
    const first = 'let a = 1\n'.repeat(45)
    const { container, rerender } = render(shown(first, 'ts', true))
    await waitFor(() => expect(container.querySelectorAll('.hl-word').length).toBe(40))
    const before = [...container.querySelectorAll('.hl-word')]
    rerender(shown(`${first}${'let b = 2\n'.repeat(40)}`, 'ts', true))
    await waitFor(() => expect(container.querySelectorAll('.hl-word').length).toBe(80))
    const after = [...container.querySelectorAll('.hl-word')]
    expect(before.every((one, index) => one === after[index])).toBe(true)
  })

  it('wraps its lines when it is told to', () => {
    const { container } = render(shown('a b c', ''))
    const button = screen.getByRole('button', { name: 'Wrap lines' })
    fireEvent.click(button)
    expect([button.getAttribute('aria-pressed'), container.querySelector('pre')?.className]).toEqual(['true', 'wrapit'])
  })
})

describe('the name behind a fence', () => {
  it.each([
    ['ts', 'ts'],
    ['language-js', 'js'],
    ['C++', 'c++'],
    ['ts{1,3}', 'ts'],
    ['{.python', 'python'],
    ['js,runnable', 'js'],
  ])('%s is the grammar %s', (info, name) => {
    expect(grammarName(info)).toBe(name)
  })
})
