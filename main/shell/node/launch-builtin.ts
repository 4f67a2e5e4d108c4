import { dirname } from 'node:path'
import { systemClock } from '#main/base/clock.ts'
import type { BuiltinLauncher } from '#main/servers/launch.ts'
import { launchStdio } from '#main/servers/stdio/process.ts'
import { demoServerEntry } from './places.ts'

/** What a Node child needs of our environment, and what the tests tell the demo server. Nothing else of ours goes there. */
const passedOn = ['SystemRoot', 'TEMP', 'TMPDIR', 'LANG', 'ASSENT_DEMO_STEP_MS']

/** The servers that ship with Assent, as Node children on this very Node. */
export const launchBuiltin: BuiltinLauncher = (_module, env, care) => {
  const ours = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return launchStdio({
    command: process.execPath,
    args: [demoServerEntry],
    env: { ...Object.fromEntries(ours), ...env },
    cwd: dirname(demoServerEntry),
    clock: systemClock,
    ...(care ? { watches: care.watches } : {}),
    ...(care?.grace ? { limits: { grace: care.grace } } : {}),
  })
}
