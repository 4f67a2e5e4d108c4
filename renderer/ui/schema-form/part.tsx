// One part of a value with the control that its schema gives it, and what the server says of it.
import { type ReactNode, useId, useState } from 'react'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { blankFor, inOtherForm } from '#app/schema-form/blank.ts'
import { readJson } from '#app/schema-form/exact-json.ts'
import { formatProblem } from '#app/schema-form/formats.ts'
import { type Part as FormPart, partOf, type Shape } from '#app/schema-form/shape.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/choices.tsx'
import { Field, FieldError, type FieldIds, Select, TextInput } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ChoiceSelect, SeveralChoices } from './choice.tsx'
import { Items } from './items.tsx'
import { Members } from './members.tsx'
import { TextPart } from './text-part.tsx'
import { errorAt, type PartProps } from './types.ts'
import { readNumber, Written } from './written.tsx'

export function Part(props: PartProps) {
  const { schema, value, depth, state, onChange } = props
  const [picked, setPicked] = useState<number | undefined>(undefined)
  const part = partOf(schema, value, { root: state.root, depth, picked })
  const blank = (): void => onChange(withoutNull(blankFor(part.schema, state.root), part, state.root))
  return (
    <>
      <Control {...props} part={part} onPick={setPicked} />
      {part.nullable && part.shape.kind !== 'null' && (
        <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
          {tx`Make ${props.label} null`}
        </Button>
      )}
      {part.nullable && part.shape.kind === 'null' && (
        <Button size="sm" variant="ghost" onClick={blank}>
          {tx`Give ${props.label} a value`}
        </Button>
      )}
    </>
  )
}

/** What it begins with where it is not to be null. */
function withoutNull(blank: Json, { schema }: FormPart, root: JsonObject): Json {
  if (blank !== null) return blank
  const { type, default: _, ...rest } = schema
  const types = Array.isArray(type) ? (type as readonly Json[]).filter((one) => one !== 'null') : undefined
  const variants = (['oneOf', 'anyOf'] as const).flatMap((key) => {
    const listed = schema[key]
    return Array.isArray(listed) ? (listed as readonly Json[]) : []
  })
  const tries = [...(types ? types.map((one) => ({ ...rest, type: one })) : []), ...variants]
  return tries.map((one) => blankFor(one, root)).find((one) => one !== null) ?? ''
}

interface ControlProps extends PartProps {
  readonly part: FormPart
  readonly onPick: (at: number) => void
}

function Control(props: ControlProps) {
  const { label, needed, value, at, depth, state, part, onChange } = props
  const { shape } = part
  const help = helpOf(part.schema)
  const change = (next: Json): void => {
    state.touch(at)
    onChange(next)
  }
  const inner = shape.kind === 'json' || shape.kind === 'several' || shape.kind === 'fixed'
  const error = errorAt(state.errors, at, inner)
  const field = (show: (ids: FieldIds) => ReactNode, warning?: string): ReactNode => (
    <Field label={label} note={needed ? t`needed` : undefined} help={help} error={error} warning={error ? undefined : warning}>
      {show}
    </Field>
  )
  switch (shape.kind) {
    case 'boolean':
      return (
        <>
          <Switch label={label} help={help} checked={value === true} onChange={change} />
          {error && <FieldError>{error}</FieldError>}
        </>
      )
    case 'null':
      return field((ids) => <TextInput {...ids} mono readOnly value="null" />)
    case 'fixed':
      return field((ids) => <TextInput {...ids} mono readOnly value={JSON.stringify(shape.value)} />)
    case 'choice':
      return field((ids) => <ChoiceSelect ids={ids} choices={shape.choices} value={value} onChange={change} />)
    case 'text': {
      const text = String(value)
      const warning = shape.format === undefined || text === '' ? undefined : formatProblem(shape.format, text)
      return field(
        (ids) => <TextPart ids={ids} text={text} format={shape.format} onChange={change} onLeave={() => state.touch(at)} />,
        warning,
      )
    }
    case 'number':
      return field((ids) => <Written ids={ids} at={at} value={value} state={state} read={readNumber} onChange={change} />)
    case 'json':
      return field(
        (ids) => <Written ids={ids} at={at} value={value} state={state} read={readJson} many onChange={change} />,
        shape.why === 'another-type' ? t`It is not what the server says belongs here, so it stands here as JSON.` : undefined,
      )
    default:
      return <Group {...props} shape={shape} help={help} error={error} depth={depth} onChange={change} />
  }
}

interface GroupProps extends ControlProps {
  readonly shape: Extract<Shape, { kind: 'object' | 'list' | 'several' | 'variants' }>
  readonly help: ReactNode
  readonly error: string | undefined
}

/** What holds other parts. */
function Group({ shape, help, error, part: _part, onPick, ...props }: GroupProps) {
  const id = useId()
  const { label, needed, value, at, depth, state, onChange } = props
  const about = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className="field" aria-describedby={about || undefined}>
      <legend className="label">
        {label} {needed && <span className="req">{t`needed`}</span>}
      </legend>
      {help && (
        <span className="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {shape.kind === 'object' && (
        <Members shape={shape} value={isJsonObject(value) ? value : {}} at={at} depth={depth} state={state} onChange={onChange} />
      )}
      {shape.kind === 'list' && <Items {...props} list={shape} />}
      {shape.kind === 'several' && <SeveralChoices choices={shape.choices} value={value} onChange={onChange} />}
      {shape.kind === 'variants' && <Variants {...props} shape={shape} onPick={onPick} />}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}

interface VariantsProps extends PartProps {
  readonly shape: Extract<Shape, { kind: 'variants' }>
  readonly onPick: (at: number) => void
}

function Variants({ shape, onPick, ...props }: VariantsProps) {
  const { label, value, at, state, onChange } = props
  const variant = shape.variants[shape.at]
  return (
    <div className="arg-form">
      <Select
        aria-label={t`Which form it has`}
        value={String(shape.at)}
        onChange={(event) => {
          const next = Number(event.target.value)
          onPick(next)
          state.forget(at)
          onChange(inOtherForm(value, shape.variants[next]?.schema ?? {}, state.root))
        }}
      >
        {shape.variants.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have one title.
          <option key={index} value={index}>
            {title}
          </option>
        ))}
      </Select>
      {variant && <Part key={shape.at} {...props} label={label} needed={false} schema={variant.schema} depth={props.depth + 1} />}
    </div>
  )
}

function helpOf({ title, description, examples }: JsonObject): ReactNode {
  const words = [title, description].filter((one): one is string => typeof one === 'string' && one !== '')
  const shown = Array.isArray(examples)
    ? (examples as readonly Json[])
        .filter((one) => typeof one !== 'object')
        .slice(0, 3)
        .map((one) => JSON.stringify(one).slice(0, 80))
    : []
  if (words.length === 0 && shown.length === 0) return undefined
  return (
    <>
      {words.length > 0 && (
        <>
          “<Revealed text={words.join(': ')} />”
        </>
      )}
      {shown.length > 0 && <> {tx`For example ${<Revealed text={shown.join(', ')} />}`}</>}
    </>
  )
}
