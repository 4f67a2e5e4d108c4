// One part of a value, with the control that its schema gives it and the server's words about it.
import { type ReactNode, useEffect, useId, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject } from '#app/json.ts'
import { blankFor, inOtherForm } from '#app/schema-form/blank-value.ts'
import { type ExactJson, parseExactJson } from '#app/schema-form/exact-json.ts'
import { type EnumChoice, type FormPart, formPartOf, indexOfChoice, type Shape } from '#app/schema-form/form-controls.ts'
import { formatProblem } from '#app/schema-form/string-formats.ts'
import { IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Checkbox, ChooseOne, Field, FieldError, type FieldIds, Select, Switch, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText, WholeVisibleText } from '#renderer/ui/visible-text.tsx'
import { Members } from './members.tsx'
import { errorAt, type PartProps } from './types.ts'

type ItemsProps = PartProps & { readonly list: Extract<Shape, { kind: 'list' }> }

function Items({ list, label, value, at, depth, state, onChange }: ItemsProps) {
  const id = useId()
  const [moved, setMoved] = useState<string | undefined>(undefined)
  // The button that was pressed stands at another place now, and keeps the focus there.
  useEffect(() => {
    if (moved === undefined) return
    document.getElementById(moved)?.focus()
    setMoved(undefined)
  }, [moved])
  const items: readonly Json[] = Array.isArray(value) ? value : []
  const schemaOf = (index: number): Json | undefined => list.first[index] ?? list.item
  const move = (index: number, by: 1 | -1): void => {
    const next = [...items]
    next.splice(index + by, 0, ...next.splice(index, 1))
    state.forget(at)
    onChange(next)
    // At the edge that button is dead: the other one takes the focus.
    const last = index + by === (by < 0 ? 0 : items.length - 1)
    setMoved(`${id}-${index + by}-${by < 0 === last ? 'down' : 'up'}`)
  }
  const remove = (index: number): void => {
    state.forget(at)
    onChange(items.filter((_, place) => place !== index))
  }
  const moves = [
    { by: -1, name: 'up', icon: 'chevron-up', edge: 0, label: (number: number) => t`Move item ${number} up` },
    { by: 1, name: 'down', icon: 'chevron-down', edge: items.length - 1, label: (number: number) => t`Move item ${number} down` },
  ] as const
  const next = schemaOf(items.length)
  return (
    <div className="arg-form">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no other identity.
        <div key={`${items.length} ${index}`} className="arg-part">
          <state.Part
            label={
              <>
                {label} {index + 1}
              </>
            }
            needed={false}
            schema={schemaOf(index) ?? false}
            value={item}
            at={`${at}/${index}`}
            depth={depth + 1}
            state={state}
            onChange={(changed) => onChange(items.map((one, place) => (place === index ? changed : one)))}
          />
          <span className="row">
            <SmallGhostButton onClick={() => remove(index)}>{tx`Remove ${label} ${index + 1}`}</SmallGhostButton>
            {items.length > 1 &&
              list.first.length === 0 &&
              moves.map(({ by, name, icon, edge, label }) => (
                <IconButton
                  key={name}
                  id={`${id}-${index}-${name}`}
                  label={label(index + 1)}
                  icon={icon}
                  small
                  disabled={index === edge}
                  onClick={() => move(index, by)}
                />
              ))}
          </span>
        </div>
      ))}
      {next !== undefined && (
        <SmallGhostButton onClick={() => onChange([...items, blankFor(next, state.root)])}>{tx`Add to ${label}`}</SmallGhostButton>
      )}
    </div>
  )
}

const wordsOf = ({ value, title }: EnumChoice): string => {
  const spelled = typeof value === 'string' ? value : JSON.stringify(value)
  return title === undefined ? spelled : `${title} (${spelled})`
}

interface ChoiceProps {
  readonly choices: readonly EnumChoice[]
  readonly value: Json
  readonly onChange: (value: Json) => void
}

/** Several values of an enumeration, sent in the order of the schema. */
function SeveralChoices({ choices, value, onChange }: ChoiceProps) {
  const chosen = Array.isArray(value) ? value.map((one: Json) => ({ value: one })) : []
  const isChosen = (choice: EnumChoice): boolean => indexOfChoice(chosen, choice.value) >= 0
  return (
    <div className="grid2 choices">
      {choices.map((choice) => (
        <Checkbox
          key={JSON.stringify(choice.value)}
          checked={isChosen(choice)}
          label={<VisibleText text={wordsOf(choice)} />}
          onChange={(on) => onChange(choices.filter((one) => (one === choice ? on : isChosen(one))).map((one) => one.value))}
        />
      ))}
    </div>
  )
}

interface WrittenProps extends Pick<PartProps, 'at' | 'value' | 'state' | 'onChange'> {
  readonly ids: FieldIds
  readonly read: (text: string) => ExactJson
  readonly many?: boolean
}

