// What is to become of each server that was found in other programs: pure, as the list of the screen has it.
import { type ServerDefinition, serverName } from '#app/server/definition.ts'
import { type HostId, hostNames } from '#app/server/import/host-names.ts'
import { freeName } from '#app/server/import/names.ts'
import { alikeAmong } from '#app/server/look-alike.ts'
import type { TakeoverChoice, TakeoverHost, TakeoverServer } from '#app/server/takeover.ts'
import { t } from '#app/words/translate.ts'

export type Way = 'add' | 'replace'

export interface TakeoverRow {
  readonly server: TakeoverServer
  readonly host: HostId
  readonly chosen: boolean
  readonly way: Way
  readonly name: string
  /** Why it is not among those to be chosen: it is here, or stands in the list already. */
  readonly known: string | undefined
  /** Names of servers here that its own could be taken for. */
  readonly alike: readonly string[]
  /** Why it cannot be taken over as it stands. */
  readonly error: string | undefined
}
export type RowChange = Partial<Pick<TakeoverRow, 'chosen' | 'way' | 'name'>>

const sameText = (one: ServerDefinition): string => JSON.stringify(one)

/** `changes`: what the person set, by id. */
export function takeoverRows(
  hosts: readonly TakeoverHost[],
  here: readonly string[],
  changes: ReadonlyMap<string, RowChange>,
): TakeoverRow[] {
  const found = hosts.flatMap(({ host, files }) => files.flatMap(({ servers }) => servers.map((server) => ({ host, server }))))
  const used = [...here]
  const first = new Map<string, { readonly host: HostId; readonly server: TakeoverServer }>()
  const rows = found.map(({ host, server }): TakeoverRow => {
    const change = changes.get(server.id) ?? {}
    const twin = first.get(`${server.name} ${sameText(server.definition)}`)
    const known =
      server.state.kind === 'same'
        ? server.state.as === server.name
          ? t`here already`
          : t`here already, as ${server.state.as}`
        : twin && t`the same as that of ${hostNames()[twin.host]}`
    if (!known) first.set(`${server.name} ${sameText(server.definition)}`, { host, server })
    const way = server.state.kind === 'different' ? (change.way ?? 'add') : 'add'
    const name = way === 'replace' ? server.name : (change.name ?? (known ? server.name : freeName(server.name, used)))
    if (!known && way === 'add') used.push(name)
    const alike = known ? [] : alikeAmong(name, here).filter((other) => other !== server.name)
    // What would take another's name or place, or could be taken for another, waits for the person's word.
    const chosen =
      !known && (change.chosen ?? (server.state.kind === 'new' && alikeAmong(server.name, here).length === 0 && server.definition.enabled))
    return { server, host, chosen, way, name, known, alike, error: undefined }
  })
  return rows.map((row) => ({ ...row, error: row.chosen ? nameError(row, rows, here) : undefined }))
}

function nameError({ server, way, name }: TakeoverRow, rows: readonly TakeoverRow[], here: readonly string[]): string | undefined {
  if (!serverName.safeParse(name).success) return t`Give it a name of at most 64 characters.`
  if (way === 'add' && here.includes(name)) return t`There is a server named “${name}” already.`
  const twice = rows.some((other) => other.chosen && other.server.id !== server.id && other.name === name)
  return twice ? t`Two of them would be named “${name}”.` : undefined
}

export const choicesOf = (rows: readonly TakeoverRow[]): TakeoverChoice[] =>
  rows.filter(({ chosen }) => chosen).map(({ server, name, way }) => ({ id: server.id, name, replace: way === 'replace' }))
