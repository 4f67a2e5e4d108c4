// The settings that a bundle asks for (MCPB `user_config`), as a form: what was typed, its errors, and the fields themselves.
// Errors come from the page's own check and from the host's; each stands at its field, and the first takes the focus.
// A secret that is left empty keeps its value.

import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { maximumLabel, minimumLabel } from '#app/consent/value-labels.ts'
import type { ErrorValue } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import {
  type BundleField,
  type ConfigValue,
  type ConfigValues,
  faultOfValue,
  type ValueFault,
  valueFault,
} from '#app/server/bundle/user-config.ts'
import { IconButton, SmallButton } from '#renderer/ui/button.tsx'
import { Field, type FieldIds, Switch, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { PathField, PathInput, usePathPicker } from '#renderer/ui/forms/path-field.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'

/** Contents of the form by the key of the field: typed text (several values: one a line), or on and off. */
type Entered = Readonly<Record<string, string | boolean>>
type Errors = Readonly<Record<string, string>>

export const enteredAtFirst = (fields: readonly BundleField[]): Entered =>
  Object.fromEntries(
    fields.map(({ key, type, value }) => [
      key,
      type === 'boolean' ? value === true : Array.isArray(value) ? value.join('\n') : String(value ?? ''),
    ]),
  )

function enteredValue(field: BundleField, typed: string | boolean): ConfigValue | undefined {
  if (typeof typed === 'boolean') return typed
  if (field.multiple) {
    const lines = typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    return lines.length === 0 ? undefined : lines
  }
  const text = field.sensitive ? typed : typed.trim()
  if (text === '') return undefined
  const number = Number(text)
  return field.type === 'number' && Number.isFinite(number) ? number : text
}

export const bundleConfigValues = (fields: readonly BundleField[], entered: Entered): ConfigValues =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = enteredValue(field, entered[field.key] ?? '')
      return value === undefined ? [] : [[field.key, value]]
    }),
  )

const faultLabels: Readonly<Record<ValueFault, (field: BundleField) => string>> = {
  missing: () => t`Required`,
  'not-a-number': () => t`Enter a number.`,
  'too-small': ({ min }) => minimumLabel(min),
  'too-large': ({ max }) => maximumLabel(max),
  reference: () => t`“\${” is not allowed here.`,
  control: () => t`Write it on one line.`,
  'not-whole': () => t`Write the whole path, from / or ~/.`,
  'wrong-kind': () => t`This value is not allowed.`,
  unknown: () => t`This value is not allowed.`,
}

/** The host's error at its field; undefined: the error is about something else. */
function errorAtField(fields: readonly BundleField[], { code, data }: ErrorValue): Errors | undefined {
  const field = code === 'bundle.values' ? fields.find(({ key }) => key === data?.['field']) : undefined
  const fault = valueFault.safeParse(data?.['fault'])
  return field && fault.success ? { [field.key]: faultLabels[fault.data](field) } : undefined
}

function bundleFieldErrors(fields: readonly BundleField[], entered: Entered): Errors {
  const values = bundleConfigValues(fields, entered)
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOfValue(field, values[field.key])
      return fault ? [[field.key, faultLabels[fault](field)]] : []
    }),
  )
}

export function useBundleValues(body: RefObject<HTMLElement | null>, first: () => Entered) {
  const [entered, setEntered] = useState(first)
  const [checked, setChecked] = useState<boolean>(false)
  const [hostErrors, setHostErrors] = useState<Errors>({})
  const focus = (key: string): void =>
    body.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"] :is(input, textarea)`)?.focus()
  return {
    entered,
    /** Whether it was to be sent already: only from then on is anything called wrong. */
    checked,
    errors: (fields: readonly BundleField[]): Errors => ({ ...hostErrors, ...(checked ? bundleFieldErrors(fields, entered) : {}) }),
    change(key: string, value: string | boolean): void {
      setEntered((before) => ({ ...before, [key]: value }))
      setHostErrors(({ [key]: _, ...others }) => others)
    },
    /** Returns whether it can be sent. `also`: another field of the same form that is wrong. */
    check(fields: readonly BundleField[], also?: string): boolean {
      // What is wrong shows first, so that it can take focus.
      flushSync(() => setChecked(true))
      const key = also ?? Object.keys(bundleFieldErrors(fields, entered))[0]
      if (key !== undefined) focus(key)
      return key === undefined
    },
    /** Shows the host's error at its field; false: it is about no field. */
    showHostError(fields: readonly BundleField[], error: ErrorValue): boolean {
      const at = errorAtField(fields, error)
      flushSync(() => setHostErrors(at ?? {}))
      for (const key of Object.keys(at ?? {})) focus(key)
      return at !== undefined
    },
  }
}

