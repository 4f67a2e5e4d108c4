// Rows of servers that can be added, each with its name to edit, its command and notes on it; and the list of servers of other
// applications, by application and file: which are new, which are here, and which differ from the one here.

import { Fragment, type ReactNode, useMemo } from 'react'
import type { AppImportChoice, AppImportHost, AppImportServer } from '#app/consent/config-import.ts'
import type { LaunchTarget } from '#app/consent/request.ts'
import { formatList } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import type { ConfigProblem, ServerDefinition } from '#app/server/definition.ts'
import { type HostId, hostNames } from '#app/server/import/app-names.ts'
import { nameProblem, unfilledProblem } from '#app/server/import/review-candidate.ts'
import { alikeAmong, freeName } from '#app/text/look-alike.ts'
import { launchDiff } from '#renderer/features/consent/launch/launch-diff.ts'
import { ChangedParts } from '#renderer/features/consent/tool-call/diff-view.tsx'
import { Checkbox, FieldError, Segmented, TextInput } from '#renderer/ui/field.tsx'
import { Badge, Icon, ServerMark } from '#renderer/ui/icon.tsx'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import type { CandidateEntry } from '../candidate-list.ts'

type Way = 'add' | 'replace'

interface ImportRow extends Pick<CandidateEntry, 'name' | 'chosen' | 'alike' | 'error'> {
  readonly server: AppImportServer
  readonly host: HostId
  readonly way: Way
  /** Why it cannot be chosen: it is here, or stands in the list already. */
  readonly known: string | undefined
}
export type RowChange = Partial<Pick<ImportRow, 'chosen' | 'way' | 'name'>>

/** Rows for the servers that were found. `changes`: the person's changes, by id. */
export function importRows(hosts: readonly AppImportHost[], here: readonly string[], changes: ReadonlyMap<string, RowChange>): ImportRow[] {
  const found = hosts.flatMap(({ host, files }) => files.flatMap(({ servers }) => servers.map((server) => ({ host, server }))))
  const used = [...here]
  const first = new Map<string, HostId>()
  const rows = found.map(({ host, server }): ImportRow => {
    const change = changes.get(server.id) ?? {}
    const identity = `${server.name} ${JSON.stringify(server.definition)}`
    const twin = first.get(identity)
    const known = server.state.kind === 'same' || twin ? t`here already` : undefined
    if (!known) first.set(identity, host)
    const way = server.state.kind === 'different' ? (change.way ?? 'add') : 'add'
    const name = way === 'replace' ? server.name : (change.name ?? (known ? server.name : freeName(server.name, used)))
    if (!known && way === 'add') used.push(name)
    const alike = known ? [] : alikeAmong(name, here).filter((other) => other !== server.name)
    // A server that would take another's name or place, or looks like another, is not chosen by itself.
    const chosen =
      !known &&
      (change.chosen ??
        (server.state.kind === 'new' &&
          unfilledProblem(server.definition) === undefined &&
          alikeAmong(server.name, here).length === 0 &&
          server.definition.enabled))
    return { server, host, chosen, way, name, known, alike, error: undefined }
  })
  return rows.map((row) => ({ ...row, error: row.chosen ? nameError(row, rows, here) : undefined }))
}

function nameError({ server, way, name }: ImportRow, rows: readonly ImportRow[], here: readonly string[]): string | undefined {
  const problem = nameProblem(name, way === 'add' ? here : []) ?? unfilledProblem(server.definition)
  if (problem !== undefined) return problem
  const twice = rows.some((other) => other.chosen && other.server.id !== server.id && other.name === name)
  return twice ? t`“${name}” appears twice.` : undefined
}

export const chosenImports = (rows: readonly ImportRow[]): AppImportChoice[] =>
  rows.filter(({ chosen }) => chosen).map(({ server, name, way }) => ({ id: server.id, name, replace: way === 'replace' }))

interface FoundServersProps extends Pick<ListProps, 'onChange'> {
  readonly rows: readonly ImportRow[]
}

/** Lines of servers: name, command, what it lacks before it can start, and the application that has it. */
export const FoundServers = ({ rows, onChange }: FoundServersProps) => (
  <ul className="found">
    {rows.map(({ server: { id, definition, needs, name: found }, name, host, chosen }) => (
      <li key={id}>
        <Checkbox
          checked={chosen}
          disabled={unfilledProblem(definition) !== undefined}
          label={<VisibleText className="sr" text={t`Import ${`“${found}”`}`} />}
          onChange={(next) => onChange(id, { chosen: next })}
        />
        <ServerMark name={found} />
        <VisibleText as="b" className="cut" text={name} />
        <VisibleText className="mono cut" text={commandLine(definition)} />
        <span className="help">
          {needs.length === 0 ? t`ready` : <VisibleText className="warntext" text={needLabel(needs)} />} · {hostNames()[host]}
        </span>
      </li>
    ))}
  </ul>
)

const needLabel = (needs: AppImportServer['needs']): string =>
  t`needs ${formatList(needs.map((one) => (one.kind === 'program' ? one.name : one.kind === 'key' ? t`a key` : t`a value`)))}`

interface ListProps {
  readonly hosts: readonly AppImportHost[]
  readonly rows: readonly ImportRow[]
  readonly onChange: (id: string, change: RowChange) => void
}

