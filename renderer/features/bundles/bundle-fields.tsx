// The settings that a bundle asks for, as a form. It holds nothing: what is entered is its owner's. Where a bundle wants to be
// told a folder or a file: by the system's own picker where the shell has one, else typed, with what it may become. Several
// stand a row each.

import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
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
import { PathInput, usePathCompletion } from '#renderer/features/folders/path-input.tsx'
import { useActions, useConnection } from '#renderer/stores/store-hooks.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Field, type FieldIds, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { secretStorageLabel, useSecretKeeper } from '#renderer/ui/lib/secret-storage-label.ts'
import { VisibleText, visibleTextOf } from '#renderer/ui/visible-text.tsx'

// What stands in the form of a bundle's settings, and what goes to the host of it. Texts as they are typed; a secret that is
// left empty stays what it was. The form of a bundle's settings as it is filled in: what was entered, and what is wrong with
// it, by this page's own check and by the host's. What is wrong is said at its field, which takes the focus.

/** By key: a text as typed (several: one a line), or on and off. */
type Entered = Readonly<Record<string, string | boolean>>

const shown = (value: ConfigValue | undefined, field: BundleField): string | boolean => {
  if (field.type === 'boolean') return value === true
  return Array.isArray(value) ? value.join('\n') : value === undefined ? '' : String(value)
}
export const enteredAtFirst = (fields: readonly BundleField[]): Entered =>
  Object.fromEntries(fields.map((field) => [field.key, shown(field.value, field)]))

function enteredValue(field: BundleField, typed: string | boolean): ConfigValue | undefined {
  if (typeof typed === 'boolean') return typed
  if (field.multiple)
    return typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const text = field.sensitive ? typed : typed.trim()
  if (text === '') return undefined
  const number = Number(text)
  return field.type === 'number' && Number.isFinite(number) ? number : text
}

export function bundleConfigValues(fields: readonly BundleField[], entered: Entered): ConfigValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = enteredValue(field, entered[field.key] ?? '')
      return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[field.key, value]]
    }),
  )
}

const words = (fault: ValueFault, { min, max }: BundleField): string => {
  switch (fault) {
    case 'missing':
      return t`It needs this.`
    case 'not-a-number':
      return t`Write a number.`
    case 'too-small':
      return t`At least ${min}.`
    case 'too-large':
      return t`At most ${max}.`
    case 'reference':
      return t`It cannot hold “\${”: that could be read as a reference to something else.`
    case 'control':
      return t`It cannot hold a line break.`
    case 'not-whole':
      return t`Write the whole path, from its beginning.`
    case 'wrong-kind':
    case 'unknown':
      return t`This cannot be used.`
  }
}

/** By key, what the host finds wrong with one; undefined: the error is of something else. */
function errorAtField(fields: readonly BundleField[], { code, data }: ErrorValue): Readonly<Record<string, string>> | undefined {
  const field = code === 'bundle.values' ? fields.find(({ key }) => key === data?.['field']) : undefined
  const fault = valueFault.safeParse(data?.['fault'])
  return field && fault.success ? { [field.key]: words(fault.data, field) } : undefined
}

/** By key, what is wrong. */
function bundleFieldErrors(fields: readonly BundleField[], entered: Entered): Readonly<Record<string, string>> {
  const values = bundleConfigValues(fields, entered)
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOfValue(field, values[field.key])
      return fault ? [[field.key, words(fault, field)]] : []
    }),
  )
}

type Errors = Readonly<Record<string, string>>

interface EnteredForm {
  readonly entered: Entered
  /** Whether it was to be sent already: only from then on is anything called wrong. */
  readonly checked: boolean
  errors(fields: readonly BundleField[]): Errors
  change(key: string, value: string | boolean): void
  /** Whether it can be sent. `also`: another field of the same form that cannot. */
  check(fields: readonly BundleField[], also?: string): boolean
  /** Whether the host's error is of one of the fields, and is said there. */
  tell(fields: readonly BundleField[], error: ErrorValue): boolean
}

export function useBundleValues(body: RefObject<HTMLElement | null>, first: () => Entered): EnteredForm {
  const [entered, setEntered] = useState(first)
  const [checked, setChecked] = useState<boolean>(false)
  const [told, setTold] = useState<Errors>({})
  const focus = (key: string): void =>
    body.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"] :is(input, textarea)`)?.focus()
  return {
    entered,
    checked,
    errors: (fields) => ({ ...told, ...(checked ? bundleFieldErrors(fields, entered) : {}) }),
    change(key, value) {
      setEntered((before) => ({ ...before, [key]: value }))
      setTold(({ [key]: _, ...others }) => others)
    },
    check(fields, also) {
      // What is wrong shows first, so that it can take focus.
      flushSync(() => setChecked(true))
      const key = also ?? Object.keys(bundleFieldErrors(fields, entered))[0]
      if (key !== undefined) focus(key)
      return key === undefined
    },
    tell(fields, error) {
      const at = errorAtField(fields, error)
      flushSync(() => setTold(at ?? {}))
      for (const key of Object.keys(at ?? {})) focus(key)
      return at !== undefined
    },
  }
}

