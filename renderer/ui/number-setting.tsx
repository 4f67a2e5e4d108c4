import { type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { SmallGhostButton } from './button.tsx'
import { FieldError, type FieldIds, TextInput } from './field.tsx'

interface NumberSettingProps {
  readonly label: string
  readonly help?: ReactNode
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
  /** A port or the like: its digits are not grouped. */
  readonly isName?: boolean
  readonly onSave: (value: number) => void
}

/** A number that is saved on blur or Enter if it is in range; else the error is shown and nothing is saved. */
export function NumberSetting({ label, help, unit, value, min, max, digits = 0, usual, zero, isName, onSave }: NumberSettingProps) {
  const format = isName ? String : formatNumber
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const shown = (number: number): string => (number === 0 && zero !== undefined ? zero : format(number))
  const usualLabel =
    usual === undefined ? '' : usual === 0 && zero !== undefined ? zero : `${shown(usual)}${unit === '%' ? '' : ' '}${unit}`.trim()
  const plain = value === 0 && zero !== undefined ? '' : String(value)
  const text = draft ?? plain
  const number = Number(text)
  const isWritten = text !== '' || zero !== undefined
  const error =
    isWritten && Number(number.toFixed(digits)) === number && number >= min && number <= max
      ? undefined
      : digits === 0
        ? t`A whole number from ${format(min)} to ${format(max)}.`
        : t`From ${format(min)} to ${format(max)}, with at most ${digits} decimals.`
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
    <SettingRow
      label={label}
      help={help}
      error={error}
      usual={usualLabel}
      isUsual={usual === undefined || value === usual}
      onReset={() => reset(usual ?? 0)}
    >
      {(ids) => (
        <>
          <TextInput
            {...ids}
            className="short num"
            inputMode={digits === 0 ? 'numeric' : 'decimal'}
            value={draft ?? shown(value)}
            onFocus={({ currentTarget }) => {
              // Digits without separators take the place of the text, which ends a selection: whoever came by Tab would write behind them.
              flushSync(() => setDraft((before) => before ?? plain))
              currentTarget.select()
            }}
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
          <span className="dim unit">{draft === undefined && plain === '' ? '' : unit}</span>
        </>
      )}
    </SettingRow>
  )
}

interface SettingRowProps {
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | undefined
  /** Default of the setting, in words; '': none. Once another is set, “Reset” stands there. */
  readonly usual: string
  readonly isUsual: boolean
  readonly onReset: () => void
  readonly children: (ids: FieldIds) => ReactNode
}

/** Row of one setting: its name, its field, and its default or the way back to it. */
export function SettingRow({ label, help, error, usual, isUsual, onReset, children }: SettingRowProps) {
  const id = useId()
  const note = error ? `${id}-error` : help ? `${id}-help` : undefined
  return (
    <div className="number-setting">
      <label className="grow" htmlFor={id}>
        {label}
        {help ? (
          <span id={`${id}-help`} className="help block">
            {help}
          </span>
        ) : null}
        {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
      </label>
      <span className="row">
        {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note })}
        {usual === '' ? null : isUsual ? (
          <span className="faint help usual">{t`Default ${usual}`}</span>
        ) : (
          <span className="usual">
            <SmallGhostButton onClick={onReset}>
              {t`Reset`} <span className="sr">{label}</span>
            </SmallGhostButton>
          </span>
        )}
      </span>
    </div>
  )
}
