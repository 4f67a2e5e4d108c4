// Find in the open chat: a bar over its transcript. Places are counted in the messages, so folded, far and covered ones count too; going to
// one opens and draws it. They are marked by the browser's highlights, which change no node.
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '#app/chat/message.ts'
import { searchableParts } from '#app/chat/search/searchable-text.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { focusComposer } from '#renderer/navigation/focus.ts'
import { useChords } from '#renderer/navigation/shortcuts.ts'
import { useConnection, useStores, useTranscript, useView } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { SearchInput } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { matchesChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { readFence, splitBlocks, splitLongBlock } from '../markdown/block-pieces.ts'
import { parseMarkdown, type Token } from '../markdown/parser.ts'
import { weakMemo } from '../markdown/weak-memo.ts'

// Finds a text in a chat: counts it in the messages, drawn or not, and finds it again among the drawn nodes.

/** One place of the text. `nth`: in the message's own text, or in the call with this id. */
interface FindPlace {
  readonly messageId: string
  readonly callId?: string
  readonly nth: number
}

/** Limit of places, which one letter in a long chat would pass. */
const mostPlaces = 5000

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

const isSameFind = (a: FindPlace | undefined, b: FindPlace): boolean =>
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

const drawnRanges = (box: Element, query: string): readonly Range[] =>
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

interface FindBarProps {
  readonly conversationId: string
  readonly ids: readonly string[]
  /** Element that scrolls the transcript. */
  readonly box: RefObject<HTMLElement | null>
}

/** Bar, and the keys that open it. Pressed again in a browser, they are the browser's own. */
export function FindBar(props: FindBarProps) {
  const { conversationId } = props
  const { view } = useStores()
  const open = useView((state) => state.find?.conversationId === conversationId)
  const web = useConnection((state) => state.about?.shell.kind !== 'electron')
  const chords = useChords()
  const os = useOs()
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    const keydown = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event) || !matchesChord(event, chords.find, os)) return
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return
      const isHere = bar.current?.contains(document.activeElement) === true
      if (isHere && web) return
      event.preventDefault()
      view.setState({ find: { conversationId } })
      focusField(bar.current)
    }
    return listen(window, { keydown })
  }, [chords.find, os, web, view, conversationId])
  useEffect(() => () => view.setState({ find: undefined }), [view])
  return open ? <OpenFindBar {...props} bar={bar} /> : null
}

function focusField(bar: Element | null): void {
  const field = bar?.querySelector('input')
  field?.focus()
  field?.select()
}

/** Words that are selected in the transcript, if they could be looked for. */
function selectedWords(box: Element | null): string {
  const selection = document.getSelection()
  const text = selection?.toString().trim() ?? ''
  return selection?.anchorNode && box?.contains(selection.anchorNode) && text.length <= 100 && !text.includes('\n') ? text : ''
}

