import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, growBlocks, readFence, splitBlocks } from './block-pieces.ts'

const texts = (text: string): string[] => splitBlocks(text).map((block) => block.text)

describe('splitBlocks', () => {
  it.each([
    ['paragraphs at blank lines', 'one\ntwo\n\nthree\n', ['one\ntwo\n\n', 'three\n']],
    ['a heading apart from what follows only by a blank line', '# One\n\ntext', ['# One\n\n', 'text']],
    ['before a heading that interrupts a paragraph', 'text\n## Two\nmore', ['text\n', '## Two\nmore']],
    ['not between the lines of a setext heading', 'Title\n---\n\ntext', ['Title\n---\n\n', 'text']],
    ['around a fence, blank lines within it kept', 'a\n```ts\nx\n\n# y\n```\nb', ['a\n', '```ts\nx\n\n# y\n```\n', 'b']],
    ['not inside a fence by a shorter fence', '````\n```\nx\n```\n````\nb', ['````\n```\nx\n```\n````\n', 'b']],
    ['not at a fence of another kind', '~~~\n```\n~~~\n', ['~~~\n```\n~~~\n']],
    ['not in a loose list', '- a\n\n- b\n\n  more\n\ntext', ['- a\n\n- b\n\n  more\n\n', 'text']],
    ['not at a fence inside a list item', '1. a\n   ```\n   x\n   ```\n2. b\n', ['1. a\n   ```\n   x\n   ```\n2. b\n']],
    ['at a fence that ends a list', '- a\n```\nx\n```\n', ['- a\n', '```\nx\n```\n']],
    ['not inside indented code', '    a\n\n    b\n\nc', ['    a\n\n    b\n\n', 'c']],
    ['not inside a table', '| a |\n|---|\n| b |\n\nc', ['| a |\n|---|\n| b |\n\n', 'c']],
    ['html like any text', '<div>\n\n<script>x</script>\n', ['<div>\n\n', '<script>x</script>\n']],
    ['nothing from nothing', '', []],
  ])('splits %s', (_name, text, expected) => {
    expect(texts(text)).toEqual(expected)
  })

  it('leaves a fence that is still open as the last block', () => {
    expect(splitBlocks('a\n\n```js\nlet x').at(-1)).toEqual({ kind: 'fence', start: 3, text: '```js\nlet x' })
  })
})

const markdownish = fc
  .array(
    fc.constantFrom(
      'a',
      '- ',
      '1. ',
      '\n',
      '\n',
      '\n\n',
      '```',
      '~~~',
      '# ',
      '  ',
      '    ',
      '> ',
      '|',
      '---',
      '`',
      '\r\n',
      '<b>',
      '*',
      '\t',
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

describe('growBlocks', () => {
  it('finds the same blocks piece by piece as at once, and loses nothing', () => {
    fc.assert(
      fc.property(markdownish, fc.array(fc.nat(60), { maxLength: 8 }), (text, cuts) => {
        let blocks: readonly Block[] = []
        for (const cut of [...cuts.sort((a, b) => a - b), text.length]) blocks = growBlocks(blocks, text.slice(0, cut))
        expect(blocks).toEqual(splitBlocks(text))
        expect(blocks.map((block) => block.text).join('')).toBe(text)
      }),
      { numRuns: 400 },
    )
  })

  it('keeps the identity of blocks that did not change', () => {
    const before = growBlocks([], 'one\n\ntwo\n\nthree')
    const after = growBlocks(before, 'one\n\ntwo\n\nthree and more')
    expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, true, false])
  })
})

describe('readFence', () => {
  it.each([
    ['a closed fence', '```ts title\nx\n```\n', { language: 'ts', info: 'ts title', code: 'x', closed: true }],
    ['an open fence', '```\nx\ny', { language: '', info: '', code: 'x\ny', closed: false }],
    ['only its first line', '```py', { language: 'py', info: 'py', code: '', closed: false }],
    ['its indentation', '  ```\n  x\n    y\n  ```', { language: '', info: '', code: 'x\n  y', closed: true }],
  ])('reads %s', (_name, text, expected) => {
    expect(readFence(text)).toEqual(expected)
  })
})
