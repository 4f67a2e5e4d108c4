// Lines of a server that are not protocol, on their way to its log. A flood costs neither memory nor the loop: in any
// 100 ms only so many lines are decoded and passed on; of the rest the last one is kept, since the last line before a
// crash is the one that tells, and the others are counted.
import { withoutEnd } from '#app/text.ts'
import type { Clock } from '#main/base/clock.ts'

export type OutputListener = (source: 'stderr' | 'stdout', line: string, droppedBefore: number) => void

export interface Output {
  add(line: Buffer): void
  /** Passes on what is held back, at the end of the stream. */
  flush(): void
}

const windowMs = 100

export function createOutput(options: {
  readonly burst: number
  readonly maxLine: number
  readonly clock: Clock
  readonly onLine: (line: string, droppedBefore: number) => void
}): Output {
  let inWindow = 0
  let dropped = 0
  let last: Buffer | undefined
  let cancelWindow: (() => void) | undefined

  const passOn = (line: Buffer): void => {
    const before = dropped
    dropped = 0
    options.onLine(excerpt(line, options.maxLine), before)
  }

  const flush = (): void => {
    cancelWindow?.()
    cancelWindow = undefined
    inWindow = 0
    const line = last
    last = undefined
    if (line) passOn(line)
  }

  return {
    add(line) {
      cancelWindow ??= options.clock.after(windowMs, flush)
      inWindow += 1
      if (inWindow <= options.burst) {
        passOn(line)
        return
      }
      if (last) dropped += 1
      last = line
    },
    flush,
  }
}

/** The beginning of a line as text; an ellipsis where it was cut. */
export function excerpt(line: Buffer, max: number): string {
  const text = withoutEnd(line.toString('utf8', 0, Math.min(line.length, max)), '\r')
  return line.length > max ? `${text.replace(/\uFFFD{1,3}$/, '')}…` : text
}