interface PathsFieldProps {
  readonly field: BundleField
  readonly ids: FieldIds
  /** Paths, one a line. */
  readonly text: string
  readonly onChange: (text: string) => void
}

const kindOf = ({ type }: BundleField): 'file' | 'folder' => (type === 'file' ? 'file' : 'folder')

function PathsField({ field, ids, text, onChange }: PathsFieldProps) {
  const choose = usePathPicker(kindOf(field), field.title)
  const box = useRef<HTMLDivElement>(null)
  const rows = text.split('\n')
  const what = field.type === 'file' ? t`file` : t`folder`
  const put = (paths: readonly string[]): void => onChange(paths.join('\n'))
  const add = async (): Promise<void> => {
    const path = choose ? await choose() : ''
    if (path === undefined) return
    put([...rows.filter((row, index) => row !== '' || (path === '' && index < rows.length - 1)), path])
    // The new row is in the page once it was drawn.
    if (path === '') requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }
  const name = (index: number): string => `${visibleTextOf(field.title)} ${index + 1}`
  return (
    <div className="bundle-paths" ref={box}>
      <ul>
        {rows.map((path, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places of one setting have no other identity
          <li key={index} className="row">
            <PathInput
              {...(index === 0 ? ids : { ...ids, id: `${ids.id}-${index}` })}
              aria-label={index === 0 ? undefined : name(index)}
              kind={kindOf(field)}
              value={path}
              // A line break would be one more path.
              onText={(typed) => put(rows.with(index, typed.replaceAll('\n', ' ')))}
            />
            {rows.length > 1 ? (
              <IconButton label={t`Remove ${name(index)}`} icon="close" small onClick={() => put(rows.toSpliced(index, 1))} />
            ) : null}
          </li>
        ))}
      </ul>
      <SmallButton icon="plus" onClick={() => void add()}>
        {t`Add ${what}`}
      </SmallButton>
    </div>
  )
}

interface BundleFieldsProps {
  readonly fields: readonly BundleField[]
  readonly form: ReturnType<typeof useBundleValues>
}

export function BundleFields({ fields, form }: BundleFieldsProps) {
  const errors = form.errors(fields)
  return (
    <div className="stack bundle-fields">
      {fields.map((field) => (
        <div key={field.key} data-field={field.key}>
          <OneField
            field={field}
            value={form.entered[field.key] ?? ''}
            error={errors[field.key]}
            onChange={(value) => form.change(field.key, value)}
          />
        </div>
      ))}
    </div>
  )
}

interface OneFieldProps {
  readonly field: BundleField
  readonly value: string | boolean
  readonly error: string | undefined
  readonly onChange: (value: string | boolean) => void
}

function OneField({ field, value, error, onChange }: OneFieldProps) {
  const keeper = useSecretKeeper()
  const title = <VisibleText text={field.title} />
  const about = field.description ? <VisibleText text={field.description} /> : undefined
  if (field.type === 'boolean') return <Switch checked={value === true} label={title} help={about} onChange={onChange} />
  const text = String(value)
  const secret = field.sensitive ? t`Secret, ${secretStorageLabel(keeper)}.` : ''
  return (
    <Field
      label={title}
      note={field.required && !field.kept ? t`Required` : undefined}
      error={error}
      help={
        about || secret ? (
          <>
            {secret} {about}
          </>
        ) : undefined
      }
    >
      {(ids) => {
        if (field.type === 'directory' || field.type === 'file') {
          if (field.multiple) return <PathsField field={field} ids={ids} text={text} onChange={onChange} />
          return <PathField {...ids} kind={kindOf(field)} title={field.title} value={text} onText={onChange} />
        }
        const common = { ...ids, value: text, onChange: ({ target }: { target: { value: string } }) => onChange(target.value) }
        if (field.multiple) return <TextArea {...common} mono rows={Math.min(6, text.split('\n').length + 1)} placeholder={t`One a line`} />
        return (
          <TextInput
            {...common}
            className={field.sensitive ? 'hidden-text' : undefined}
            placeholder={field.kept ? t`Leave empty to keep it` : undefined}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
          />
        )
      }}
    </Field>
  )
}
