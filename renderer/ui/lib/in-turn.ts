// Draws long content a slice at a time. One slice is drawn between two frames, however many texts on the page wait: no task draws more.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Time of the frame after which a slice was drawn last. */
let lastFrame = -1

/** Calls `draw`, which sets state, in a turn of its own. Returns its undo. */
function inTurn(draw: () => void): () => void {
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  // In a task after the frame, so that layout and paint of the slice before are over.
  const drawAfter = (frame: number): void => {
    timer = setTimeout(() => {
      if (frame === lastFrame) return ask()
      lastFrame = frame
      flushSync(draw)
    })
  }
  const ask = (): void => {
    // A hidden page has no frames.
    if (document.hidden) drawAfter(performance.now())
    else asked = requestAnimationFrame(drawAfter)
  }
  ask()
  return () => {
    cancelAnimationFrame(asked)
    clearTimeout(timer)
  }
}

/** Number of items of `total` that are drawn now: `next(0)` at first, then `next` of that number with each turn. */
export function useInTurn(total: number, next: (drawn: number) => number): number {
  const [done, setDone] = useState(0)
  const drawn = Math.min(total, next(Math.min(done, total)))
  useEffect(() => (drawn === done || drawn === total ? undefined : inTurn(() => setDone(drawn))), [drawn, done, total])
  return drawn
}

/** Returns the value, of which a change is drawn in a turn of its own. */
export function useLatestInTurn<T>(value: T): T {
  const [drawn, setDrawn] = useState(() => value)
  useEffect(() => (drawn === value ? undefined : inTurn(() => setDrawn(() => value))), [drawn, value])
  return drawn
}
