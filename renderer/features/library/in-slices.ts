// Work over very many things, a few milliseconds at a time: between two slices the page paints and takes keys.

/** Milliseconds; far below what a frame has, since others work in it too. */
const sliceMs = 6
/** The clock is looked at once in so many: looking costs more than most of the work. */
const between = 128

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/** False: it was called off, and the rest was not done. */
export async function inSlices(count: number, work: (index: number) => void, signal: AbortSignal): Promise<boolean> {
  let begun = performance.now()
  for (let index = 0; index < count; index++) {
    if (index % between === 0 && performance.now() - begun > sliceMs) {
      await nextTurn()
      begun = performance.now()
    }
    if (signal.aborted) return false
    work(index)
  }
  return !signal.aborted
}
