// What is typed for a field that is not there yet, because its code still comes or its page is still being drawn. Meanwhile it is
// typed into a field out of sight, so that nothing of it goes to where the focus was, and so that input methods, dead keys and
// pasting work as they do anywhere. The menu's code in the page's first chunk would not replace this: on a slow page its field and the
// row that Enter runs are still drawn after the next keys have come, and those would go to the composer (e2e/specs/typing-ahead.spec.ts).
import { insertText, type TextField } from './insert-text.ts'
import { isTyping } from './is-typing.ts'

interface HoldOptions {
  readonly field: () => TextField | null
  /** Whether it is still to come. */
  readonly isWanted: () => boolean
  /** What the field is called. */
  readonly label: string
  /** It has the focus, and nothing was put into it yet. */
  readonly onField?: (field: TextField) => void
  readonly onEscape: () => void
}

/** Keys that do something with what was typed before them. */
const doing = new Set(['Enter', 'ArrowDown', 'ArrowUp'])
/** Text, and the key that was pressed after it. */
type Typed = readonly [text: string, key: string]

let endLast = (): void => undefined

/**
 * Gives the field the focus, and whatever was typed before that could be. Returns its undo, which gives the focus back if nobody
 * else took it.
 */
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
  const handOver = (to: TextField): void => {
    const rest = catcher.value
    remove()
    onField?.(to)
    replay(to, typed, rest)
  }
  /** Whether it is over. */
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
  // The field took the focus itself: it has what was typed before the next key comes.
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

/** What a key does is drawn before the next one is pressed; what was typed after it goes to where it led. */
function replay(to: TextField, [first, ...others]: readonly Typed[], rest: string): void {
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
