// `npm run faults` (`-- --help` names its options): every fault that we promise to withstand, on real
// processes and sockets. Prints a row a fault with its figures, and closes with `N passed, M failed`. A row fails on an
// orphan, a lost call or message, an untrue word, another server that does not answer; and, but in the quick half, on a
// figure that is not as promised (`limits.ts`).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpGroups } from './http.ts'
import { missed } from './limits.ts'
import { midTurns } from './mid-turn.ts'
import { parseOptions, type RunOptions, usage } from './options.ts'
import { profileGroups } from './profile.ts'
import { heading, type Row, rowText } from './row.ts'
import { closes, kills, quits, reaps } from './trees.ts'
import { wireGroups } from './wire.ts'

interface Group {
  readonly name: string
  run(): Promise<Row[]>
}

const groupsOf = (options: RunOptions): readonly Group[] => [
  { name: 'host kill -9', run: () => kills(options) },
  { name: 'host kill -9 in mid-turn', run: () => midTurns(options) },
  { name: 'host and guard kill -9, next start', run: () => reaps(options) },
  { name: 'graceful close', run: () => closes(options) },
  // In the quick half nothing is by itself.
  ...(options.quick ? [] : [{ name: 'quit by itself', run: () => quits(options) }]),
  ...profileGroups(options),
  ...wireGroups(options),
  ...httpGroups(options),
]

/** The options, unless there is nothing to be run. */
function optionsOf(cache: string): RunOptions | undefined {
  try {
    const options = parseOptions(process.argv.slice(2), cache)
    if (options !== 'help') return options
    process.stdout.write(usage)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exitCode = 2
  }
  return undefined
}

const cache = mkdtempSync(join(tmpdir(), 'assent-fault-cache-'))
let passed = 0
let failed = 0
let skipped = 0

async function run(options: RunOptions): Promise<void> {
  const groups = groupsOf(options)
  if (process.platform !== 'linux') {
    skipped = groups.length
    process.stdout.write('Only Linux shows by whom a process was started: nothing was run here.\n')
  } else {
    process.stdout.write(`seed ${options.seed}, ${options.reps} repetitions\n${heading}`)
    const queue = groups.filter(({ name }) => name.includes(options.only))
    const work = async (): Promise<void> => {
      for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
        for (const measured of await group.run()) {
          const row = options.quick ? measured : { ...measured, wrong: [...measured.wrong, ...missed(measured)] }
          if (row.skipped !== undefined) skipped += 1
          else if (row.wrong.length === 0) passed += 1
          else failed += 1
          process.stdout.write(rowText(row))
        }
      }
    }
    // Figures mean something only when one fault at a time is measured.
    await Promise.all(Array.from({ length: options.quick ? 4 : 1 }, work))
  }
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify({ passed, failed, skipped }))
}

const options = optionsOf(cache)
try {
  if (options) await run(options)
} finally {
  rmSync(cache, { recursive: true, force: true })
}
if (options) {
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  process.exit(failed === 0 ? 0 : 1)
}
