// Where an attack takes place: a whole host with an obedient model before it and puppets behind it, and all that happened
// outside the host as words: what servers ran and were told, what was fetched and opened, what the model was asked.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#app/json.ts'
import { setTrap } from '../fixtures/trap.ts'
import type { RawStdio, Wire } from '../servers/raw/relayed.ts'
import { type ObedientHost, type ObedientHostOptions, startObedientHost } from './obedient-host.ts'
import { entryOf, type Part, startPuppet } from './puppet.ts'

/** What an attack's servers may use. */
export interface Place {
  /** An address that nobody may fetch; whoever does is seen. */
  readonly lure: string
  /** Of the attack alone, empty. */
  readonly folder: string
}

export interface Stage extends Place, Omit<ObedientHost, 'remove'> {
  /** All that ever happened outside, in order. */
  readonly effects: string[]
  /** Of the process that was started last. */
  wire(server: string): Wire
}

export type Cast = Readonly<Record<string, Part>>

export interface StageOptions extends Pick<ObedientHostOptions, 'launches' | 'clock' | 'launchBuiltin'> {
  /** The entry of each of them, where it has more than a command. */
  readonly more?: Readonly<Record<string, JsonObject>>
  /** Entries of servers that are no puppets. */
  readonly others?: Readonly<Record<string, JsonObject>>
  /** Which are started first; default: all. */
  readonly starts?: readonly string[]
}

/** As the person does, by the switch. */
export async function trust({ host }: Pick<Stage, 'host'>, name: string): Promise<void> {
  const definition = host.snapshot().servers.find((server) => server.name === name)?.definition
  if (definition) await host.request('server.save', { name, definition: { ...definition, trusted: true } })
}

/** SHA-256 of a file, as the check of a backup tells it. */
export const fileDigest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Waits until it holds; throws with what it was when it does not come to it. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not come to this: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function onStage(
  cast: (place: Place) => Cast,
  play: (stage: Stage) => Promise<readonly string[]>,
  { more, others, starts, ...options }: StageOptions = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-attack-'))
  const effects: string[] = []
  const trap = await setTrap((path) => effects.push(`fetched ${path}`))
  const { lure } = trap
  const puppets = new Map<string, RawStdio>()
  for (const [name, part] of Object.entries(cast({ lure, folder })))
    puppets.set(name, await startPuppet(name, part, (effect) => effects.push(effect)))
  const entries = Object.fromEntries([...puppets].map(([name, puppet]) => [name, { ...entryOf(puppet), ...more?.[name] }]))
  const obedient = await startObedientHost({ servers: { ...entries, ...others }, env: { HOME: folder }, ...options })
  const { host } = obedient
  const wrong: string[] = []
  try {
    await Promise.all((starts ?? Object.keys(entries)).map((name) => host.request('server.start', { name })))
    const stage: Stage = {
      ...obedient,
      lure,
      folder,
      effects,
      wire(server) {
        const puppet = puppets.get(server)
        if (!puppet) throw new Error(`there is no ${server}`)
        return puppet.wire
      },
    }
    wrong.push(...(await play(stage)))
    if (host.context.store.audit.verify() !== undefined) wrong.push('the record does not verify')
    const leaked = effects.filter((effect) => effect.startsWith('fetched '))
    if (leaked.length > 0) wrong.push(`egress: ${leaked.join(', ')}`)
  } finally {
    await obedient.remove()
    await Promise.all([...puppets.values()].map((puppet) => puppet.close()))
    await trap.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return wrong
}
