// Indexes an older profile's messages once the first page is there: some milliseconds at a time, with as many between them for
// everything else.
import type { Clock } from '#main/base/clock.ts'
import type { SearchBuild } from '#main/store/search/build.ts'

const STEP_MS = 10

export interface BuildOptions {
  readonly build: SearchBuild
  readonly clock: Clock
  /** It goes on with the next start. */
  readonly onError: (error: unknown) => void
}

/** Returns its undo. */
export function keepBuilding({ build, clock, onError }: BuildOptions): () => void {
  let cancel: () => void = () => {}
  const step = (): void => {
    try {
      if (build.step(STEP_MS)) cancel = clock.after(STEP_MS, step)
    } catch (error) {
      onError(error)
    }
  }
  step()
  return () => cancel()
}
