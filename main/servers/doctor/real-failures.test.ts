// What real servers wrote when they did not start, and what the doctor makes of it. `real-failures.json`: verbatim, packages of the npm
// registry, most of them named in the lists of servers that people use. `observed-failures.json`: shortened, from runs with wrong arguments
// and other switches, and from public issues; what each must be was written down before the doctor saw it.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createRecorder } from '../process/start-recorder.ts'
import { linuxFacts, made, stdio } from './doctor.testing.ts'
import { diagnose } from './doctor.ts'
import observed from './observed-failures.json' with { type: 'json' }
import corpus from './real-failures.json' with { type: 'json' }

const ended = {
  /** null: it ran on, and never answered. */
  exit: z.number().nullable(),
  stderr: z.array(z.string()),
  stdout: z.array(z.string()).default([]),
  expected: z.object({
    code: z.string(),
    /** Every variable, argument, module or program that its own sentence must name. */
    names: z.array(z.string()),
    /** One of them is enough, or there is another way. */
    either: z.boolean().optional(),
    /** Part of the server's own sentence, which must be the one that is shown. */
    words: z.array(z.string()),
    /** Address that is offered. */
    url: z.string().optional(),
  }),
}
const run = z.object({ package: z.string(), version: z.string(), node: z.string(), ...ended })
const observedRun = z.object({
  source: z.url().or(z.string().startsWith('npm: ')),
  command: z.array(z.string()).min(1),
  /** Variables that it was given. */
  env: z.array(z.string()).default([]),
  /** Held back: not looked at while the rules were written. */
  held: z.literal(true).optional(),
  ...ended,
})
const all = [
  ...z
    .array(run)
    .parse(corpus.runs)
    .map(({ package: name, version, node, ...rest }) => ({
      title: `${name}@${version} under Node ${node}`,
      command: ['npx', '-y', name],
      env: [],
      ...rest,
    })),
  ...z
    .array(observedRun)
    .parse(observed.runs)
    .map(({ source, held, ...rest }) => ({ title: `${held ? 'held back: ' : ''}${rest.command.join(' ')} (${source})`, ...rest })),
]

const diagnosed = ({ command: [command = '', ...args], env, exit, stderr, stdout }: (typeof all)[number]) => {
  const recorder = createRecorder(manualClock())
  recorder.begin([command, ...args].join(' '))
  // What is JSON-RPC is read as a message, whatever it says.
  for (const line of stdout.filter((each) => !each.includes('"jsonrpc"'))) recorder.wrote('stdout', line)
  for (const line of stderr) recorder.wrote('stderr', line)
  if (exit !== null) recorder.exited({ code: exit, signal: null })
  const code = exit === null ? 'server.start-timeout' : 'server.exited'
  const definition = { ...stdio(command, args), env: Object.fromEntries(env.map((name) => [name, 'given'])) }
  return diagnose(made(code, {}, { definition, trace: recorder.trace(), facts: linuxFacts }))
}

it.each(all.map((one) => [one.title, one] as const))('%s', (_title, one) => {
  const { code, short, message, why, remedy, actions } = diagnosed(one)
  const { expected } = one
  expect({ code, why }).toMatchObject({ code: expected.code })
  for (const word of expected.words) expect(why).toContain(word)
  for (const name of expected.names) expect(`${message} ${remedy}`).toContain(name)
  if (expected.code === 'variable-required')
    expect(/\bor\b|either|another way/.test(`${short} ${message} ${remedy}`)).toBe(expected.either === true)
  expect(actions.flatMap((action) => (action.kind === 'use-address' ? [action.url] : []))).toEqual(expected.url ? [expected.url] : [])
  expect(why).not.toMatch(/Node\.js v\d|“[\s\]})^]*”|“\s*at |“[Uu]sage/)
  if (expected.words.length > 0) expect(why).not.toBe('')
})
