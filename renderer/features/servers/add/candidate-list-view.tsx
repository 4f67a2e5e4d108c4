// The servers that were understood, each with what is to become of it.

import { t } from '#app/i18n/translate.ts'
import { commandLine } from '#app/server/command-line.ts'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import { Badge, ServerMark } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import type { CandidateEntry, EntryChange } from '../candidate-list.ts'
import { AlikeBadge, ImportNotes } from '../import/import-notes.tsx'

interface FoundListProps {
  readonly entries: readonly CandidateEntry[]
  readonly onChange: (index: number, change: EntryChange) => void
  readonly onSetUp: (index: number) => void
}

export function CandidateListView({ entries, onChange, onSetUp }: FoundListProps) {
  return (
    <ul className="lines">
      {entries.map((entry, index) => (
        <FoundRow
          // biome-ignore lint/suspicious/noArrayIndexKey: the name can be edited, so the place is what stays.
          key={index}
          entry={entry}
          only={entries.length === 1}
          onChange={(change) => onChange(index, change)}
          onSetUp={() => onSetUp(index)}
        />
      ))}
    </ul>
  )
}

interface FoundRowProps {
  readonly entry: CandidateEntry
  readonly only: boolean
  readonly onChange: (change: EntryChange) => void
  readonly onSetUp: () => void
}

function FoundRow({ entry, only, onChange, onSetUp }: FoundRowProps) {
  const { name, definition, chosen, error, found, missing, alike } = entry
  return (
    <li className="pasted">
      {only ? null : (
        <Checkbox
          checked={chosen}
          label={<span className="sr">{tx`Add ${<ServerName name={name} />}`}</span>}
          onChange={(next) => onChange({ chosen: next })}
        />
      )}
      <ServerMark name={name} />
      <div className="grow">
        <div className="row wrap">
          <TextInput
            aria-label={t`Name`}
            aria-invalid={error === undefined ? undefined : true}
            className="bare-name"
            value={name}
            size={Math.max(6, name.length)}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <Icon name="edit" small />
          <Badge>{definition.transport === 'stdio' ? t`command` : t`address`}</Badge>
          <AlikeBadge others={alike} />
          {found.project === undefined ? null : (
            <span className="help mono wrap-any">
              <VisibleText text={found.project} />
            </span>
          )}
        </div>
        <p className="help mono wrap-any">
          <VisibleText text={commandLine(definition)} />
        </p>
        <p className="help row wrap">
          <SecretsOf entry={entry} />
          {missing.length === 0 ? null : (
            <span className="row">
              <Icon name="key" small />
              {missing.length === 1 ? t`1 value to enter` : t`${missing.length} values to enter`}
            </span>
          )}
        </p>
        {error === undefined ? null : <FieldError>{error}</FieldError>}
        {chosen ? <ImportNotes problems={found.problems} /> : null}
      </div>
      <Button size="sm" aria-label={t`Set up “${name}”`} onClick={onSetUp}>
        {t`Set up…`}
      </Button>
    </li>
  )
}

function SecretsOf({ entry: { definition, keep } }: { readonly entry: CandidateEntry }) {
  const keeper = useSecretKeeper()
  const plain = plainSecretsOf(definition).filter((name) => !keep.includes(name)).length
  if (keep.length + plain === 0) return null
  const words = (count: number): string => (count === 1 ? t`1 secret` : t`${count} secrets`)
  return (
    <span className="row">
      <Icon name="lock" small />
      {[
        keep.length > 0 ? `${words(keep.length)} ${secretStorageLabel(keeper)}` : '',
        plain > 0 ? t`${words(plain)} kept in servers.json` : '',
      ]
        .filter(Boolean)
        .join(', ')}
    </span>
  )
}
