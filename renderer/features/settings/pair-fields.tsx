// Extra headers and query parameters of an endpoint, as rows. Values of headers whose names look secret go to the keyring; the page never
// has a kept one, and leaves it as it is unless another is typed.
import { useRef, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { headerName } from '#app/models/presets.ts'
import { mayBeSecret } from '#app/text/secret-names.ts'
import { Button, IconButton, RevealButton } from '#renderer/ui/button.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'

type PairKind = 'header' | 'query'

export interface PairRow {
  readonly id: number
  readonly kind: PairKind
  readonly name: string
  readonly value: string
  /** Whether the keyring has a value under this name. */
  readonly kept?: true
}

type Pairs = Readonly<Record<string, string>>
let lastId = 0
const nextId = (): number => {
  lastId += 1
  return lastId
}
const row = (kind: PairKind, name = '', value = ''): PairRow => ({
  id: nextId(),
  kind,
  name,
  value,
  ...(kind === 'header' && name !== '' && value === '' ? { kept: true as const } : {}),
})

export const pairRows = (headers: Pairs = {}, query: Pairs = {}): PairRow[] => [
  ...Object.entries(headers).map(([name, value]) => row('header', name, value)),
  ...Object.entries(query).map(([name, value]) => row('query', name, value)),
]

/** Members of `endpoint.save`; rows without a name are left out. */
export function pairParams(rows: readonly PairRow[]): { readonly headers: Record<string, string>; readonly query: Record<string, string> } {
  const of = (kind: PairKind): Record<string, string> =>
    Object.fromEntries(rows.flatMap((one) => (one.kind === kind && one.name.trim() !== '' ? [[one.name.trim(), one.value]] : [])))
  return { headers: of('header'), query: of('query') }
}

/** Why the rows cannot be saved; undefined: they can. */
export function pairProblem(rows: readonly PairRow[]): string | undefined {
  const wrong = rows.find(({ kind, name }) => kind === 'header' && name.trim() !== '' && !headerName.test(name.trim()))
  if (wrong) return t`“${wrong.name}” cannot be the name of a header.`
  const empty = rows.find(({ name, value, kept }) => (name.trim() === '' ? value !== '' : value === '' && !kept))
  return empty && t`Required`
}

interface PairFieldsProps {
  readonly rows: readonly PairRow[]
  readonly problem: string | undefined
  readonly onChange: (rows: readonly PairRow[]) => void
}

export function PairFields({ rows, problem, onChange }: PairFieldsProps) {
  const box = useRef<HTMLFieldSetElement>(null)
  const remove = (id: number): void => {
    onChange(rows.filter((one) => one.id !== id))
    box.current?.querySelector<HTMLButtonElement>('.pair-add')?.focus()
  }
  return (
    <fieldset ref={box} className="field pairs">
      <legend className="label">{t`Headers and query parameters`}</legend>
      {rows.map((one) => (
        <PairField
          key={one.id}
          row={one}
          onChange={(part) => onChange(rows.map((other) => (other.id === one.id ? { ...one, ...part } : other)))}
          onRemove={() => remove(one.id)}
        />
      ))}
      <div className="row wrap">
        <Button size="sm" variant="ghost" icon="plus" className="pair-add" onClick={() => onChange([...rows, row('header')])}>
          {t`Add header`}
        </Button>
        <Button size="sm" variant="ghost" icon="plus" onClick={() => onChange([...rows, row('query')])}>
          {t`Add query parameter`}
        </Button>
      </div>
      {problem === undefined ? null : <FieldError>{problem}</FieldError>}
    </fieldset>
  )
}

interface PairFieldProps {
  readonly row: PairRow
  readonly onChange: (part: Partial<PairRow>) => void
  readonly onRemove: () => void
}

function PairField({ row: { kind, name, value, kept }, onChange, onRemove }: PairFieldProps) {
  const [shown, setShown] = useState(false)
  const isHeader = kind === 'header'
  const secret = isHeader && mayBeSecret(name)
  return (
    <div className="pair">
      <TextInput
        mono
        aria-label={isHeader ? t`Header` : t`Parameter`}
        placeholder={isHeader ? t`Header` : t`Parameter`}
        maxLength={100}
        // Focus follows the press on "Add": the new row is what it was pressed for.
        autoFocus={name === '' && value === ''}
        disabled={kept}
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextInput
        mono
        type={secret && !shown ? 'password' : 'text'}
        autoComplete="off"
        maxLength={isHeader ? 4000 : 1000}
        aria-label={name ? t`Value of ${name}` : t`Value`}
        placeholder={kept ? t`Kept; type to replace it` : t`Value`}
        value={value}
        onChange={(event) => onChange({ value: event.target.value })}
      />
      {secret && value !== '' ? (
        <RevealButton shown={shown} onToggle={setShown} label={shown ? t`Hide the value of ${name}` : t`Show the value of ${name}`} />
      ) : null}
      <IconButton small icon="close" label={name ? t`Remove ${name}` : t`Remove`} onClick={onRemove} />
      {secret ? <p className="help pair-keep">{t`kept in the keyring`}</p> : null}
    </div>
  )
}
