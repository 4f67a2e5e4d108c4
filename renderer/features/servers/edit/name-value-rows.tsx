// Rows of name and value, for environment variables and headers. Values under names that look secret are masked while they are
// typed.

import { useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { secretMask } from '#app/server/definition.ts'
import { isLookedUp } from '#app/server/inputs/plain-secrets.ts'
import { onlyInputOf } from '#app/server/inputs/variable-references.ts'
import { looksSecret } from '#app/text/secret-names.ts'
import { IconButton, RevealButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { FieldError, Switch, TextInput } from '#renderer/ui/field.tsx'
import { memoryOnlyLabel, type SecretKeeper, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { isKept, type Pair, pair } from './server-form.ts'

interface PairRowsProps {
  readonly label: string
  readonly one: 'variable' | 'header'
  readonly rows: readonly Pair[]
  readonly error: string | undefined
  readonly onChange: (rows: readonly Pair[]) => void
}

export function NameValueRows({ label, one, rows, error, onChange }: PairRowsProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const change = (id: number, part: Partial<Pair>): void => onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))
  const remove = (id: number): void => {
    onChange(rows.filter((row) => row.id !== id))
    list.current?.querySelector<HTMLButtonElement>('.pair-add')?.focus()
  }
  return (
    <fieldset ref={list} className="field pairs">
      <legend className="label">{label}</legend>
      {rows.map((row) => (
        <PairRow key={row.id} row={row} one={one} onChange={(part) => change(row.id, part)} onRemove={() => remove(row.id)} />
      ))}
      <div className="row">
        <SmallGhostButton icon="plus" className="pair-add" onClick={() => onChange([...rows, pair()])}>
          {one === 'variable' ? t`Add variable` : t`Add header`}
        </SmallGhostButton>
      </div>
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  )
}

interface PairRowProps {
  readonly row: Pair
  readonly one: PairRowsProps['one']
  readonly onChange: (part: Partial<Pair>) => void
  readonly onRemove: () => void
}

function PairRow({ row, one, onChange, onRemove }: PairRowProps) {
  const [shown, setShown] = useState(false)
  const keeper = useSecretKeeper()
  const inFile = row.value === secretMask
  const inStore = onlyInputOf(row.value)
  const hidden = inFile || inStore !== undefined
  const keep = isKept(row, keeper === 'keyring')
  const secret = hidden || keep || row.keep !== undefined || looksSecret(row.name)
  /** A value from the environment, or of several parts, is looked up and stays as it is written. */
  const fromElsewhere = inStore === undefined && isLookedUp(row.value)
  const change = (value: string): void => onChange({ value, ...(inStore === undefined ? {} : { keep: true }) })
  // The page has no value that it could put into the file: it is typed anew.
  const switchKeep = (next: boolean): void => onChange({ keep: next, ...(inStore !== undefined && !next ? { value: '' } : {}) })
  const place = inStore !== undefined ? t`kept in the keyring` : inFile ? t`Kept; type to replace it` : t`Value`
  return (
    <div className="pair">
      <TextInput
        mono
        aria-label={one === 'variable' ? t`Variable` : t`Header`}
        placeholder={t`Name`}
        // Focus follows the press on "Add": the new row is what it was pressed for.
        autoFocus={row.name === '' && row.value === ''}
        value={row.name}
        onChange={(event) => onChange({ name: event.target.value, ...(inFile ? { value: '' } : {}) })}
      />
      <TextInput
        mono
        type={secret && !shown ? 'password' : 'text'}
        autoComplete="off"
        aria-label={row.name ? t`Value of ${row.name}` : t`Value`}
        placeholder={place}
        title={hidden ? t`Kept; type to replace it` : undefined}
        value={hidden ? '' : row.value}
        onChange={(event) => change(event.target.value)}
      />
      {!secret && row.value !== '' && !fromElsewhere ? (
        <IconButton small icon="lock" label={t`Keep ${row.name} as a secret`} onClick={() => switchKeep(true)} />
      ) : null}
      {secret && !hidden ? (
        <RevealButton
          shown={shown}
          onToggle={setShown}
          label={shown ? t`Hide the value of ${row.name}` : t`Show the value of ${row.name}`}
        />
      ) : null}
      <IconButton small icon="close" label={row.name ? t`Remove ${row.name}` : t`Remove`} onClick={onRemove} />
      {secret && !fromElsewhere ? (
        <div className="pair-keep">
          <Switch
            checked={keep}
            label={tx`Keep as a secret${<span className="sr">: {row.name}</span>}`}
            help={keepHelp(keep, keeper)}
            onChange={switchKeep}
          />
        </div>
      ) : null}
    </div>
  )
}

function keepHelp(keep: boolean, keeper: SecretKeeper): string {
  if (!keep) return t`In servers.json as plain text.`
  return keeper === 'keyring' ? t`Kept in the keyring, never in servers.json.` : memoryOnlyLabel
}
