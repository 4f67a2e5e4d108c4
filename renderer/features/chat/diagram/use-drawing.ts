// One frame that draws one diagram: hands it the source, reads what it says, and gives up on it after a while.
import { type RefObject, useCallback, useEffect, useState } from 'react'
import { stripHidden } from '#app/consent/reveal.ts'
import { t } from '#app/words/translate.ts'
import { type FrameOrder, readWord } from './frame-words.ts'

export type Drawing =
  | { readonly kind: 'drawing' }
  | { readonly kind: 'drawn'; readonly width: number; readonly height: number; readonly type: string }
  | { readonly kind: 'failed'; readonly message: string }

/** From the frame's first line to its drawing. A frame that takes longer is taken away. */
const longestMs = 20_000
const drawing: Drawing = { kind: 'drawing' }

export function useDrawing(
  frame: RefObject<HTMLIFrameElement | null>,
  source: string,
  dark: boolean,
): readonly [Drawing, (order: FrameOrder) => void] {
  const [state, setState] = useState<Drawing>(drawing)
  // An origin that nobody else has cannot be named: the frame is told by its window alone.
  const tell = useCallback((order: FrameOrder) => frame.current?.contentWindow?.postMessage(order, '*'), [frame])

  useEffect(() => {
    setState(drawing)
    const timer = setTimeout(() => setState({ kind: 'failed', message: t`It took too long.` }), longestMs)
    // What cannot be seen in the source is spelled out beside it, and not drawn.
    const draw = (): void => tell({ kind: 'draw', source: stripHidden(source), dark })
    const onMessage = (event: MessageEvent): void => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return
      const word = readWord(event.data)
      if (word?.kind === 'ready') draw()
      else if (word) {
        clearTimeout(timer)
        setState(word)
      }
    }
    addEventListener('message', onMessage)
    // One that is there already draws anew; one that is still loading does so when it is ready.
    draw()
    return () => {
      clearTimeout(timer)
      removeEventListener('message', onMessage)
    }
  }, [frame, source, dark, tell])

  return [state, tell]
}
