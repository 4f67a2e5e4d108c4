// Arguments, variables and headers of an install option, as its publisher describes them. Secrets are not typed here: the next
// screen asks for them, and they go into the secret store.
import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { emptyInstance, type Slot, type SlotField, type SlotValues } from '#app/server/registry/fill-slots.ts'
import { type InstallOption, sectionsOf } from '#app/server/registry/install-options.ts'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Checkbox, Field, Select, TextInput } from '#renderer/ui/field.tsx'
import { Icon } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'

interface OptionFormProps {
  readonly option: InstallOption
  readonly filled: SlotValues
  /** Keys (`slot at field`) of the fields that still need a value. */
  readonly missing: ReadonlySet<string>
  readonly onChange: (filled: SlotValues) => void
}

export function OptionForm({ option, filled, missing, onChange }: OptionFormProps) {
  return sectionsOf(option).map(({ title, slots }) => (
    <section key={title} className="sec" aria-label={title}>
      <h3>{title}</h3>
      {slots.map((slot) => (
        <SlotFields
          key={slot.id}
          slot={slot}
          instances={filled[slot.id] ?? [emptyInstance(slot)]}
          missing={missing}
          onChange={(instances) => onChange({ ...filled, [slot.id]: instances })}
        />
      ))}
    </section>
  ))
}

interface SlotFieldsProps {
  readonly slot: Slot
  readonly instances: SlotValues[string]
  readonly missing: ReadonlySet<string>
  readonly onChange: (instances: SlotValues[string]) => void
}

function SlotFields({ slot, instances, missing, onChange }: SlotFieldsProps) {
  return (
    <div className="stack tight">
      {instances.map((instance, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places of one argument have no other identity.
        <div key={at} className="registry-fields">
          {slot.fields.map((field) => (
            <FieldOf
              key={field.id}
              slot={slot}
              field={field}
              value={instance[field.id] ?? ''}
              missing={missing.has(`${slot.id} ${at} ${field.id}`)}
              onChange={(value) => onChange(instances.with(at, { ...instance, [field.id]: value }))}
            />
          ))}
          {slot.repeated && instances.length > 1 ? (
            <SmallGhostButton onClick={() => onChange(instances.toSpliced(at, 1))}>{t`Remove`}</SmallGhostButton>
          ) : null}
        </div>
      ))}
      {slot.repeated && instances.length < 20 ? (
        <p>
          <SmallButton icon="plus" onClick={() => onChange([...instances, emptyInstance(slot)])}>
            {tx`One more ${visibleTextOf(slot.label)}`}
          </SmallButton>
        </p>
      ) : null}
    </div>
  )
}

interface FieldOfProps {
  readonly slot: Slot
  readonly field: SlotField
  readonly value: string
  readonly missing: boolean
  readonly onChange: (value: string) => void
}

function FieldOf({ slot, field, value, missing, onChange }: FieldOfProps) {
  const several = slot.fields.length > 1 || field.label !== slot.label
  const label: ReactNode = <VisibleText className="mono" text={several ? `${slot.label}: ${field.label}` : slot.label} />
  const words = field.description ?? slot.description
  const help = words === undefined ? undefined : <VisibleText text={words} />
  if (field.secret) {
    return field.required ? (
      <p className="registry-secret">
        <Icon name="lock" small /> {label} <span className="dim">{t`Secret, asked for next.`}</span>
        {help && <span className="help block">{help}</span>}
      </p>
    ) : (
      <Checkbox checked={value !== ''} label={tx`Set ${label}`} help={help} onChange={(on) => onChange(on ? 'ask' : '')} />
    )
  }
  const choices = field.choices ?? (field.format === 'boolean' ? ['true', 'false'] : undefined)
  return (
    <Field label={label} note={field.required ? t`Required` : t`optional`} help={help} error={missing ? t`Required` : undefined}>
      {(ids) =>
        choices ? (
          <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
            {choices.includes(value) ? null : <option value={value}>{value === '' ? t`Choose…` : visibleTextOf(value)}</option>}
            {value !== '' && !field.required ? <option value="">{t`None`}</option> : null}
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {visibleTextOf(choice)}
              </option>
            ))}
          </Select>
        ) : (
          <TextInput
            {...ids}
            mono
            inputMode={field.format === 'number' ? 'decimal' : undefined}
            placeholder={visibleTextOf(field.placeholder ?? (field.format === 'filepath' ? t`/path/to/it` : ''))}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}
