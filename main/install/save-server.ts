// The one way in which a server is written: its secrets into the secret store, its entry into `servers.json`, a row into the audit
// log. Store and file change both or not at all, and nothing is started: the first start asks.
import { HostError } from '#app/errors.ts'
import type { Json } from '#app/json.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { unfilledProblem } from '#app/server/import/review-candidate.ts'
import { inputsIn } from '#app/server/inputs/variable-references.ts'
import type { ServerConfig } from '#main/servers/config/config-file.ts'
import { keepSecrets } from '#main/servers/config/inputs/extract-secrets.ts'
import type { Inputs } from '#main/servers/config/inputs/input-values.ts'
import { unmaskDefinition } from '#main/servers/config/mask-definition.ts'
import type { AuditStore } from '#main/store/store-api.ts'

export interface SaveContext {
  readonly config: ServerConfig
  readonly inputs: Inputs
  readonly audit: Pick<AuditStore, 'append'>
}

/**
 * Refuses a program or a host that only shows what belongs there, whatever page or command lets it pass. `previous`: its entry, which
 * may have been written so by hand.
 * @throws {HostError} `config.invalid`
 */
export function requireFilled(definition: ServerDefinition, previous?: ServerDefinition): void {
  const problem = unfilledProblem(definition)
  if (problem !== undefined && problem !== (previous && unfilledProblem(previous))) throw new HostError('config.invalid', problem)
}

interface ReviewedServer {
  readonly definition: ServerDefinition
  readonly keep: readonly string[]
  readonly entered?: Readonly<Record<string, string>> | undefined
}

interface PreparedServer {
  readonly definition: ServerDefinition
  readonly secrets: ReadonlyMap<string, string>
}

/**
 * Splits what the person confirmed into what goes into the file and what goes into the store. `previous`: the server that a mask
 * keeps its values from; undefined for text of others, which must not come by them.
 * @throws {HostError} `config.invalid` for a mask that stands for nothing.
 */
export function prepareServer(
  { inputs }: Pick<SaveContext, 'inputs'>,
  name: string,
  { definition, keep, entered = {} }: ReviewedServer,
  previous: ServerDefinition | undefined,
): PreparedServer {
  const split = keepSecrets(unmaskDefinition(name, definition, previous), keep, inputs.declared().keys())
  const used = new Set(inputsIn(split.definition))
  return { ...split, secrets: new Map([...Object.entries(entered).filter(([id]) => used.has(id)), ...split.secrets]) }
}

interface SaveRequest extends PreparedServer {
  readonly name: string
  readonly previousName?: string | undefined
  /** Keeps the values of the entry before: it may come back. */
  readonly keepsPrevious?: boolean
  /** Row of the audit log; absent: the caller writes it. */
  readonly record?: { readonly decision: string; readonly detail?: Readonly<Record<string, Json>> }
  /** Writes the file in another way than `config.save`. @throws {HostError} when it cannot, and changes nothing */
  readonly write?: (definition: ServerDefinition) => void | Promise<void>
}

/** Saves one server; returns the input ids whose values were kept. @throws {HostError} `secrets.unavailable`, `config.*`: nothing is changed then */
export async function saveServer({ config, inputs, audit }: SaveContext, request: SaveRequest): Promise<string[]> {
  const { name, previousName = name, definition, secrets, keepsPrevious, record, write } = request
  const before = config.definitions().get(previousName)
  const renamed = before !== undefined && previousName !== name
  const values = new Map<string, string>()
  if (renamed)
    for (const id of inputsIn(definition)) {
      const value = inputs.declared().has(id) ? undefined : await inputs.get(previousName, id)
      if (value !== undefined) values.set(id, value)
    }
  const undo = await inputs.setAll(name, new Map([...values, ...secrets]))
  try {
    if (write) await write(definition)
    else config.save(name, definition)
  } catch (error) {
    await undo()
    throw error
  }
  // Values that nothing names any more: no other server can read them, so a failure does no harm.
  if (before && !keepsPrevious) await inputs.prune(previousName, before, renamed ? undefined : definition).catch(() => undefined)
  const kept = [...secrets.keys()]
  if (record) {
    const detail = { ...record.detail, ...(kept.length > 0 ? { secrets: kept, kept: inputs.storeKind } : {}) }
    audit.append({ kind: 'config', server: name, decision: record.decision, by: 'person', detail })
  }
  return kept
}
