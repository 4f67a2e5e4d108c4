// Servers that fail on the wire: each fault is brought about in a server that runs, or starts, while another one is called.
// Wrong is a call that does not end as it should, a page that would be told something untrue, and a call of the other
// server that is not answered.
import type { LogLine, ServerState } from '#app/server/server-state.ts'
import { faultGroups, type Outcome, since, unless } from './fault.ts'
import type { RunOptions } from './options.ts'
import { type Stage, stdioEntry } from './stage.ts'

/** A server of ours on stdio; `words`: its arguments. */
interface StdioFault {
  readonly fault: string
  readonly words?: readonly string[]
  act(stage: Stage): Promise<Outcome>
}

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

const quiet: StdioFault = {
  fault: 'nothing (for comparison)',
  async act(stage) {
    await stage.start()
    return { wrong: unless((await stage.call('echo', { word: 'well' })) === 'well', 'it did not answer') }
  },
}

/** It starts, dies, starts after 1 s, dies, starts after 2 s, dies: then it waits for the person, whoever else needs it. */
const crashLoop: StdioFault = {
  fault: 'crash loop',
  words: ['dies'],
  async act(stage) {
    await stage.start().catch(() => undefined)
    await stage.until(() => stage.logged('stderr') === 3 && isLoop(stage.state()))
    const died = stage.lines('stderr').map(Number)
    const failures = stage.states.filter((state) => state.kind === 'failed')
    const starts = (): number => new Set(stage.states.map((state) => (state.kind === 'starting' ? state.since : 0))).size - 1
    const delays = failures.map(({ at, retryAt }) => (retryAt === undefined ? 'waits' : retryAt - at))
    const tail = failures.at(-1)?.error.data?.['stderr']
    const needed = await stage.fails('echo', { word: 'needed' })
    const startsBefore = starts()
    await stage.start().catch(() => undefined)
    return {
      detected: Math.max(...failures.map(({ at }, n) => at - (died[n] ?? 0))),
      lost: needed === 'server.crash-loop' ? 0 : 1,
      wrong: [
        ...unless(delays.join() === '1000,2000,waits', `its delays were ${delays.join(', ')}`),
        ...unless(startsBefore === 3, `it was started ${startsBefore} times`),
        ...unless(Array.isArray(tail) && tail.includes(String(died[2])), 'its last words are not told'),
        ...unless(needed === 'server.crash-loop', `a call of it ended as ${needed}`),
        ...unless(starts() === 4, 'the person could not start it again'),
      ],
    }
  },
}
const isLoop = (state: ServerState): boolean => state.kind === 'failed' && state.loop === true

const faultsOf = (quick: boolean): readonly StdioFault[] => [
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
      const code = await stage.fails('endless', { megabytes: quick ? 96 : 1024 })
      const at = Date.now()
      await stage.until(() => stage.logged('stderr') > 0)
      const detected = Math.max(0, at - Number(stage.lines('stderr')[0]))
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
  crashLoop,
  { fault: `${many(quick)} notifications`, act: floods('notify', 'message', countOf(quick)) },
  { fault: `a flood of stderr, ${many(quick)} lines`, act: floods('stderr', 'stderr', countOf(quick)) },
]

export const wireGroups = (options: RunOptions) =>
  faultGroups(
    'wire',
    faultsOf(options.quick).map(({ fault, words = [], act }) => ({ fault, open: () => ({ entry: stdioEntry(words), run: act }) })),
    options,
  )
