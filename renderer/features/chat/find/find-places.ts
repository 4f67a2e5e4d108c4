// Where a text stands in a chat: counted in the messages, whether they are drawn or not, and found again among the drawn nodes.
import type { Message } from '#app/chat/message.ts'
import { searchableParts } from '#app/chat/search/searchable-text.ts'
import { readFence, splitBlocks, splitLongBlock } from '../markdown/block-pieces.ts'
import { parseMarkdown, type Token } from '../markdown/parser.ts'
import { weakMemo } from '../markdown/weak-memo.ts'

/** One place of the text. `nth`: in the message's own text, or in the call with this id. */
export interface FindPlace {
  readonly messageId: string
  readonly callId?: string
  readonly nth: number
}

/** Limit of places, which one letter in a long chat would pass. */
export const mostPlaces = 5000

/** Lower case of the same length: places are counted in UTF-16 units. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

function startsOf(text: string, query: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) starts.push(at)
  return starts
}

const shown = new Set(['text', 'text_special', 'code_inline', 'code_block', 'fence', 'image', 'math_inline', 'math_block'])

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'inline') return `${textOf(children ?? [])}\n`
      if (type === 'softbreak' || type === 'hardbreak') return '\n'
      return shown.has(type) ? content : ''
    })
    .join('')
}

/** Text of Markdown as it is drawn, block by block as drawing parses it, so that no message takes longer here. */
const plainText = (markdown: string): string =>
  splitBlocks(markdown)
    .flatMap(splitLongBlock)
    .map((block) => (block.kind === 'fence' ? readFence(block.text).code : textOf(parseMarkdown(block.text))))
    .join('\n')

interface FindableText {
  readonly callId?: string
  readonly text: string
}

/** Texts of a message in the order in which they are drawn, in lower case. Thinking is left out, as in the search of all chats. */
const findableTexts = weakMemo((message: Message): readonly FindableText[] => {
  if (message.role === 'user') return [{ text: fold(message.text) }]
  if (message.role === 'summary') return []
  const calls = new Map(searchableParts(message).flatMap(({ callId, texts }) => (callId === undefined ? [] : [[callId, texts] as const])))
  return message.parts.flatMap((part): FindableText[] => {
    if (part.kind === 'text') return [{ text: fold(plainText(part.text)) }]
    if (part.kind !== 'tool-call') return []
    const [, ...data] = calls.get(part.call.id) ?? []
    return [{ callId: part.call.id, text: fold(data.map(({ text }) => text).join('\n')) }]
  })
})

/** Places of `query` in messages, in their order; case does not matter. */
export function findPlaces(messages: readonly Message[], query: string): readonly FindPlace[] {
  const wanted = fold(query)
  const places: FindPlace[] = []
  if (wanted === '') return places
  for (const message of messages) {
    let own = 0
    for (const { callId, text } of findableTexts(message)) {
      const { length } = startsOf(text, wanted)
      for (let at = 0; at < length; at++)
        places.push(callId === undefined ? { messageId: message.id, nth: own + at } : { messageId: message.id, callId, nth: at })
      if (callId === undefined) own += length
      if (places.length >= mostPlaces) return places.slice(0, mostPlaces)
    }
  }
  return places
}

export const isSameFind = (a: FindPlace | undefined, b: FindPlace): boolean =>
  a?.messageId === b.messageId && a.callId === b.callId && a.nth === b.nth

const blocks = 'p, li, td, th, pre, dt, dd, h2, h3, h4, blockquote, div, section'
/** Parts beside the text: buttons, captions, words for screen readers. */
const beside = 'button, select, textarea, input, figcaption, .sr, .label, [hidden], [aria-hidden="true"]'

/** Ranges of `query` in the drawn text of an element; each lies within one block. */
function rangesIn(root: Element, query: string): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(beside) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  const ends: { readonly node: Node; readonly from: number }[] = []
  let text = ''
  let block: Element | null | undefined
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.parentElement?.closest(blocks)
    if (at !== block) text += '\n'
    block = at
    ends.push({ node, from: text.length })
    text += node.nodeValue ?? ''
  }
  const place = (at: number): readonly [node: Node, offset: number] => {
    const { node, from } = ends.findLast((end) => end.from <= at) ?? { node: root, from: at }
    return [node, Math.min(at - from, node.nodeValue?.length ?? 0)]
  }
  const folded = fold(text)
  return startsOf(folded, fold(query)).map((start) => {
    const range = document.createRange()
    range.setStart(...place(start))
    const [node, offset] = place(start + query.length - 1)
    range.setEnd(node, offset + 1)
    return range
  })
}

const ownText = (message: Element): Element[] =>
  [...message.querySelectorAll('.said, .prose')].filter((element) => !element.closest('.call-box'))

const openCalls = (message: Element): Element[] => [...message.querySelectorAll('.call-more')]

/** Ranges of all places that are drawn. */
export const drawnRanges = (box: Element, query: string): readonly Range[] =>
  [...box.querySelectorAll('[data-message]')]
    .flatMap((message) => [...ownText(message), ...openCalls(message)])
    .flatMap((element) => rangesIn(element, query))

/**
 * Range of a place, once it is drawn; the last one where fewer are drawn than were counted (a long result that is cut, code that stands in
 * a card), the whole message or call where none is.
 */
export function rangeOf(box: Element, { messageId, callId, nth }: FindPlace, query: string): Range | undefined {
  const message = box.querySelector(`[data-message="${CSS.escape(messageId)}"]`)
  if (!message) return undefined
  const call = callId === undefined ? undefined : message.querySelector(`[data-call="${CSS.escape(callId)}"]`)
  const opened = call?.querySelector('.call-more')
  if (call && !opened) return undefined
  const ranges = (opened ? [opened] : ownText(message)).flatMap((element) => rangesIn(element, query))
  const found = ranges[nth] ?? ranges.at(-1)
  if (found) return found
  const whole = document.createRange()
  whole.selectNodeContents(opened ?? message)
  return whole
}
