// A value as its JSON text, and what is wrong with it by its schema. Form and JSON are two views of that one text, so that
// going from one to the other loses nothing: the form writes the text anew only where something is changed in it.
import { useDeferredValue, useMemo, useState } from 'react'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { type Checked, createCheck } from '#app/schema-form/check.ts'
import { readJson } from '#app/schema-form/exact-json.ts'
import { partOf } from '#app/schema-form/shape.ts'
import { t } from '#app/words/translate.ts'
import type { FormState } from './types.ts'

export type SchemaView = 'form' | 'json'

export interface SchemaText {
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
  const part = partOf(schema, {}, { root: schema, depth: 0 })
  if (part.shape.kind !== 'object') return part.shape.kind === 'variants'
  return part.shape.members.length > 0 || part.schema['properties'] !== undefined || part.schema['additionalProperties'] !== undefined
}

/** The object, or why it is none. */
function readArguments(text: string): JsonObject | string {
  const read = readJson(text)
  if (read.kind === 'broken') return read.words
  const value: Json = read.value
  return isJsonObject(value) ? value : t`It has to be an object in braces.`
}
