import { cleanup, render, waitFor } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { Formula, selectedTex } from './formula.tsx'
import { texTree } from './tex-tree.ts'

afterEach(cleanup)
const written = (tex: string): string => renderToStaticMarkup(texTree(tex, true))

describe('a formula', () => {
  it.each([
    'x^2+\\frac{a}{b}',
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '\\begin{aligned}a&=b\\\\c&=d\\end{aligned}',
    '\\sum_{i=1}^n \\sqrt[3]{x} \\text{ if } y',
    '\\begin{array}{|c|c|}\\hline a&b\\\\ \\hline\\end{array}',
    '\\cancel{z} \\boxed{y} \\tag{1}',
  ])('is made of the elements of MathML: %s', (tex) => {
    const names = [...written(tex).matchAll(/<([a-z]+)/g)].map(([, name]) => name)
    expect([names[0], names.filter((name) => !/^m[a-z]+$/.test(name ?? ''))]).toEqual(['math', []])
  })

  it.each([
    ['\\color{white}{x}', 'x'],
    ['\\colorbox{red}{x}', 'x'],
    ['\\textcolor{#fff}{x}', 'x'],
  ])('has no colours that could hide it: %s', (tex, text) => {
    const markup = written(tex)
    expect([markup.replace(/<[^>]*>/g, ''), markup.match(/colou?r|background/i)]).toEqual([text, null])
  })

  it.each([
    '\\frac{1',
    '\\href{https://evil.example}{x}',
    '\\includegraphics{https://evil.example/a.png}',
    '\\class{x}{y}',
    '\\def\\a{\\a\\a}\\a',
    '\\def\\a#1{#1#1#1#1#1#1#1#1}\\a{\\a{\\a{\\a{\\a{\\a{x}}}}}}',
    '{'.repeat(2000) + '}'.repeat(2000),
    '\\sqrt{'.repeat(120) + '}'.repeat(120),
    'x+'.repeat(1900),
  ])('is given up on when it is broken, reaches out or grows without end: %s', (tex) => {
    expect(() => texTree(tex, false)).toThrow()
  })

  it('forgets a macro with the formula that made it', () => {
    expect(() => texTree('\\gdef\\mine{x}\\mine', false)).not.toThrow()
    expect(() => texTree('\\mine', false)).toThrow()
  })

  it('stands as its TeX where it cannot be made', async () => {
    const { container } = render(
      <>
        <Formula tex="\frac{1" display={false} written="$\frac{1$" />
        <Formula tex="x^2" display={false} written="$x^2$" />
        <Formula tex={'a\u200bb'} display={false} written={'$a\u200bb$'} />
      </>,
    )
    await waitFor(() => expect(container.querySelector('math')).not.toBeNull())
    expect([...container.querySelectorAll('.math')].map((one) => one.querySelector('code')?.textContent ?? null)).toEqual([
      '$\\frac{1$',
      null,
      '$azero-width spaceb$',
    ])
  })

  it('is copied as its TeX', async () => {
    const { container } = render(
      <p>
        so <Formula tex="x^2" display={false} written="$x^2$" /> it is
      </p>,
    )
    await waitFor(() => expect(container.querySelector('math')).not.toBeNull())
    const selection = getSelection()
    selection?.selectAllChildren(container)
    expect(selectedTex(selection)).toBe('so $x^2$ it is')
    selection?.removeAllRanges()
  })
})
