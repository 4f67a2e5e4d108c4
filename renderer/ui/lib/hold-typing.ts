// Typing for a field that is not there yet, because its code or its page is still loading. A field out of sight takes the focus and the
// text meanwhile, so nothing goes to where the focus was, and input methods, dead keys and pasting work as anywhere. Putting the
// menu's code into the first chunk would not replace this: on a slow page its field is still drawn after the next keys have come,
// and those would go to the composer (e2e/specs/typing-ahead.spec.ts).
import { insertText, type TextElement } from './insert-text.ts'
import { isTyping } from './is-typing.ts'

interface HoldOptions {
  readonly field: () => TextElement | null
  readonly isWanted: () => boolean
  readonly label: string
  /** Called once the field has the focus, before the text is put into it. */
  readonly onField?: (field: TextElement) => void
  readonly onEscape: () => void
}

/** Keys that act on the text before them. */
const doing = new Set(['Enter', 'ArrowDown', 'ArrowUp'])
/** A text, and the key that was pressed after it. */
type Typed = readonly [text: string, key: string]

let endLast = (): void => undefined

/** Focuses the field once it is there, and gives it the text typed meanwhile. Returns its undo, which gives the focus back unless it went elsewhere. */
export function holdTyping({ field, isWanted, label, onField, onEscape }: HoldOptions): () => void {
  endLast()
  const before = document.activeElement
  const typed: Typed[] = []
  const catcher = document.createElement('input')
  let composing = false
  let frame = 0

  let over = false
  const remove = (): void => {
    over = true
    cancelAnimationFrame(frame)
    if (endLast === end) endLast = () => undefined
    catcher.remove()
  }
  const end = (): void => {
    const hadFocus = document.activeElement === catcher
    remove()
    if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus()
  }
  const handOver = (to: TextElement): void => {
    const rest = catcher.value
    remove()
    onField?.(to)
    replay(to, typed, rest)
  }
  /** Returns whether the wait is over. */
  const look = (): boolean => {
    if (!isWanted()) end()
    else {
      const to = composing ? null : field()
      to?.focus()
      if (to === null || document.activeElement !== to) return false
      handOver(to)
    }
    return true
  }
  const wait = (): void => {
    if (!look()) frame = requestAnimationFrame(wait)
  }
  // Where the field takes the focus itself, it gets the text before the next key.
  const onBlur = (): void => queueMicrotask(() => over || look())

  catcher.className = 'sr'
  catcher.setAttribute('aria-label', label)
  catcher.autocomplete = 'off'
  catcher.addEventListener('compositionstart', () => {
    composing = true
  })
  catcher.addEventListener('compositionend', () => {
    composing = false
  })
  catcher.addEventListener('blur', onBlur)
  catcher.addEventListener('keydown', (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') onEscape()
    else if (doing.has(event.key)) {
      typed.push([catcher.value, event.key])
      catcher.value = ''
    } else if (event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  })
  const there = field()
  there?.focus()
  if (there && document.activeElement === there) {
    onField?.(there)
    return () => undefined
  }
  document.body.append(catcher)
  catcher.focus({ preventScroll: true })
  endLast = end
  frame = requestAnimationFrame(wait)
  return end
}

/** Replays texts and keys. After each key it waits for two frames; the text after it goes to the field that the key led to. */
function replay(to: TextElement, [first, ...others]: readonly Typed[], rest: string): void {
  const text = first ? first[0] : rest
  if (text !== '') insertText(to, text)
  if (!first) return
  const afterDrawn = (next: () => void): number => requestAnimationFrame(() => requestAnimationFrame(next))
  afterDrawn(() => {
    to.dispatchEvent(new KeyboardEvent('keydown', { key: first[1], bubbles: true, cancelable: true }))
    afterDrawn(() => {
      const now = document.activeElement
      if (now instanceof HTMLInputElement || now instanceof HTMLTextAreaElement) replay(now, others, rest)
    })
  })
}
