import { type ReactNode, useId, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { FieldError, TextInput } from './field.tsx'

interface NumberSettingProps {
  readonly label: string
  readonly help: ReactNode
  readonly unit: string
  readonly value: number
  readonly min: number
  readonly max: number
  /** Decimal places. Default: 0. */
  readonly digits?: number
  readonly onSave: (value: number) => void
}

/** A number that is saved on blur or Enter if it is in range; else the error is shown and nothing is saved. */
export function NumberSetting({ label, help, unit, value, min, max, digits = 0, onSave }: NumberSettingProps) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const id = useId()
  const text = draft ?? String(value)
  const number = Number(text)
  const error =
    text !== '' && Number(number.toFixed(digits)) === number && number >= min && number <= max
      ? undefined
      : digits === 0
        ? t`A whole number from ${formatNumber(min)} to ${formatNumber(max)}.`
        : t`A number with ${digits} digits behind the point at most, from ${formatNumber(min)} to ${formatNumber(max)}.`
  const save = (): void => {
    if (draft === undefined || error !== undefined) return
    if (number !== value) onSave(number)
    setDraft(undefined)
  }
  return (
    <div className="number-setting">
      <label className="grow" htmlFor={id}>
        {label}
        <span id={`${id}-help`} className="help block">
          {help}
        </span>
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      </label>
      <span className="row">
        <TextInput
          id={id}
          className="short num"
          inputMode={digits === 0 ? 'numeric' : 'decimal'}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : `${id}-help`}
          value={text}
          onChange={(event) => setDraft(event.target.value.trim())}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            if (event.key === 'Escape' && draft !== undefined) {
              event.stopPropagation()
              setDraft(undefined)
            }
          }}
        />
        <span className="dim">{unit}</span>
      </span>
    </div>
  )
}
