import { describe, expect, it } from 'vitest'
import { readMessage, readOrder } from './frame-messages.ts'

describe('what a frame says', () => {
  it.each<[string, unknown, ReturnType<typeof readMessage>]>([
    ['is ready', { kind: 'ready', more: 1 }, { kind: 'ready' }],
    [
      'a size, capped',
      { kind: 'drawn', width: 1e9, height: 20.4, type: 'flowchart-v2' },
      { kind: 'drawn', width: 20_000, height: 20, type: 'flowchart-v2' },
    ],
    [
      'a size that is none',
      { kind: 'drawn', width: '5', height: Number.NaN, type: 'x' },
      { kind: 'drawn', width: 1, height: 1, type: 'x' },
    ],
    [
      'a type that is no word',
      { kind: 'drawn', width: 5, height: 5, type: '<b>' },
      { kind: 'drawn', width: 5, height: 5, type: 'diagram' },
    ],
    ['a failure, cut', { kind: 'failed', message: 'x'.repeat(9999) }, { kind: 'failed', message: 'x'.repeat(500) }],
    ['a failure without a word', { kind: 'failed', message: {} }, { kind: 'failed', message: '' }],
    ['anything else', { kind: 'open', url: 'https://evil.example' }, undefined],
    ['nothing', null, undefined],
    ['text', 'ready', undefined],
  ])('%s', (_title, data, word) => {
    expect(readMessage(data)).toEqual(word)
  })
})

describe('what a frame is told', () => {
  it.each<[string, unknown, ReturnType<typeof readOrder>]>([
    ['to draw', { kind: 'draw', source: 'a', dark: true }, { kind: 'draw', source: 'a', dark: true }],
    ['to draw, by anyone', { kind: 'draw', source: 'a', dark: 'yes' }, { kind: 'draw', source: 'a', dark: false }],
    ['a size', { kind: 'zoom', scale: 2 }, { kind: 'zoom', scale: 2 }],
    ['anything else', { kind: 'draw', source: 7 }, undefined],
  ])('%s', (_title, data, order) => {
    expect(readOrder(data)).toEqual(order)
  })
})
