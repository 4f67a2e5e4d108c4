import type { Block } from './blocks.ts'

/** Blocks that are rendered together, so that a long answer costs React and the layout a few runs, not every block. */
export type Run = readonly Block[]

const blocksPerRun = 16

/** Runs whose blocks are the same objects as before keep their identity. */
export function growRuns(before: readonly Run[], blocks: readonly Block[]): readonly Run[] {
  const runs: Run[] = []
  for (let at = 0; at < blocks.length; at += blocksPerRun) {
    const old = before[runs.length]
    const size = Math.min(blocksPerRun, blocks.length - at)
    // Only the end of a text changes, so looking from the end finds a difference at once.
    let same = old?.length === size
    for (let index = size - 1; same && index >= 0; index--) same = old?.[index] === blocks[at + index]
    runs.push(same && old ? old : blocks.slice(at, at + size))
  }
  return runs
}
