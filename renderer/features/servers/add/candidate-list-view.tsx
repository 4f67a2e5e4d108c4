import { t } from '#app/i18n/translate.ts'
import { plainSecretsOf } from '#app/server/inputs/plain-secrets.ts'
import { Badge } from '#renderer/ui/badges.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import type { CandidateEntry, EntryChange } from '../candidate-list.ts'
import { CandidateRow } from '../import/candidate-row.tsx'

interface CandidateListProps {
  readonly entries: readonly CandidateEntry[]
  readonly onChange: (index: number, change: EntryChange) => void
  readonly onSetUp: (index: number) => void
}

/** Servers that were understood, each with what is to become of it. */
export function CandidateListView({ entries, onChange, onSetUp }: CandidateListProps) {
  return (
    <ul className="lines">
      {entries.map((entry, index) => {
        const { name, definition, chosen, found } = entry
        return (
          <CandidateRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the name can be edited, so the place is what stays.
            key={index}
            definition={definition}
            choice={
              entries.length === 1 ? null : (
                <Checkbox
                  checked={chosen}
                  label={<span className="sr">{tx`Add ${<ServerName name={name} />}`}</span>}
                  onChange={(next) => onChange(index, { chosen: next })}
                />
              )
            }
            mark={name}
            name={name}
            nameLabel={t`Name`}
            onName={(next) => onChange(index, { name: next })}
            badge={<Badge>{definition.transport === 'stdio' ? t`command` : t`address`}</Badge>}
            alike={entry.alike}
            project={found.project}
            error={entry.error}
            notes={chosen ? found.problems : []}
            action={
              <Button size="sm" aria-label={t`Set up “${name}”`} onClick={() => onSetUp(index)}>
                {t`Set up…`}
              </Button>
            }
          >
            <EntryValues entry={entry} />
          </CandidateRow>
        )
      })}
    </ul>
  )
}

/** Number of secrets, where they are kept, and number of values that nobody has entered. */
function EntryValues({ entry: { definition, keep, missing } }: { readonly entry: CandidateEntry }) {
  const keeper = useSecretKeeper()
  const plain = plainSecretsOf(definition).filter((name) => !keep.includes(name)).length
  const secrets = (count: number): string => (count === 1 ? t`1 secret` : t`${count} secrets`)
  return (
    <p className="help row wrap">
      {keep.length + plain === 0 ? null : (
        <span className="row">
          <Icon name="lock" small />
          {[
            keep.length > 0 ? `${secrets(keep.length)} ${secretStorageLabel(keeper)}` : '',
            plain > 0 ? t`${secrets(plain)} kept in servers.json` : '',
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      )}
      {missing.length === 0 ? null : (
        <span className="row">
          <Icon name="key" small />
          {missing.length === 1 ? t`1 value to enter` : t`${missing.length} values to enter`}
        </span>
      )}
    </p>
  )
}
