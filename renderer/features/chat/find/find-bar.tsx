// Find in the open chat: a bar over its transcript. Places are counted in the messages, so folded, far and covered ones count too; going to
// one opens and draws it. They are marked by the browser's highlights, which change no node.
import { type KeyboardEvent, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
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
import { drawnRanges, type FindPlace, findPlaces, isSameFind, mostPlaces, rangeOf } from './find-places.ts'

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
