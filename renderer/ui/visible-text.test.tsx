import { render, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { anyHidden, endOfPart, InParts, mostAtOnce, mostLinesAtOnce, mostSegments, SentenceOf, VisibleText } from './visible-text.tsx'

const breaks = (text: string): number => (render(<VisibleText text={text} />).container.textContent ?? '').split('\u200b').length - 1

describe('visible text', () => {
  it.each([
    ['parts of syllables', '\u1100'.repeat(400), 99],
    ['letters that a virama joins', '\u0915\u094d'.repeat(160), 19],
    ['skin tones', '\u{1f3fb}'.repeat(40), 9],
  ])('breaks %s that make one character without end', (_name, text, least) => {
    expect(breaks(text)).toBeGreaterThanOrEqual(least)
  })

  it.each([
    ['Korean in parts', '한국어 이름'.normalize('NFD')],
    ['Hindi', 'स्वतन्त्रता दिवस क्ष्म्य'],
    ['Tamil and Khmer', 'ஸ்ரீ ខ្ញុំ'],
    ['emoji', '👍🏽👋🏿👨‍👩‍👧'],
  ])('leaves %s as it is', (_name, text) => {
    expect(render(<VisibleText text={text} />).container.textContent).toBe(text)
  })

  it('names marks that would lie over the name of a hidden character, and leaves those of a letter', () => {
    const { container } = render(<VisibleText text={`a\u034f${'\u0301'.repeat(5)}b\u0301 \u200b\u0301c র\u200d্য`} />)
    expect([...container.querySelectorAll('.reveal')].map(({ textContent }) => textContent?.replace(/^(?!\d).*/, 'hidden'))).toEqual([
      'hidden',
      '5 more marks',
      'hidden',
      '1 more marks',
      'hidden',
    ])
    expect(container.textContent).toContain('b\u0301')
  })

  it('counts marks that are not drawn as hidden, in values and in names', () => {
    const marks = `a${'\u0301'.repeat(40)}`
    expect([marks, { [marks]: 1 }, [marks], `a${'\u0301'.repeat(9)}`].map(anyHidden)).toEqual([true, true, true, false])
  })
})

describe('a text in parts', () => {
  it.each([
    ['lines', 'word word\n'.repeat(20_000)],
    ['words', 'word '.repeat(40_000)],
    ['one word', 'a'.repeat(200_000)],
    ['pairs', '\u{1F468}'.repeat(50_000)],
    ['nothing', ''],
  ])('of %s is cut into parts of a bounded size, never within a pair', (_name, text) => {
    const ends: number[] = []
    do ends.push(endOfPart(text, ends.at(-1) ?? 0))
    while ((ends.at(-1) ?? 0) < text.length)
    const parts = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    expect(parts.join('')).toBe(text)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(mostAtOnce)
    expect(ends.length).toBeLessThanOrEqual(Math.ceil(text.length / (mostAtOnce / 2)) + 1)
    expect(parts.every((part) => part.isWellFormed())).toBe(true)
  })

  it.each([
    ['hidden characters', 'a\u200b'.repeat(20_000)],
    ['marks upon marks', `a${'\u0301'.repeat(20)}`.repeat(5000)],
  ])('with %s draws a bounded number of nodes at first', (_name, text) => {
    const { container, unmount } = render(<InParts text={text} draw={(from, to) => <VisibleText text={text.slice(from, to)} />} />)
    const named = container.querySelectorAll('.reveal').length
    unmount()
    expect([named <= mostSegments, named > mostSegments / 8]).toEqual([true, true])
  })

  it('draws a bounded number of nodes of what hides much at first, wherever it stands, and more in turn', async () => {
    const text = 'a\u200b'.repeat(1000)
    const { container } = render(<VisibleText as="p" text={text} />)
    const count = (): number => container.querySelectorAll('.reveal').length
    const first = count()
    await waitFor(() => expect(container.querySelector('[data-growing]')).toBeNull(), { timeout: 5000 })
    expect([first <= mostSegments, count(), container.querySelectorAll('p .text-part').length]).toEqual([true, 1000, 2000 / mostSegments])
  })

  it('with many lines draws a bounded number of them at first', () => {
    expect(endOfPart('a\n'.repeat(4000), 0)).toBe(2 * mostLinesAtOnce)
  })

  it('draws one part at first, the next ones in turn, and in the end all of it', async () => {
    const text = `${'line\n'.repeat(6000)}end`
    const drawn: number[] = []
    const { container } = render(
      <InParts
        text={text}
        draw={(from, to) => {
          drawn.push(to - from)
          return text.slice(from, to)
        }}
      />,
    )
    expect(container.textContent?.length).toBeLessThanOrEqual(mostAtOnce)
    await waitFor(() => expect(container.textContent).toBe(text), { timeout: 5000 })
    // No part is drawn twice.
    expect(drawn.reduce((sum, length) => sum + length, 0)).toBe(text.length)
  })
})

it('a sentence of the host sets off the names of its server and tool, and nothing else in quotation marks', () => {
  const { container } = render(<SentenceOf server="everything" tool="stop" text="“stop” of “everything” wrote “all”." />)
  const named = [...container.querySelectorAll('.server-name, .tool-name')].map(({ className, textContent }) => [className, textContent])
  expect([container.textContent, named]).toEqual([
    'stop of everything wrote “all”.',
    [
      ['mono tool-name', 'stop'],
      ['server-name', 'everything'],
    ],
  ])
})
