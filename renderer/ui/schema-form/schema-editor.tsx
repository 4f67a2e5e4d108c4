// A value edited as a form made from its JSON Schema, or as JSON. Both are views of one JSON text: the form writes the text anew only
// where a control changes its own part, so going from one to the other loses nothing. The schema is a server's: its words are data,
// and its size is bounded (`app/schema-form`).
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { type Checked, createCheck } from '#app/schema-form/check-value.ts'
import { parseExactJson } from '#app/schema-form/exact-json.ts'
import { formPartOf } from '#app/schema-form/form-controls.ts'
import { FieldError, Segmented, TextArea } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { Members } from './members.tsx'
import { SchemaFormPart } from './part.tsx'
import { errorAt, type FormState } from './types.ts'
import './schema-form.css'

type SchemaView = 'form' | 'json'

type SchemaText = ReturnType<typeof useSchemaText>

type Places = FormState['errors']
const none: Places = {}
const isBelow = (place: string, at: string): boolean => place === at || place.startsWith(`${at}/`)

interface Options {
  readonly schema: JsonObject
  readonly text: string
  readonly onText: (text: string) => void
}

export function useSchemaText({ schema, text, onText }: Options) {
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
  const state: FormState = {
    root: schema,
    errors: { ...Object.fromEntries(Object.entries(errors).filter(([place]) => isSeen(place))), ...unread },
    Part: SchemaFormPart,
    setBroken: (at, problem) => setUnread((before) => (problem === undefined ? drop(before, at) : { ...before, [at]: problem })),
    touch: (at) => setTouched((before) => (before.includes(at) ? before : [...before, at])),
    forget(at) {
      setUnread((before) => drop(before, at))
      setTouched((before) => before.filter((place) => !isBelow(place, at)))
    },
  }
  return {
    text,
    /** Whether the schema says something that a form can show. */
    hasForm,
    view: hasForm && value !== undefined ? view : 'json',
    setView,
    /** Undefined while the text is not the JSON of an object; `broken` says why. */
    value,
    broken: typeof read === 'string' ? read : undefined,
    /** Some field holds text that is no value yet. */
    unwritten: Object.keys(unread).length > 0,
    /** Assent cannot check by this schema; the server does. */
    unchecked: checked.kind === 'unchecked',
    state,
    write: onText,
    change: (next: JsonObject): void => onText(JSON.stringify(next, null, 2)),
    /** Shows all errors from now on. Returns their number, and the value where it can be one. */
    tryAll(): { readonly wrong: number; readonly value: JsonObject | undefined } {
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

/** Returns the object, or a sentence about why it is none. */
function readArguments(text: string): JsonObject | string {
  const read = parseExactJson(text)
  if (read.kind === 'broken') return read.words
  return isJsonObject(read.value) ? read.value : t`Write an object in braces.`
}

function SchemaForm({ editor: { state, change }, value }: { readonly editor: SchemaText; readonly value: JsonObject }) {
  const { shape } = formPartOf(state.root, value, { root: state.root, depth: 0 })
  const error = errorAt(state.errors, '')
  if (shape.kind === 'object')
    return (
      <>
        <Members shape={shape} value={value} at="" depth={0} state={state} onChange={change} />
        {error && <FieldError>{error}</FieldError>}
      </>
    )
  return (
    <SchemaFormPart
      label={t`All`}
      needed
      schema={state.root}
      value={value}
      at=""
      depth={0}
      state={state}
      onChange={(next) => change(next as JsonObject)}
    />
  )
}

interface SchemaEditorProps {
  readonly editor: SchemaText
  /** Lines that the JSON shows before it scrolls. */
  readonly rows: number
  readonly label: string
  readonly error?: string | undefined
  readonly autoFocus?: boolean
}

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
        <SchemaForm editor={editor} value={value} />
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
        {editor.unchecked && <p className="help">{t`Only the server can check this schema.`}</p>}
      </div>
    </div>
  )
}

function Listed({ errors }: { readonly errors: Places }) {
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
