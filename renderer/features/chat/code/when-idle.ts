// Runs deferrable work, one piece whenever the page is idle: colouring code must not delay a frame of streaming text or scrolling.

const waiting = new Set<() => void>()
let scheduled = false

const idle: (work: () => void) => void =
  typeof requestIdleCallback === 'function' ? (work) => void requestIdleCallback(work, { timeout: 400 }) : (work) => void setTimeout(work)

function runOne(): void {
  scheduled = false
  const [next] = waiting
  if (!next) return
  waiting.delete(next)
  schedule()
  next()
}

function schedule(): void {
  if (scheduled || waiting.size === 0) return
  scheduled = true
  idle(runOne)
}

export function whenIdle(work: () => void): () => void {
  waiting.add(work)
  schedule()
  return () => waiting.delete(work)
}
