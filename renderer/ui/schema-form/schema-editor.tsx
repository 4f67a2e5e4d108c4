// A value in the form that its schema gives or as JSON; below it, what is wrong with all of it. A form made from a JSON Schema.
// Each control changes its own part of the value and nothing else; a part that no control shows is its JSON. The schema is a
// server's: its words are data, and what makes a form of it is bounded (`app/schema-form`). A value as its JSON text, and what
// is wrong with it by its schema. Form and JSON are two views of that one text, so that going from one to the other loses
// nothing: the form writes the text anew only where something is changed in it.
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type Checked, createCheck } from '#app/schema-form/check-value.ts'
import { parseExactJson } from '#app/schema-form/exact-json.ts'
import { formPartOf } from '#app/schema-form/form-controls.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { FieldError, TextArea } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { Members } from './members.tsx'
import { SchemaFormPart } from './part.tsx'
import { errorAt, type FormState } from './types.ts'
import './schema-form.css'

type SchemaView = 'form' | 'json'

interface SchemaText {
  readonly schema: JsonObject
  readonly text: string
  /** The schema says something that a form can show. */
  readonly hasForm: boolean
  readonly view: SchemaView
  readonly setView: (view: SchemaView) => void
  /** Undefined while the text is not the JSON of an object. */
  readonly value: JsonObject | undefined
  /** Why it is not. */
  readonly broken: string | undefined
  /** There are fields that hold no value yet. */
  readonly unwritten: boolean
  /** All that is wrong, by JSON Pointer. */
  readonly errors: Readonly<Record<string, string>>
  /** Assent cannot check by this schema; the server does. */
  readonly unchecked: boolean
  /** What the form's fields need. */
  readonly state: FormState
  readonly write: (text: string) => void
  readonly change: (value: JsonObject) => void
  /** Shows all that is wrong from now on. How much is wrong, and the value where it can be one at all. */
  readonly tryAll: () => { readonly wrong: number; readonly value: JsonObject | undefined }
}

interface Options {
  readonly schema: JsonObject
  readonly text: string
  readonly onText: (text: string) => void
}

type Places = Readonly<Record<string, string>>
const none: Places = {}
const isBelow = (place: string, at: string): boolean => place === at || place.startsWith(`${at}/`)

export function useSchemaText({ schema, text, onText }: Options): SchemaText {
  const [view, setView] = useState<SchemaView>('form')
  const [unread, setUnread] = useState(none)
  const [touched, setTouched] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const hasForm = useMemo(() => saysEnough(schema), [schema])
  const check = useMemo(() => createCheck(schema), [schema])
  const read = useMemo(() => readArguments(text), [text])
  const value = typeof read === 'string' ? undefined : read
  const later = useDeferredValue(value)
  const checked = useMemo<Checked>(() => (later ? check(later) : { kind: 'checked', errors: {} }), [check, later])
  const errors = checked.kind === 'checked' ? checked.errors : none
  const isSeen = (place: string): boolean => tried || touched.some((at) => isBelow(place, at))
  const drop = (places: Places, at: string): Places => Object.fromEntries(Object.entries(places).filter(([place]) => !isBelow(place, at)))
  return {
    schema,
    text,
    hasForm,
    view: hasForm && value !== undefined ? view : 'json',
    setView,
    value,
    broken: typeof read === 'string' ? read : undefined,
    unwritten: Object.keys(unread).length > 0,
    errors: { ...errors, ...unread },
    unchecked: checked.kind === 'unchecked',
    state: {
      root: schema,
      errors: { ...Object.fromEntries(Object.entries(errors).filter(([place]) => isSeen(place))), ...unread },
      Part: SchemaFormPart,
      setBroken: (at, problem) => setUnread((before) => (problem === undefined ? drop(before, at) : { ...before, [at]: problem })),
      touch: (at) => setTouched((before) => (before.includes(at) ? before : [...before, at])),
      forget(at) {
        setUnread((before) => drop(before, at))
        setTouched((before) => before.filter((place) => !isBelow(place, at)))
      },
    },
    write: onText,
    change: (next) => onText(JSON.stringify(next, null, 2)),
    tryAll() {
      setTried(true)
      if (value === undefined) return { wrong: 1, value }
      const now = check(value)
      const places = new Set([...Object.keys(now.kind === 'checked' ? now.errors : {}), ...Object.keys(unread)])
      return { wrong: places.size, value }
    },
  }
}

