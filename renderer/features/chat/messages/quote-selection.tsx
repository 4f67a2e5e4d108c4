// "Quote", beside what is selected in an answer. The same is in the answer's menu, for the keyboard.
import { useEffect, useState } from 'react'
import { t } from '#app/words/translate.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { messageActions } from './message-actions.ts'
import { type AnswerSelection, selectionInAnswer } from './selection.ts'

export function QuoteSelection({ conversationId }: { readonly conversationId: string }) {
  const stores = useStores()
  const [selected, setSelected] = useState<AnswerSelection>()
  useEffect(() => {
    let pressed = false
    let frame = 0
    // Not while it is being drawn: a button that follows the pointer is in its way.
    const look = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setSelected(pressed ? undefined : selectionInAnswer()))
    }
    const onDown = (): void => {
      pressed = true
    }
    const onUp = (): void => {
      pressed = false
      look()
    }
    document.addEventListener('selectionchange', look)
    document.addEventListener('pointerdown', onDown)
    document.addEventListener('pointerup', onUp)
    document.addEventListener('scroll', look, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('pointerdown', onDown)
      document.removeEventListener('pointerup', onUp)
      document.removeEventListener('scroll', look, { capture: true })
    }
  }, [])
  if (!selected) return null
  const quote = (): void => {
    messageActions(stores, conversationId).quote(selected.text)
    document.getSelection()?.removeAllRanges()
  }
  return (
    <div className="quote-selection" style={{ left: selected.rect.right, top: selected.rect.bottom }}>
      {/* Pressing it must not end the selection that it quotes. */}
      <Button size="sm" onPointerDown={(event) => event.preventDefault()} onMouseDown={(event) => event.preventDefault()} onClick={quote}>
        {t`Quote`}
      </Button>
    </div>
  )
}
