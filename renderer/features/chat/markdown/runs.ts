import type { Block } from './blocks.ts'
import { piecesOf, weightOf } from './pieces.ts'

/** Blocks that are rendered together, so that a long answer costs React and the layout a few runs, not every block. */
export type Run = readonly Block[]

const blocksPerRun = 16
/** A run that has come to this takes no more. */
const weightPerRun = 500

/** Runs whose blocks are the same objects as before keep their identity. */
export function growRuns(before: readonly Run[], blocks: readonly Block[]): readonly Run[] {
  const pieces = blocks.flatMap(piecesOf)
  const runs: Run[] = []
  for (let at = 0; at < pieces.length; ) {
    const old = before[runs.length]
    const size = sizeOfRun(pieces, at)
    // Only the end of a text changes, so looking from the end finds a difference at once.
    let same = old?.length === size
    for (let index = size - 1; same && index >= 0; index--) same = old?.[index] === pieces[at + index]
    runs.push(same && old ? old : pieces.slice(at, at + size))
    at += size
  }
  return runs
}

function sizeOfRun(pieces: readonly Block[], from: number): number {
  let weight = 0
  let size = 0
  for (; size < blocksPerRun && weight < weightPerRun; size += 1) {
    const piece = pieces[from + size]
    if (!piece) break
    weight += weightOf(piece)
  }
  return size
}

const weights = new WeakMap<Run, number>()
function weightOfRun(run: Run): number {
  const known = weights.get(run)
  if (known !== undefined) return known
  const made = run.reduce((sum, block) => sum + weightOf(block), 0)
  weights.set(run, made)
  return made
}

/** How many of the runs, from `from` on, come to no more than that; one at least. */
export function runsWithin(runs: readonly Run[], from: number, weight: number): number {
  let sum = 0
  let at = from
  for (; at < runs.length; at += 1) {
    const run = runs[at]
    sum += run ? weightOfRun(run) : 0
    if (sum > weight && at > from) break
  }
  return at
}
