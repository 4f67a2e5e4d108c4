// Servers that fail on the wire: each fault is brought about in a server that runs, or starts, while another one is called.
// Wrong is a call that does not end as it should, a page that would be told something untrue, and a call of the other
// server that is not answered.
import type { LogLine } from '#app/server/state.ts'
import type { RunOptions } from './options.ts'
import type { Row } from './row.ts'
import { onStage, type Stage } from './stage.ts'

interface Outcome {
  /** Milliseconds until it was noticed. */
  readonly detected?: number
  /** What was not as promised. */
  readonly wrong: readonly string[]
  /** Calls that came to no end, or to a wrong one. */
  readonly lost?: number
}

interface Fault {
  readonly fault: string
  readonly words?: readonly string[]
  act(stage: Stage): Promise<Outcome>
}

const since = (from: number): number => performance.now() - from
const unless = (holds: boolean, word: string): string[] => (holds ? [] : [word])

/** A call in whose course the server goes: its end is unknown, the state tells of it at once, and the next call is answered. */
async function goes(stage: Stage, begin: () => Promise<string>, makeItGo: () => Promise<void> | void): Promise<Outcome> {
  await stage.start()
  const pid = stage.pid()
  const call = begin()
  await makeItGo()
  const from = performance.now()
  const code = await call
  const detected = since(from)
  const told = stage.state().kind !== 'ready' || stage.pid() !== pid
  const next = await stage.call('echo', { word: 'again' }).catch((error: unknown) => String(error))
  const isUnknown = code === 'tool.outcome-unknown'
  return {
    detected,
    lost: isUnknown ? 0 : 1,
    wrong: [
      ...unless(isUnknown, `the call ended as ${code}`),
      ...unless(told, 'its state still said that it is ready'),
      ...unless(next === 'again', `the first call after the restart: ${next}`),
    ],
  }
}

/** A flood that comes before the answer of its call. */
const floods =
  (tool: string, source: LogLine['source'], count: number) =>
  async (stage: Stage): Promise<Outcome> => {
    await stage.start()
    const call = stage.fails(tool, { count })
    const detected = await stage.until(() => stage.logged(source) > 0)
    const code = await call
    return {
      detected,
      lost: code === 'answered' ? 0 : 1,
      wrong: [
        ...unless(code === 'answered', `the call behind the flood ended as ${code}`),
        ...unless(stage.state().kind === 'ready', `it is ${stage.state().kind} after the flood`),
      ],
    }
  }

const countOf = (quick: boolean): number => (quick ? 10_000 : 100_000)
const many = (quick: boolean): string => countOf(quick).toLocaleString('en')

/** Time that a call is given, in milliseconds. */
const limitMs = 1000

const quiet: Fault = {
  fault: 'nothing (for comparison)',
  async act(stage) {
    await stage.start()
    return { wrong: unless((await stage.call('echo', { word: 'well' })) === 'well', 'it did not answer') }
  },
}

const faultsOf = (quick: boolean): readonly Fault[] => [
  ...(quick ? [] : [quiet]),
  {
    fault: 'server exits',
    act: (stage) =>
      goes(
        stage,
        () => stage.fails('exit'),
        () => undefined,
      ),
  },
  {
    fault: 'server is killed',
    act: (stage) =>
      goes(
        stage,
        () => stage.fails('hang'),
        async () => {
          await stage.until(() => stage.logged('stderr') > 0)
          const pid = stage.pid()
          if (pid !== undefined) process.kill(pid, 'SIGKILL')
        },
      ),
  },
  {
    fault: 'server never answers (after its time)',
    async act(stage) {
      await stage.start()
      const from = performance.now()
      const code = await stage.fails('hang', {}, limitMs)
      const detected = since(from) - limitMs
      const next = await stage.fails('echo', { word: 'next' })
      return {
        detected,
        lost: code === 'tool.timeout' ? 0 : 1,
        wrong: [...unless(code === 'tool.timeout', `the call ended as ${code}`), ...unless(next === 'answered', `the next call: ${next}`)],
      }
    },
  },
  {
    fault: 'server starts slowly (until that is said)',
    words: ['slow=1500'],
    async act(stage) {
      const starting = stage.start()
      const detected = await stage.until(() => stage.state().kind === 'starting')
      await starting
      return { detected, wrong: unless(stage.state().kind === 'ready', `it is ${stage.state().kind} in the end`) }
    },
  },
  { fault: `garbage, ${many(quick)} lines`, act: floods('garbage', 'stdout', countOf(quick)) },
  {
    fault: 'half a line, then its end',
    act: (stage) =>
      goes(
        stage,
        () => stage.fails('half'),
        () => undefined,
      ),
  },
  {
    fault: `a line without end, ${quick ? '96 MB' : '1 GB'}`,
    async act(stage) {
      await stage.start()
      const from = performance.now()
      const code = await stage.fails('endless', { megabytes: quick ? 96 : 1024 })
      const detected = since(from)
      const next = await stage.fails('echo', { word: 'next' })
      return {
        detected,
        lost: code === 'server.too-large' ? 0 : 1,
        wrong: [
          ...unless(code === 'server.too-large', `the call ended as ${code}`),
          ...unless(next === 'answered', `the next call: ${next}`),
        ],
      }
    },
  },
  { fault: `${many(quick)} notifications`, act: floods('notify', 'message', countOf(quick)) },
  { fault: `a flood of stderr, ${many(quick)} lines`, act: floods('stderr', 'stderr', countOf(quick)) },
]

/** Each in a host of its own, one repetition after another. */
export const wireGroups = (options: RunOptions) =>
  faultsOf(options.quick).map(({ fault, words = [], act }) => ({
    name: `wire: ${fault}`,
    async run(): Promise<Row[]> {
      const reps = Math.max(1, Math.floor(options.reps / 40))
      const detected: number[] = []
      const peers: number[] = []
      const wrong: string[] = []
      let lost = 0
      let grown = 0
      for (let rep = 0; rep < reps; rep += 1) {
        try {
          const measured = await onStage(words, options.quick, async (stage) => {
            const outcome = await act(stage)
            if (outcome.detected !== undefined) detected.push(outcome.detected)
            wrong.push(...outcome.wrong)
            lost += outcome.lost ?? 0
          })
          peers.push(...measured.peers)
          grown = Math.max(grown, measured.grown)
          if (measured.unanswered > 0) wrong.push(`${measured.unanswered} calls of the other server were not answered`)
        } catch (error) {
          wrong.push(error instanceof Error ? error.message : String(error))
        }
      }
      // In the quick half all share one process.
      return [{ fault, reps, detected, lost, orphans: 0, peers, ...(options.quick ? {} : { grown }), wrong }]
    },
  }))
