/** Resolves with the work, or once it is late: `onLate` is told, and nobody waits for it any more. */
export function orLate(work: Promise<void>, ms: number, onLate: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onLate()
      resolve()
    }, ms)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