function saysEnough(schema: JsonObject): boolean {
  const part = formPartOf(schema, {}, { root: schema, depth: 0 })
  if (part.shape.kind !== 'object') return part.shape.kind === 'variants'
  return part.shape.members.length > 0 || part.schema['properties'] !== undefined || part.schema['additionalProperties'] !== undefined
}

/** The object, or why it is none. */
function readArguments(text: string): JsonObject | string {
  const read = parseExactJson(text)
  if (read.kind === 'broken') return read.words
  const value: Json = read.value
  return isJsonObject(value) ? value : t`It has to be an object in braces.`
}

interface SchemaFormProps {
  readonly value: JsonObject
  readonly state: FormState
  readonly onChange: (value: JsonObject) => void
}

function SchemaForm({ value, state, onChange }: SchemaFormProps) {
  const { shape } = formPartOf(state.root, value, { root: state.root, depth: 0 })
  const error = errorAt(state.errors, '')
  if (shape.kind === 'object')
    return (
      <>
        <Members shape={shape} value={value} at="" depth={0} state={state} onChange={onChange} />
        {error && <FieldError>{error}</FieldError>}
      </>
    )
  return (
    <SchemaFormPart
      label={t`All of it`}
      needed
      schema={state.root}
      value={value}
      at=""
      depth={0}
      state={state}
      onChange={(next) => onChange(next as JsonObject)}
    />
  )
}

interface SchemaEditorProps {
  readonly editor: SchemaText
  /** Of the JSON: lines that it shows at most before it scrolls. */
  readonly rows: number
  /** Of the JSON. */
  readonly label: string
  /** What follows from it, e.g. why it was not taken over. */
  readonly error?: string | undefined
  readonly autoFocus?: boolean
}

/** In a list of what is wrong. */
const MOST_LISTED = 8

export function SchemaEditor({ editor, rows, label, error, autoFocus }: SchemaEditorProps) {
  const id = useId()
  const { text, view, value, broken } = editor
  const words = broken ?? error
  return (
    <div className="stack tight">
      {editor.hasForm && (
        <div className="row">
          <Segmented<SchemaView>
            label={t`Edit as`}
            value={view}
            choices={[
              { value: 'form', label: t`Form`, disabled: value === undefined },
              { value: 'json', label: 'JSON', disabled: editor.unwritten },
            ]}
            onChange={editor.setView}
          />
        </div>
      )}
      {view === 'form' && value ? (
        <SchemaForm value={value} state={editor.state} onChange={editor.change} />
      ) : (
        <div className="field">
          <label htmlFor={id}>{label}</label>
          <TextArea
            id={id}
            mono
            rows={Math.min(rows, text.split('\n').length + 1)}
            value={text}
            autoFocus={autoFocus ?? false}
            aria-invalid={words ? true : undefined}
            aria-describedby={`${id}-error`}
            onChange={(event) => editor.write(event.target.value)}
          />
        </div>
      )}
      <div id={`${id}-error`} className="stack tight">
        {words && <FieldError>{words}</FieldError>}
        {view === 'json' && !broken && <Listed errors={editor.state.errors} />}
        {editor.unchecked && <p className="help">{t`Its schema is not one that Assent can check by: the server does that.`}</p>}
      </div>
    </div>
  )
}

function Listed({ errors }: { readonly errors: Readonly<Record<string, string>> }) {
  const all = Object.entries(errors)
  return (
    <>
      {all.slice(0, MOST_LISTED).map(([place, words]) => (
        <FieldError key={place}>
          <VisibleText className="mono" text={place || '/'} /> <VisibleText text={words} />
        </FieldError>
      ))}
      {all.length > MOST_LISTED && <p className="help">{tx`And ${all.length - MOST_LISTED} more.`}</p>}
    </>
  )
}
