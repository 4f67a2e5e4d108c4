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

it('keeps all but the last two runs of one long table while rows are added', () => {
  const row = '| a | cell | x |\n'
  const grown = (before: { blocks: readonly Block[]; runs: readonly BlockRun[] }, rows: number) => {
    const blocks = growBlocks(before.blocks, `| a | b | c |\n|-|-|-|\n${row.repeat(rows)}`)
    return { blocks, runs: growRuns(before.runs, blocks) }
  }
  const before = grown({ blocks: [], runs: [] }, 5000)
  const after = grown(before, 5200)
  expect(before.runs.length).toBeGreaterThan(10)
  expect(after.runs.filter((run, index) => run !== before.runs[index]).length).toBeLessThanOrEqual(
    after.runs.length - before.runs.length + 2,
  )
})
