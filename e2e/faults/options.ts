import { parseArgs } from 'node:util'

export interface RunOptions {
  /** Of each end of a process tree; of each fault on the wire, a fortieth. */
  readonly reps: number
  readonly seed: number
  /** Repetitions under way at once. */
  readonly parallel: number
  /** A few of each, side by side, with short times to end in: for what passes and fails, not for the figures. */
  readonly quick: boolean
  /** Only rows whose group has this in its name. */
  readonly only: string
  /** Where the outcome is written as JSON. */
  readonly report: string | undefined
  /** A folder for what Node makes of our sources, so that a host starts sooner. */
  readonly cache: string
}

export const usage = `npm run faults [-- OPTION…]: every fault that is promised to be withstood, a row each

  --reps N       repetitions of each end of a process tree (200; with --quick 2); of a fault on the wire, a fortieth
  --seed N       of the moments that are drawn (1)
  --parallel N   repetitions under way at once (8)
  --only WORD    only faults whose group has this in its name
  --quick        a few of each, side by side: for what passes and fails, not for the figures
  --report FILE  writes the outcome there as JSON
  --help
`

/** `help`: nothing is to be run. Throws when an option is none. */
export function parseOptions(args: readonly string[], cache: string): RunOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      reps: { type: 'string' },
      seed: { type: 'string', default: '1' },
      parallel: { type: 'string', default: '8' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      report: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const whole = (name: string, text: string): number => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes a whole number, from 1`)
    return number
  }
  return {
    reps: whole('reps', values.reps ?? (values.quick ? '2' : '200')),
    seed: whole('seed', values.seed),
    parallel: whole('parallel', values.parallel),
    quick: values.quick,
    only: values.only,
    report: values.report,
    cache,
  }
}
