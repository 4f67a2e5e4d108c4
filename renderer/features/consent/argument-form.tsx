// The arguments as a form. Each control changes its own part of the value and nothing else; a part that no control shows
// is its JSON.
import { type ReactNode, useState } from 'react'
import { pointerTo } from '#app/consent/match.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Field, type FieldIds, Select, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Revealed, revealedText } from '#renderer/ui/revealed.tsx'
import { isLong } from './argument-blocks.ts'
import { blankFor, controlFor, type FormPart, partsOf, withMember } from './form-parts.ts'

export interface FormState {
  readonly errors: Readonly<Record<string, string>>
  /** What is written there is no value yet: undefined, it is again. */
  readonly setBroken: (at: string, problem: string | undefined) => void
}

interface FormProps extends FormState {
  readonly schema: JsonObject
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
}

export function ArgumentForm({ schema, value, onChange, ...state }: FormProps) {
  return <Members parts={partsOf(schema, value)} value={value} at="" depth={0} onChange={onChange} state={state} />
}

interface MembersProps {
  readonly parts: readonly FormPart[]
  readonly value: JsonObject
  readonly at: string
  readonly depth: number
  readonly onChange: (value: JsonObject) => void
  readonly state: FormState
}

function Members({ parts, value, at, depth, onChange, state }: MembersProps) {
  return (
    <div className="arg-form">
      {parts.map((part) => {
        const place = at + pointerTo(part.name)
        const label = <Revealed text={part.name} />
        if (!Object.hasOwn(value, part.name))
          return (
            <div key={part.name} className="field">
              <span className="row">
                <span className="label">{label}</span>
                <span className="req">{part.needed ? 'needed' : 'not sent'}</span>
                <Button size="sm" variant="ghost" onClick={() => onChange(withMember(value, part.name, blankFor(part.schema)))}>
                  Add <Revealed text={part.name} />
                </Button>
              </span>
              {state.errors[place] && <span className="err">{state.errors[place]}</span>}
            </div>
          )
        const remove = part.needed ? undefined : () => onChange(withMember(value, part.name, undefined))
        return (
          <div key={part.name} className="arg-part">
            <Part
              label={label}
              needed={part.needed}
              schema={part.schema}
              value={value[part.name] ?? null}
              at={place}
              depth={depth + 1}
              state={state}
              onChange={(next) => onChange(withMember(value, part.name, next))}
            />
            {remove && (
              <Button size="sm" variant="ghost" onClick={remove}>
                Leave out <Revealed text={part.name} />
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}

interface PartProps {
  readonly label: ReactNode
  readonly needed: boolean
  readonly schema: JsonObject
  readonly value: Json
  readonly at: string
  readonly depth: number
  readonly state: FormState
  readonly onChange: (value: Json) => void
}

function Part({ label, needed, schema, value, at, depth, state, onChange }: PartProps) {
  const control = controlFor(schema, value, depth)
  const { description } = schema
  const help =
    typeof description === 'string' ? (
      <>
        “<Revealed text={description} />”
      </>
    ) : undefined
  const error = state.errors[at]
  const field = (show: (ids: FieldIds) => ReactNode): ReactNode => (
    <Field label={label} note={needed ? 'needed' : undefined} help={help} error={error}>
      {show}
    </Field>
  )
  switch (control.kind) {
    case 'boolean':
      return <Switch label={label} help={help} checked={value === true} onChange={onChange} />
    case 'choice':
      return field((ids) => (
        <Select
          {...ids}
          value={String(control.options.indexOf(value))}
          onChange={(event) => onChange(control.options[Number(event.target.value)] ?? null)}
        >
          {control.options.map((option, index) => (
            <option key={JSON.stringify(option)} value={index}>
              {revealedText(String(option))}
            </option>
          ))}
        </Select>
      ))
    case 'text': {
      const text = String(value)
      // One that can break lines never loses one that is there.
      return field((ids) => (
        <TextArea
          {...ids}
          rows={isLong(text) ? Math.min(16, text.split('\n').length + 1) : 1}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ))
    }
    case 'number':
      return field((ids) => <Written ids={ids} at={at} value={value} state={state} read={readNumber} onChange={onChange} />)
    case 'json':
      return field((ids) => <Written ids={ids} at={at} value={value} state={state} read={readJson} many onChange={onChange} />)
    case 'object':
    case 'list':
      return (
        <fieldset className="field">
          <legend className="label">{label}</legend>
          {help && <span className="help">{help}</span>}
          {control.kind === 'object' ? (
            <Members
              parts={control.fields}
              value={isJsonObject(value) ? value : {}}
              at={at}
              depth={depth}
              onChange={onChange}
              state={state}
            />
          ) : (
            <Items {...{ label, needed, value, at, depth, state, onChange }} schema={control.item} />
          )}
          {error && <span className="err">{error}</span>}
        </fieldset>
      )
  }
}

/** `schema`: of an item. */
function Items({ label, schema, value, at, depth, state, onChange }: PartProps) {
  const items: readonly Json[] = Array.isArray(value) ? value : []
  return (
    <div className="arg-form">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no other identity.
        <div key={`${items.length} ${index}`} className="arg-part">
          <Part
            label={
              <>
                {label} {index + 1}
              </>
            }
            needed={false}
            schema={schema}
            value={item}
            at={`${at}/${index}`}
            depth={depth + 1}
            state={state}
            onChange={(next) => onChange(items.map((one, place) => (place === index ? next : one)))}
          />
          <Button size="sm" variant="ghost" onClick={() => onChange(items.filter((_, place) => place !== index))}>
            Remove {label} {index + 1}
          </Button>
        </div>
      ))}
      <Button size="sm" variant="ghost" onClick={() => onChange([...items, blankFor(schema)])}>
        Add to {label}
      </Button>
    </div>
  )
}

interface WrittenProps {
  readonly ids: FieldIds
  readonly at: string
  readonly value: Json
  readonly state: FormState
  /** Undefined: it is no value. */
  readonly read: (text: string) => Json | undefined
  readonly many?: boolean
  readonly onChange: (value: Json) => void
}

/** What is written as text and means another value: as it is typed, it may mean none yet. */
function Written({ ids, at, value, state, read, many, onChange }: WrittenProps) {
  const spelled = JSON.stringify(value, null, 2)
  const [text, setText] = useState(spelled)
  const means = read(text)
  const shown = means !== undefined && JSON.stringify(means) !== JSON.stringify(value) ? spelled : text
  const write = (next: string): void => {
    setText(next)
    const meant = read(next)
    state.setBroken(at, meant === undefined ? (many ? 'This is not JSON.' : 'A number is needed.') : undefined)
    if (meant !== undefined) onChange(meant)
  }
  if (many)
    return (
      <TextArea {...ids} mono rows={Math.min(10, shown.split('\n').length)} value={shown} onChange={(event) => write(event.target.value)} />
    )
  return <TextInput {...ids} className="num" inputMode="decimal" value={shown} onChange={(event) => write(event.target.value)} />
}

const readNumber = (text: string): Json | undefined =>
  /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim()) && Number.isFinite(Number(text)) ? Number(text) : undefined

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // Said at the field.
  }
}
