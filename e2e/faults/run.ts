// `npm run faults [-- --reps N --seed N --parallel N --only WORD --quick]`: every fault that we promise to withstand, on real
// processes. Prints a row a fault with its figures, and closes with `N passed, M failed`. A row fails on what does not hang
// on how busy the machine is: an orphan, a lost call, an untrue word, another server that does not answer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseOptions, type RunOptions } from './options.ts'
import { heading, type Row, rowText } from './row.ts'
import { closes, kills, quits, reaps } from './trees.ts'
import { wireGroups } from './wire.ts'

interface Group {
  readonly name: string
  run(): Promise<Row[]>
}

const groupsOf = (options: RunOptions): readonly Group[] => [
  { name: 'host kill -9', run: () => kills(options) },
  { name: 'host and guard kill -9, next start', run: () => reaps(options) },
  { name: 'graceful close', run: () => closes(options) },
  // In the quick half nothing is by itself.
  ...(options.quick ? [] : [{ name: 'quit by itself', run: () => quits(options) }]),
  ...wireGroups(options),
]

const cache = mkdtempSync(join(tmpdir(), 'assent-fault-cache-'))
let passed = 0
let failed = 0
let skipped = 0
try {
  const options = parseOptions(process.argv.slice(2), cache)
  const groups = groupsOf(options)
  if (process.platform !== 'linux') {
    skipped = groups.length
    process.stdout.write('Only Linux shows by whom a process was started: nothing was run here.\n')
  } else {
    process.stdout.write(`seed ${options.seed}, ${options.reps} repetitions\n${heading}`)
    const queue = groups.filter(({ name }) => name.includes(options.only))
    const work = async (): Promise<void> => {
      for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
        for (const row of await group.run()) {
          if (row.wrong.length === 0) passed += 1
          else failed += 1
          process.stdout.write(rowText(row))
        }
      }
    }
    // Figures mean something only when one fault at a time is measured.
    await Promise.all(Array.from({ length: options.quick ? 4 : 1 }, work))
  }
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify({ passed, failed, skipped }))
} finally {
  rmSync(cache, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
