import type { ElicitationField } from '#app/consent/elicitation.ts'
import { t } from '#app/i18n/translate.ts'
import type { FormValue } from '#renderer/stores/request-drafts.ts'
import { Checkbox, ChooseOne, Field, FieldError, type FieldIds, Switch, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { fitsField, ServerName, VisibleText, WholeVisibleText } from '#renderer/ui/visible-text.tsx'

interface FormFieldProps {
  readonly server: string
  readonly field: ElicitationField
  readonly value: FormValue | undefined
  readonly error: string | undefined
  readonly onChange: (value: FormValue) => void
}

const secretWarning = t`Looks like a secret. Leave it empty: servers must not ask for secrets here.`

export function FormField({ server, field, value, error, onChange }: FormFieldProps) {
  const label = <WholeVisibleText text={field.title ?? field.name} />
  const note = field.required ? t`Required` : undefined
  const help = helpOf(server, field)
  if (field.kind === 'boolean') return <Switch checked={value === true} onChange={onChange} label={label} help={help} />
  if (field.kind === 'choices') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : []
    const toggle = (option: string, on: boolean): void => onChange(on ? [...chosen, option] : chosen.filter((one) => one !== option))
    return (
      <fieldset className="field">
        <legend className="label">
          {label} <span className="req">{countNote(field)}</span>
        </legend>
        <div className="grid2 choices">
          {field.options.map((option) => (
            <Checkbox
              key={option.value}
              checked={chosen.includes(option.value)}
              onChange={(on) => toggle(option.value, on)}
              label={<VisibleText text={option.title} />}
            />
          ))}
        </div>
        {help && <span className="help">{help}</span>}
        {error && <FieldError>{error}</FieldError>}
      </fieldset>
    )
  }
  if (field.kind === 'unsupported') {
    return (
      <div className="field">
        <span className="label">
          {label} <span className="req">{note}</span>
        </span>
        <span className="err warntext">
          <Icon name="warning" small />
          {field.required
            ? t`Assent cannot ask for this kind of answer. It is required: decline the form.`
            : t`Assent cannot ask for this kind of answer.`}
        </span>
      </div>
    )
  }
  const warning = field.secret ? secretWarning : undefined
  return (
    <Field label={label} note={note} help={help} error={error} warning={warning}>
      {(ids) => <Control ids={ids} field={field} value={typeof value === 'string' ? value : ''} onChange={onChange} />}
    </Field>
  )
}

type SingleField = Extract<ElicitationField, { kind: 'text' | 'number' | 'choice' }>

function Control({ ids, field, value, onChange }: { ids: FieldIds; field: SingleField; value: string; onChange: (value: string) => void }) {
  if (field.kind === 'choice') {
    return (
      <ChooseOne
        ids={ids}
        label={field.title ?? field.name}
        value={value}
        options={[['', field.required ? t`Choose one` : t`None`], ...field.options.map((option) => [option.value, option.title] as const)]}
        onChoose={onChange}
      />
    )
  }
  if (isLongProposal(field))
    return <TextArea {...ids} rows={2} aria-required={field.required} value={value} onChange={(event) => onChange(event.target.value)} />
  const kind = field.kind === 'number' ? { inputMode: 'decimal' as const, className: 'num' } : { type: inputType(field.format) }
  return (
    <TextInput
      {...ids}
      {...kind}
      aria-required={field.required}
      placeholder={field.secret ? t`Not sent unless you write it` : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Whether a default needs several lines: one line would hide its end and its line breaks. Letters other than ASCII may be wide. */
const isLongProposal = (field: SingleField): boolean =>
  field.kind === 'text' && field.default !== undefined && !/^[ -~]{0,30}$/.test(field.default)

/** Dates get the browser's field; other formats are text that Assent checks. */
const inputType = (format: string | undefined): string => (format === 'date' ? 'date' : 'text')

function helpOf(server: string, field: ElicitationField): React.ReactNode {
  const range = field.kind === 'number' ? rangeWords(field.minimum, field.maximum) : undefined
  const proposed =
    'default' in field && field.default !== undefined && !field.secret && field.kind !== 'boolean'
      ? tx`Suggested by ${<ServerName name={server} />}`
      : undefined
  const left =
    field.kind === 'text' &&
    !fitsField(field.default ?? '') &&
    tx`The suggestion of ${<ServerName name={server} />} is left out: it cannot be shown.`
  const from = left || proposed
  const words =
    range && from ? (
      <>
        {range} · {from}
      </>
    ) : (
      (range ?? from)
    )
  if (!field.description) return words
  return (
    <>
      “<WholeVisibleText text={field.description} />”{words && ' '}
      {words}
    </>
  )
}

function rangeWords(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return t`${least} to ${most}`
  if (least !== undefined) return t`at least ${least}`
  return most === undefined ? undefined : t`at most ${most}`
}

function countNote(field: Extract<ElicitationField, { kind: 'choices' }>): string {
  const { minItems, maxItems, required } = field
  const range = rangeWords(minItems, maxItems)
  return range ? t`choose ${range}` : required ? t`Required` : ''
}
