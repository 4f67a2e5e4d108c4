import { expect, it } from 'vitest'
import { type Block, type BlockRun, growBlocks, growRuns } from './block-pieces.ts'

it('keeps every run but the last the same object while text is added', () => {
  let blocks: readonly Block[] = []
  let runs: readonly BlockRun[] = []
  let text = ''
  const grow = (more: string): void => {
    text += more
    blocks = growBlocks(blocks, text)
    runs = growRuns(runs, blocks)
  }
  for (let index = 0; index < 40; index++) grow(`paragraph ${index}\n\n`)
  const before = runs
  grow('one more')
  expect(runs.flat()).toEqual(blocks)
  expect(runs.map((run, index) => run === before[index])).toEqual([true, true, false])
})
