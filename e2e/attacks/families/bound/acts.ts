// What several families of this folder do on a stage: rules, programs that leave a mark when they run, and rows that share a stage.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchRequest, ToolCallRequest } from '#app/consent/request.ts'
import type { RuleDraft } from '#app/consent/rules/rule.ts'
import type { JsonObject } from '#app/json.ts'
import type { Attack } from '../../attack.ts'
import type { Person } from '../../obedient-host.ts'
import { type Cast, onStage, type Stage } from '../../stage.ts'

export const saveRule = ({ host }: Stage, rule: Omit<RuleDraft, 'scope'>): Promise<unknown> =>
  host.request('rule.save', { rule: { ...rule, scope: { kind: 'always' } } })
export const callsIn = ({ asked }: Pick<Stage, 'asked'>): ToolCallRequest[] => asked.filter((one) => one.kind === 'tool-call')
/** Calls asked about in the last of at most three turns with this order: a busy computer may not follow a path in time, and asks. */
export async function askedAtLast(stage: Stage, order: string): Promise<number> {
  for (let left = 2; ; left -= 1) {
    const before = callsIn(stage).length
    await stage.turn(order)
    const asked = callsIn(stage).length - before
    if (asked === 0 || left === 0) return asked
  }
}
export const launchesIn = ({ asked }: Pick<Stage, 'asked'>): LaunchRequest[] => asked.filter((one) => one.kind === 'launch')
export const startOf = ({ host }: Stage, name: string): Promise<unknown> => host.request('server.start', { name }).catch(() => undefined)

export const fileOf = (entries: Readonly<Record<string, JsonObject>>, more: JsonObject = {}): string =>
  JSON.stringify({ ...more, mcpServers: entries })

/** A program that appends its name and arguments to `started`, and ends. */
export function marking(folder: string, name = 'program'): JsonObject {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> ${JSON.stringify(join(folder, 'started'))}\n`)
  chmodSync(file, 0o755)
  return { command: file, args: [] }
}
/** Runs since the last look, as `name arguments`. */
export function runsIn({ folder }: Pick<Stage, 'folder'>): string[] {
  const file = join(folder, 'started')
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n')
  } catch {
    return []
  } finally {
    rmSync(file, { force: true })
  }
}

interface Together<I> {
  readonly family: string
  readonly cast: Cast
  /** Before the first row; what is wrong with the control is wrong with each row. */
  lay(stage: Stage): Promise<readonly string[]>
  readonly rows: readonly (readonly [name: string, input: I])[]
  attempt(stage: Stage, input: I): Promise<readonly string[]>
  readonly launches?: Person
}
/** Rows that differ in one value, one after another on one stage: a host each would take most of the time. */
export function together<I>({ family, cast, lay, rows, attempt, launches }: Together<I>): Attack[] {
  const play = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const found = new Map<string, readonly string[]>()
    const wrong = await onStage(
      () => cast,
      async (stage) => {
        const control = await lay(stage)
        for (const [name, input] of rows) found.set(name, [...control, ...(await attempt(stage, input))])
        return []
      },
      launches ? { launches } : {},
    )
    if (wrong.length > 0) throw new Error(wrong.join('; '))
    return found
  }
  let all: ReturnType<typeof play> | undefined
  return rows.map(([name]) => ({
    family,
    name,
    async run() {
      all ??= play()
      return (await all).get(name) ?? ['it was not tried']
    },
  }))
}