interface PathFieldProps {
  readonly field: BundleField
  readonly ids: FieldIds
  /** Several: one a line. */
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Undefined: this shell has none. */
function usePicker({ type, title }: BundleField): (() => Promise<string | undefined>) | undefined {
  const canChoose = useConnection((state) => state.about?.shell.canChooseFolder ?? false)
  const { ask } = useActions()
  if (!canChoose) return undefined
  return async () => (await ask(type === 'file' ? 'app.chooseFile' : 'app.chooseFolder', { title: title.slice(0, 100) }))?.path ?? undefined
}

function PathField({ field, ids, text, onChange }: PathFieldProps) {
  const choose = usePicker(field)
  return (
    <span className="row">
      <PathRow field={field} ids={ids} path={text} onType={onChange} />
      {choose ? <Button onClick={() => void choose().then((path) => path !== undefined && onChange(path))}>{t`Choose…`}</Button> : null}
    </span>
  )
}

function PathsField({ field, ids, text, onChange }: PathFieldProps) {
  const choose = usePicker(field)
  const box = useRef<HTMLDivElement>(null)
  const rows = text.split('\n')
  const what = field.type === 'file' ? t`file` : t`folder`
  const put = (paths: readonly string[]): void => onChange(paths.join('\n'))
  const add = async (): Promise<void> => {
    const path = choose ? await choose() : ''
    if (path === undefined) return
    const kept = rows.filter((row, index) => row !== '' || (path === '' && index < rows.length - 1))
    put([...kept, path])
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
            <PathRow
              field={field}
              ids={index === 0 ? ids : { ...ids, id: `${ids.id}-${index}` }}
              label={index === 0 ? undefined : name(index)}
              path={path}
              onType={(typed) => put(rows.map((row, at) => (at === index ? typed : row)))}
            />
            {rows.length > 1 ? (
              <IconButton label={t`Remove ${name(index)}`} icon="close" small onClick={() => put(rows.filter((_, at) => at !== index))} />
            ) : null}
          </li>
        ))}
      </ul>
      <Button size="sm" icon="plus" onClick={() => void add()}>
        {choose ? t`Add a ${what}…` : t`One more ${what}`}
      </Button>
    </div>
  )
}

interface PathRowProps {
  readonly field: BundleField
  readonly ids: FieldIds
  readonly path: string
  readonly label?: string | undefined
  readonly onType: (path: string) => void
}

function PathRow({ field, ids, path, label, onType }: PathRowProps) {
  const { folders } = usePathCompletion(path, field.type === 'file')
  // A line break would be one more path.
  return <PathInput {...ids} aria-label={label} value={path} folders={folders} onType={(typed) => onType(typed.replaceAll('\n', ' '))} />
}

interface BundleFieldsProps {
  readonly fields: readonly BundleField[]
  readonly entered: Entered
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (key: string, value: string | boolean) => void
}

export function BundleFields({ fields, entered, errors, onChange }: BundleFieldsProps) {
  return (
    <div className="stack bundle-fields">
      {fields.map((field) => (
        <div key={field.key} data-field={field.key}>
          <OneField
            field={field}
            value={entered[field.key] ?? ''}
            error={errors[field.key]}
            onChange={(value) => onChange(field.key, value)}
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
  const secret = field.sensitive ? t`A secret, ${secretStorageLabel(keeper)} and never in the file.` : ''
  return (
    <Field
      label={title}
      note={field.required && !field.kept ? t`needed` : undefined}
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
        const path = { field, ids, text, onChange }
        if (field.type === 'directory' || field.type === 'file') return field.multiple ? <PathsField {...path} /> : <PathField {...path} />
        const common = { ...ids, value: text, onChange: ({ target }: { target: { value: string } }) => onChange(target.value) }
        if (field.multiple) return <TextArea {...common} mono rows={Math.min(6, text.split('\n').length + 1)} placeholder={t`One a line`} />
        return (
          <TextInput
            {...common}
            className={field.sensitive ? 'hidden-text' : undefined}
            placeholder={field.kept ? t`Kept. Leave it empty to keep it.` : undefined}
            inputMode={field.type === 'number' ? 'decimal' : undefined}
          />
        )
      }}
    </Field>
  )
}