/** A value written as text, which may mean no value while the person types. */
function Written({ ids, at, value, state, read, many, onChange }: WrittenProps) {
  const spelled = JSON.stringify(value, null, 2)
  const [text, setText] = useState(spelled)
  const means = read(text)
  const shown = means.kind === 'read' && JSON.stringify(means.value) !== JSON.stringify(value) ? spelled : text
  const write = (next: string): void => {
    setText(next)
    const meant = read(next)
    state.setBroken(at, meant.kind === 'broken' ? meant.words : undefined)
    if (meant.kind === 'read') onChange(meant.value)
  }
  if (many)
    return (
      <TextArea {...ids} mono rows={Math.min(10, shown.split('\n').length)} value={shown} onChange={(event) => write(event.target.value)} />
    )
  return <TextInput {...ids} className="num" inputMode="decimal" value={shown} onChange={(event) => write(event.target.value)} />
}

/** Reads a number as a person writes it: JSON allows no `007`. */
function readNumber(text: string): ExactJson {
  const trimmed = text.trim()
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed)) return { kind: 'broken', words: t`Enter a number.` }
  return parseExactJson(trimmed.replace(/^(-?)0+(?=\d)/, '$1'))
}

interface TextPartProps extends Pick<WrittenProps, 'ids'> {
  readonly text: string
  readonly format: string | undefined
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

/** Characters above which text gets a box with room for all of it. */
const LONG = 400

function TextPart({ ids, text, format, onChange, onLeave }: TextPartProps) {
  // The browser's date field cannot show text that is no date.
  if (format === 'date' && (text === '' || formatProblem('date', text) === undefined))
    return (
      <TextInput {...ids} className="num" type="date" value={text} onBlur={onLeave} onChange={(event) => onChange(event.target.value)} />
    )
  const rows = text.includes('\n') || text.length > LONG ? Math.min(16, text.split('\n').length + 1) : 1
  // A text area keeps line breaks, which a text field would drop.
  return <TextArea {...ids} rows={rows} value={text} onBlur={onLeave} onChange={(event) => onChange(event.target.value)} />
}

export function SchemaFormPart(props: PartProps) {
  const { schema, value, depth, state, onChange } = props
  const [picked, setPicked] = useState<number | undefined>(undefined)
  const part = formPartOf(schema, value, { root: state.root, depth, picked })
  const isNull = part.shape.kind === 'null'
  const toggleNull = (): void => onChange(isNull ? withoutNull(blankFor(part.schema, state.root), part, state.root) : null)
  return (
    <>
      <Control {...props} part={part} onPick={setPicked} />
      {part.nullable && (
        <SmallGhostButton onClick={toggleNull}>{isNull ? tx`Set ${props.label}` : tx`Make ${props.label} null`}</SmallGhostButton>
      )}
    </>
  )
}

/** The first value of a part that leaves null. */
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
    <Field label={label} note={needed ? t`required` : undefined} help={help} error={error} warning={error ? undefined : warning}>
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
      return field((ids) => <TextArea {...ids} mono readOnly rows={1} value={JSON.stringify(shape.value)} />)
    case 'choice':
      return field((ids) => (
        <ChooseOne
          ids={ids}
          label={at}
          value={String(indexOfChoice(shape.choices, value))}
          onChoose={(index) => change(shape.choices[Number(index)]?.value ?? null)}
          options={shape.choices.map((choice, index) => [String(index), wordsOf(choice)])}
        />
      ))
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
        (ids) => <Written ids={ids} at={at} value={value} state={state} read={parseExactJson} many onChange={change} />,
        shape.why === 'another-type' ? t`It does not match the schema, so it is shown as JSON.` : undefined,
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

/** A part that holds other parts. */
function Group({ shape, help, error, part: _part, onPick, ...props }: GroupProps) {
  const id = useId()
  const { label, needed, value, at, depth, state, onChange } = props
  const about = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className="field" aria-describedby={about || undefined}>
      <legend className="label">
        {label} {needed && <span className="req">{t`required`}</span>}
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

type VariantsProps = PartProps & Pick<ControlProps, 'onPick'> & { readonly shape: Extract<Shape, { kind: 'variants' }> }

function Variants({ shape, onPick, ...props }: VariantsProps) {
  const { label, value, at, state, onChange } = props
  const variant = shape.variants[shape.at]
  return (
    <div className="arg-form">
      <Select
        aria-label={t`Form`}
        value={String(shape.at)}
        onChange={(event) => {
          const next = Number(event.target.value)
          onPick(next)
          state.forget(at)
          onChange(inOtherForm(value, shape.variants[next]?.schema ?? {}, state.root))
        }}
        options={shape.variants.map(({ title }, index) => [String(index), title])}
      />
      {variant && <SchemaFormPart key={shape.at} {...props} label={label} needed={false} schema={variant.schema} depth={props.depth + 1} />}
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
          “<WholeVisibleText text={words.join(': ')} />”
        </>
      )}
      {shown.length > 0 && <> {tx`For example ${<VisibleText text={shown.join(', ')} />}`}</>}
    </>
  )
}
