// Servers of other programs, by program and file: what is new, what is here, and where one is another than the one here.
import { useMemo } from 'react'
import type { LaunchTarget } from '#app/consent/request.ts'
import { commandLine } from '#app/server/command-line.ts'
import { hostNames } from '#app/server/import/host-names.ts'
import type { TakeoverFile, TakeoverHost } from '#app/server/takeover.ts'
import { t } from '#app/words/translate.ts'
import { ChangedParts } from '#renderer/features/consent/diff-view.tsx'
import { launchDiff } from '#renderer/features/consent/launch-diff.ts'
import { AlikeBadge, Notes, Problems } from '#renderer/features/servers/reading-notes.tsx'
import { keptWords, useSecretKeeper } from '#renderer/features/servers/secret-words.ts'
import { Checkbox, Segmented } from '#renderer/ui/choices.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { Badge, ServerMark } from '#renderer/ui/marks.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import type { RowChange, TakeoverRow, Way } from './takeover-choice.ts'

interface ListProps {
  readonly hosts: readonly TakeoverHost[]
  readonly rows: readonly TakeoverRow[]
  readonly onChange: (id: string, change: RowChange) => void
}

export function TakeoverList({ hosts, rows, onChange }: ListProps) {
  return hosts.map(({ host, files }) => (
    <section key={host} className="sec" aria-label={hostNames()[host]}>
      <h3 className="label">{hostNames()[host]}</h3>
      {files.map((file) => (
        <FileOf key={file.path} file={file} rows={rows} onChange={onChange} />
      ))}
    </section>
  ))
}

function FileOf({ file, rows, onChange }: Omit<ListProps, 'hosts'> & { readonly file: TakeoverFile }) {
  const ids = new Set(file.servers.map(({ id }) => id))
  return (
    <>
      <p className="help mono wrap-any">
        <Revealed text={file.path} />
      </p>
      <Problems problems={file.problems} />
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

function Row({ row, onChange }: { readonly row: TakeoverRow; readonly onChange: (change: RowChange) => void }) {
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
              <Revealed text={t`Take over “${server.name}”`} />
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
              <Revealed text={server.name} />
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
              <Revealed text={project} />
            </span>
          )}
        </div>
        <p className="help mono wrap-any">
          <Revealed text={commandLine(definition)} />
        </p>
        {secrets.length === 0 || known !== undefined ? null : (
          <p className="help row">
            <Icon name="lock" small />
            {secrets.length === 1 ? t`1 secret` : t`${secrets.length} secrets`} {keptWords(keeper)}
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
        {known === undefined ? <Notes problems={problems} /> : null}
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