function OpenFindBar({ conversationId, ids, box, bar }: FindBarProps & { readonly bar: RefObject<HTMLElement | null> }) {
  const { view, transcripts } = useStores()
  const chords = useChords()
  const os = useOs()
  const [from] = useState(() => document.activeElement)
  const [query, setQuery] = useState(() => selectedWords(box.current))
  const wanted = useDeferredValue(query)
  const messages = useTranscript(conversationId, (transcript) => transcript.messages)
  const places = useMemo(
    () =>
      findPlaces(
        ids.flatMap((id) => messages?.[id] ?? []),
        wanted,
      ),
    [ids, messages, wanted],
  )
  const [current, setCurrent] = useState<FindPlace | undefined>(undefined)
  const index = places.findIndex((place) => isSameFind(current, place))
  useEffect(() => transcripts.wantWhole(conversationId), [transcripts, conversationId])
  useLayoutEffect(() => focusField(bar.current), [bar])

  const show = (place: FindPlace | undefined): void => {
    setCurrent(place && { ...place })
    view.setState({ find: { conversationId, ...place } })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin at what is in view; messages that come move nothing
  useEffect(() => {
    const first = firstInView(box.current, ids)
    show(places[index] ?? places.find(({ messageId }) => ids.indexOf(messageId) >= first) ?? places[0])
  }, [wanted])
  const go = (step: 1 | -1): void => {
    if (places.length === 0) return
    show(places[index < 0 ? 0 : (index + step + places.length) % places.length])
  }
  const close = (): void => {
    view.setState({ find: undefined })
    if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus({ preventScroll: true })
    else focusComposer()
  }
  useHighlights(box, wanted, places, current)
  useEffect(() => {
    const keydown = (event: globalThis.KeyboardEvent): void => {
      const step = matchesChord(event, chords.findNext, os) ? 1 : isShifted(event) ? -1 : undefined
      if (step === undefined || event.defaultPrevented) return
      event.preventDefault()
      go(step)
    }
    const isShifted = (event: globalThis.KeyboardEvent): boolean =>
      event.shiftKey && chords.findNext !== null && matchesChord(event, { ...chords.findNext, shift: true }, os)
    return listen(window, { keydown })
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isTyping(event)) return
    const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement
    if (event.key !== 'Escape' && !isEnter) return
    event.preventDefault()
    event.stopPropagation()
    if (isEnter) go(event.shiftKey ? -1 : 1)
    else close()
  }
  const total = `${formatNumber(places.length)}${places.length === mostPlaces ? '+' : ''}`
  return (
    <search ref={bar} className="find-bar" aria-label={t`Find in this chat`} onKeyDownCapture={onKeyDown}>
      <SearchInput label={t`Find in this chat`} value={query} onChange={setQuery} />
      <span className="help num nowrap" role="status">
        {wanted === '' ? '' : places.length === 0 ? t`not found` : t`${formatNumber(Math.max(index, 0) + 1)} of ${total}`}
      </span>
      <IconButton label={t`Previous match`} icon="chevron-up" small disabled={places.length === 0} onClick={() => go(-1)} />
      <IconButton label={t`Next match`} icon="chevron-down" small disabled={places.length === 0} onClick={() => go(1)} />
      <IconButton label={t`Close`} icon="close" small onClick={close} />
    </search>
  )
}

/** Index in `ids` of the first message that is in view. */
function firstInView(box: HTMLElement | null, ids: readonly string[]): number {
  const top = box?.getBoundingClientRect().top ?? 0
  const drawn = [...(box?.querySelectorAll<HTMLElement>('[data-message]') ?? [])]
  const first = drawn.find((message) => message.getBoundingClientRect().bottom > top)
  return Math.max(0, ids.indexOf(first?.dataset['message'] ?? ''))
}

/** Frames in which a place is drawn and measured, at most. */
const mostFrames = 120
/** Frames without a move after which the list stands still. */
const stillFrames = 3

/** Marks the places that are drawn, now and as the transcript changes, and brings the current one into view once. */
function useHighlights(
  box: RefObject<HTMLElement | null>,
  query: string,
  places: readonly FindPlace[],
  current: FindPlace | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other places are marked anew
  useEffect(() => {
    const element = box.current
    // Firefox before 140 has none: the current place is brought into view all the same.
    if (!element || query === '' || !('highlights' in CSS)) return
    const paint = (): void => {
      CSS.highlights.set('found', new Highlight(...drawnRanges(element, query)))
      const range = current && rangeOf(element, current, query)
      // What stands for a place that is not drawn is longer, and no place itself.
      const mark = new Highlight(...(range?.toString().length === query.length ? [range] : []))
      mark.priority = 1
      CSS.highlights.set('found-now', mark)
    }
    let frame = 0
    const later = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(paint)
    }
    const changes = new MutationObserver(later)
    changes.observe(element, { childList: true, characterData: true, subtree: true })
    later()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      CSS.highlights.delete('found')
      CSS.highlights.delete('found-now')
    }
  }, [box, query, places, current])
  useEffect(() => {
    const element = box.current
    if (!element || !current || query === '') return
    let [frames, still, top] = [0, 0, -1]
    let frame = 0
    const look = (): void => {
      const range = rangeOf(element, current, query)
      still = range && element.scrollTop === top ? still + 1 : 0
      top = element.scrollTop
      if (range && still >= stillFrames) bringIntoView(element, range)
      else if (frames++ < mostFrames) frame = requestAnimationFrame(look)
    }
    look()
    return () => cancelAnimationFrame(frame)
    // The query is the one that the place was found by.
  }, [box, current, query])
}

/** Scrolls as little as shows the place: the bar covers the top, the dock the bottom. */
function bringIntoView(box: HTMLElement, range: Range): void {
  range.startContainer.parentElement?.closest('pre, .tbl-scroll')?.scrollTo({ left: 0 })
  const { top, bottom, height } = box.getBoundingClientRect()
  const place = range.getBoundingClientRect()
  const dock = Number.parseFloat(getComputedStyle(box).getPropertyValue('--dock-height')) || 0
  const room = height - dock
  if (place.top < top + 60 || place.top > bottom - dock - 40) box.scrollTop += place.top - top - room / 2
}
