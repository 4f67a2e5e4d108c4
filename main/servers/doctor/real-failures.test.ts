// What real servers wrote when they did not start, and what the doctor makes of it. The outputs are verbatim
// (`real-failures.json`): packages of the npm registry, most of them named in the lists of servers that people use.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { createRecorder } from '../process/start-recorder.ts'
import { linuxFacts, made, stdio } from './doctor.testing.ts'
import { diagnose } from './doctor.ts'
import corpus from './real-failures.json' with { type: 'json' }

const run = z.object({
  package: z.string(),
  version: z.string(),
  node: z.string(),
  /** null: it ran on, and never answered. */
  exit: z.number().nullable(),
  stderr: z.array(z.string()),
  stdout: z.array(z.string()),
  expected: z.object({
    code: z.string(),
    /** Every variable that it misses. */
    names: z.array(z.string()),
    /** One of them is enough, or there is another way. */
    either: z.boolean().optional(),
    /** Of its own sentence, which must be the one that is shown. */
    words: z.array(z.string()),
  }),
})
const runs = z.array(run).parse(corpus.runs)

const diagnosed = ({ package: name, exit, stderr, stdout }: z.infer<typeof run>) => {
  const recorder = createRecorder(manualClock())
  recorder.begin(`npx -y ${name}`)
  // What is JSON-RPC is read as a message, whatever it says.
  for (const line of stdout.filter((each) => !each.includes('"jsonrpc"'))) recorder.wrote('stdout', line)
  for (const line of stderr) recorder.wrote('stderr', line)
  if (exit !== null) recorder.exited({ code: exit, signal: null })
  const code = exit === null ? 'server.start-timeout' : 'server.exited'
  return diagnose(made(code, {}, { definition: stdio('npx', ['-y', name]), trace: recorder.trace(), facts: linuxFacts }))
}

it.each(runs.map((one) => [`${one.package}@${one.version} under Node ${one.node}`, one] as const))('%s', (_title, one) => {
  const { code, short, message, why, remedy } = diagnosed(one)
  const { expected } = one
  expect({ code, why }).toMatchObject({ code: expected.code })
  for (const word of expected.words) expect(why).toContain(word)
  for (const name of expected.names) expect(`${message} ${remedy}`).toContain(name)
  if (expected.code === 'variable-required')
    expect(/\bor\b|either|another way/.test(`${short} ${message} ${remedy}`)).toBe(expected.either === true)
  expect(why).not.toMatch(/Node\.js v\d|“[\s\]})^]*”|“\s*at |“[Uu]sage|^$/)
})