/** Servers that are not part of the review, or cannot be as they are, and notes on those that are, by application and file. */
export function ImportList({ hosts, rows, onChange }: ListProps) {
  const byId = new Map(rows.map((row) => [row.server.id, row]))
  return hosts.map(({ host, files }) => {
    const left = files
      .map(({ path, problems, servers }) => ({
        path,
        problems,
        notes: servers.flatMap(({ id, problems: notes }) => (byId.get(id)?.chosen ? notes : [])),
        rows: servers.flatMap(({ id }) => {
          const row = byId.get(id)
          return row && (!row.chosen || row.error !== undefined) ? [row] : []
        }),
      }))
      .filter((file) => file.rows.length + file.problems.length + file.notes.length > 0)
    if (left.length === 0) return null
    return (
      <section key={host} className="sec" aria-label={hostNames()[host]}>
        <h3 className="label">{hostNames()[host]}</h3>
        {left.map((file) => (
          <Fragment key={file.path}>
            <VisibleText as="p" className="help mono wrap-any" text={file.path} />
            <ImportProblems problems={file.problems} />
            <ImportProblems problems={file.notes} quiet />
            <ul className="lines">
              {file.rows.map((row) => (
                <Row key={row.server.id} row={row} onChange={(change) => onChange(row.server.id, change)} />
              ))}
            </ul>
          </Fragment>
        ))}
      </section>
    )
  })
}

/** Server that can be added to the review; `known`: it cannot. */
function Row({ row, onChange }: { readonly row: ImportRow; readonly onChange: (change: RowChange) => void }) {
  const { server, way, known } = row
  const { definition, state } = server
  const conflict = state.kind === 'different'
  const edits = known === undefined && way === 'add'
  return (
    <CandidateRow
      definition={definition}
      choice={
        known === undefined ? (
          <Checkbox
            checked={row.chosen}
            label={<VisibleText className="sr" text={t`Import ${`“${server.name}”`}`} />}
            onChange={(next) => onChange({ chosen: next })}
          />
        ) : (
          <Icon name="check" small />
        )
      }
      mark={server.name}
      name={edits ? row.name : server.name}
      nameLabel={t`Name of “${server.name}”`}
      onName={edits ? (name) => onChange({ name }) : undefined}
      badge={known === undefined ? state.kind === 'new' && <Badge tone="ink">{t`new`}</Badge> : <span className="help">{known}</span>}
      alike={row.alike}
      project={server.project}
      error={row.error}
      notes={known === undefined ? server.problems : []}
    >
      {conflict && known === undefined ? <Conflict row={row} here={state.here} onWay={(next) => onChange({ way: next })} /> : null}
    </CandidateRow>
  )
}

interface ConflictProps {
  readonly row: ImportRow
  readonly here: LaunchTarget | undefined
  readonly onWay: (way: Way) => void
}

function Conflict({ row: { server, way }, here, onWay }: ConflictProps) {
  const { target } = server
  const changed = useMemo(() => (here && target ? launchDiff(here, target).changed : []), [here, target])
  return (
    <div className="stack">
      <p className="help warntext">{t`Another server has that name.`}</p>
      <ChangedParts parts={changed} />
      <Segmented<Way>
        label={t`Action for “${server.name}”`}
        value={way}
        onChange={onWay}
        choices={[
          { value: 'add', label: t`Under a new name` },
          { value: 'replace', label: t`Replace` },
        ]}
      />
    </div>
  )
}

interface ImportProblemsProps {
  readonly problems: readonly ConfigProblem[]
  /** Notes on a server that can be used; else the problems left something out. */
  readonly quiet?: boolean
}

export const ImportProblems = ({ problems, quiet = false }: ImportProblemsProps) =>
  problems.map((problem) => (
    <div key={`${problem.line} ${problem.server} ${problem.message}`} className={cx(quiet ? 'help row read-note' : 'err')}>
      <Icon name={quiet ? 'info' : 'warning'} small />
      <span>
        {problem.line === undefined ? (
          <VisibleText text={problem.message} />
        ) : (
          tx`Line ${problem.line}: ${<VisibleText text={problem.message} />}`
        )}{' '}
        <VisibleText className="dim" text={problem.remedy} />
      </span>
    </div>
  ))

interface CandidateRowProps {
  readonly definition: ServerDefinition
  /** Control at the left edge, for choosing the server. */
  readonly choice: ReactNode
  readonly mark: string
  readonly name: string
  readonly nameLabel: string
  /** Undefined: the name cannot be edited. */
  readonly onName: ((name: string) => void) | undefined
  readonly badge: ReactNode
  readonly alike: readonly string[]
  readonly more?: ReactNode
  /** Folder of the project that the server was configured for. */
  readonly project: string | undefined
  readonly error: string | undefined
  readonly notes: readonly ConfigProblem[]
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function CandidateRow({ definition, name, nameLabel, onName, alike, error, ...row }: CandidateRowProps) {
  return (
    <li className="pasted">
      {row.choice}
      <ServerMark name={row.mark} />
      <div className="grow">
        <div className="row wrap">
          {onName ? (
            <>
              <TextInput
                aria-label={nameLabel}
                aria-invalid={error === undefined ? undefined : true}
                className="bare-name"
                value={name}
                size={Math.max(6, name.length)}
                onChange={({ target }) => onName(target.value)}
              />
              <Icon name="edit" small />
            </>
          ) : (
            <VisibleText as="b" text={name} />
          )}
          {row.badge}
          {alike.length === 0 ? null : (
            <Badge tone="warn">
              <VisibleText text={t`looks like ${alike.map((other) => `“${other}”`).join(', ')}`} />
            </Badge>
          )}
          {row.more}
          <VisibleText className="help mono wrap-any" text={row.project} />
        </div>
        <VisibleText as="p" className="help mono wrap-any" text={commandLine(definition)} />
        {row.children}
        {error === undefined ? null : <FieldError>{error}</FieldError>}
        <ImportProblems problems={row.notes} quiet />
      </div>
      {row.action}
    </li>
  )
}
