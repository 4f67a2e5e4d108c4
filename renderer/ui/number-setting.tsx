import { type ReactNode, useId, useState } from 'react'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { SmallGhostButton } from './button.tsx'
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
  /** Default of the setting, shown beside it; once another is set, “Reset” stands there. */
  readonly usual?: number
  /** Word for 0, which an empty field means too: “No limit”. */
  readonly zero?: string
  readonly onSave: (value: number) => void
}

/** A number that is saved on blur or Enter if it is in range; else the error is shown and nothing is saved. */
export function NumberSetting({ label, help, unit, value, min, max, digits = 0, usual, zero, onSave }: NumberSettingProps) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const id = useId()
  const shown = (number: number): string => (number === 0 && zero !== undefined ? zero : formatNumber(number))
  const usualLabel = usual === undefined ? '' : usual === 0 && zero !== undefined ? zero : `${shown(usual)} ${unit}`.trim()
  const plain = value === 0 && zero !== undefined ? '' : String(value)
  const text = draft ?? plain
  const number = Number(text)
  const isWritten = text !== '' || zero !== undefined
  const error =
    isWritten && Number(number.toFixed(digits)) === number && number >= min && number <= max
      ? undefined
      : digits === 0
        ? t`A whole number from ${formatNumber(min)} to ${formatNumber(max)}.`
        : t`A number with ${digits} digits behind the point at most, from ${formatNumber(min)} to ${formatNumber(max)}.`
  const save = (): void => {
    if (draft === undefined || error !== undefined) return
    if (number !== value) onSave(number)
    setDraft(undefined)
  }
  const reset = (to: number): void => {
    setDraft(undefined)
    onSave(to)
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
          value={draft ?? shown(value)}
          onFocus={() => setDraft((before) => before ?? plain)}
          onChange={(event) => setDraft(event.target.value.trim())}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            if (event.key === 'Escape' && draft !== undefined && draft !== plain) {
              event.stopPropagation()
              setDraft(plain)
            }
          }}
        />
        <span className="dim unit">{unit}</span>
        {usual === undefined ? null : value === usual ? (
          <span className="faint help usual">{t`Default ${usualLabel}`}</span>
        ) : (
          <span className="usual">
            <SmallGhostButton aria-label={t`Reset ${label} to ${usualLabel}`} onClick={() => reset(usual)}>
              {t`Reset`}
            </SmallGhostButton>
          </span>
        )}
      </span>
    </div>
  )
}
