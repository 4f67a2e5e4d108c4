// Servers of other programs, by program and file: what is new, what is here, and where one is another than the one here. What
// is to become of each server that was found in other programs: pure, as the list of the screen has it.

import { useMemo } from 'react'
import type { AppImportChoice, AppImportFile, AppImportHost, AppImportServer } from '#app/consent/config-import.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ServerDefinition } from '#app/server/definition.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { nameProblem } from '#app/server/import/review-candidate.ts'
import { freeName } from '#app/server/import/server-names.ts'
import { alikeAmong } from '#app/server/look-alike.ts'
import { launchDiff } from '#renderer/features/consent/launch/launch-diff.ts'
import { ChangedParts } from '#renderer/features/consent/tool-call/diff-view.tsx'
import { Badge, ServerMark } from '#renderer/ui/badges.tsx'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { AlikeBadge, ImportNotes, ImportProblems } from './import-notes.tsx'

type Way = 'add' | 'replace'

interface ImportRow {
  readonly server: AppImportServer
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
export type RowChange = Partial<Pick<ImportRow, 'chosen' | 'way' | 'name'>>

const sameText = (one: ServerDefinition): string => JSON.stringify(one)

/** `changes`: what the person set, by id. */
export function importRows(hosts: readonly AppImportHost[], here: readonly string[], changes: ReadonlyMap<string, RowChange>): ImportRow[] {
  const found = hosts.flatMap(({ host, files }) => files.flatMap(({ servers }) => servers.map((server) => ({ host, server }))))
  const used = [...here]
  const first = new Map<string, { readonly host: HostId; readonly server: AppImportServer }>()
  const rows = found.map(({ host, server }): ImportRow => {
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

function nameError({ server, way, name }: ImportRow, rows: readonly ImportRow[], here: readonly string[]): string | undefined {
  const problem = nameProblem(name, way === 'add' ? here : [])
  if (problem !== undefined) return problem
  const twice = rows.some((other) => other.chosen && other.server.id !== server.id && other.name === name)
  return twice ? t`Two of them would be named “${name}”.` : undefined
}

export const chosenImports = (rows: readonly ImportRow[]): AppImportChoice[] =>
  rows.filter(({ chosen }) => chosen).map(({ server, name, way }) => ({ id: server.id, name, replace: way === 'replace' }))

interface ListProps {
  readonly hosts: readonly AppImportHost[]
  readonly rows: readonly ImportRow[]
  readonly onChange: (id: string, change: RowChange) => void
}

export function ImportList({ hosts, rows, onChange }: ListProps) {
  return hosts.map(({ host, files }) => (
    <section key={host} className="sec" aria-label={hostNames()[host]}>
      <h3 className="label">{hostNames()[host]}</h3>
      {files.map((file) => (
        <FileOf key={file.path} file={file} rows={rows} onChange={onChange} />
      ))}
    </section>
  ))
}

function FileOf({ file, rows, onChange }: Omit<ListProps, 'hosts'> & { readonly file: AppImportFile }) {
  const ids = new Set(file.servers.map(({ id }) => id))
  return (
    <>
      <p className="help mono wrap-any">
        <VisibleText text={file.path} />
      </p>
      <ImportProblems problems={file.problems} />
      <ul className="lines">
        {rows
          .filter(({ server }) => ids.has(server.id))
          .map((row) => (
            <Row key={row.server.id} row={row} onChange={(change) => onChange(row.server.id, change)} />
          ))}
      </ul>
    </>
  )
}

const badges = { new: t`new`, same: t`here`, different: t`another` } as const

function Row({ row, onChange }: { readonly row: ImportRow; readonly onChange: (change: RowChange) => void }) {
  const { server, chosen, way, name, known, alike, error } = row
  const { definition, state, secrets, project, problems, target } = server
  const keeper = useSecretKeeper()
  const conflict = state.kind === 'different'
  return (
    <li className="pasted">
      {known === undefined ? (
        <Checkbox
          checked={chosen}
          label={
            <span className="sr">
              <VisibleText text={t`Take over “${server.name}”`} />
            </span>
          }
          onChange={(next) => onChange({ chosen: next })}
        />
      ) : (
        <Icon name="check" small />
      )}
      <ServerMark name={server.name} />
      <div className="grow">
        <div className="row wrap">
          {chosen && way === 'add' ? (
            <>
              <TextInput
                aria-label={t`Name of “${server.name}”`}
                aria-invalid={error === undefined ? undefined : true}
                className="bare-name"
                value={name}
                size={Math.max(6, name.length)}
                onChange={(event) => onChange({ name: event.target.value })}
              />
              <Icon name="edit" small />
            </>
          ) : (
            <b>
              <VisibleText text={server.name} />
            </b>
          )}
          {known === undefined ? (
            <Badge tone={conflict ? 'warn' : 'ink'}>{badges[state.kind]}</Badge>
          ) : (
            <span className="help">{known}</span>
          )}
          <AlikeBadge others={alike} />
          {definition.enabled ? null : <Badge>{t`switched off`}</Badge>}
          {project === undefined ? null : (
            <span className="help mono wrap-any">
              <VisibleText text={project} />
            </span>
          )}
        </div>
        <p className="help mono wrap-any">
          <VisibleText text={commandLine(definition)} />
        </p>
        {secrets.length === 0 || known !== undefined ? null : (
          <p className="help row">
            <Icon name="lock" small />
            {secrets.length === 1 ? t`1 secret` : t`${secrets.length} secrets`} {secretStorageLabel(keeper)}
          </p>
        )}
        {conflict && known === undefined ? (
          <Conflict
            name={server.name}
            way={way}
            chosen={chosen}
            here={state.here}
            target={target}
            onWay={(next) => onChange({ way: next })}
          />
        ) : null}
        {error === undefined ? null : <FieldError>{error}</FieldError>}
        {known === undefined ? <ImportNotes problems={problems} /> : null}
      </div>
    </li>
  )
}

interface ConflictProps {
  readonly name: string
  readonly way: Way
  readonly chosen: boolean
  readonly here: LaunchTarget | undefined
  readonly target: LaunchTarget | undefined
  readonly onWay: (way: Way) => void
}

function Conflict({ name, way, chosen, here, target, onWay }: ConflictProps) {
  const changed = useMemo(() => (here && target ? launchDiff(here, target).changed : []), [here, target])
  return (
    <div className="stack">
      <p className="help">{t`A server of that name is here, and is another.`}</p>
      <ChangedParts parts={changed} />
      {chosen ? (
        <Segmented<Way>
          label={t`What to do with “${name}”`}
          value={way}
          onChange={onWay}
          choices={[
            { value: 'add', label: t`Under a new name` },
            { value: 'replace', label: t`Replace it` },
          ]}
        />
      ) : null}
    </div>
  )
}
