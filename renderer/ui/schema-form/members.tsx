import { useId, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { isJsonObject, type Json, type JsonObject, pointerTo } from '#app/json.ts'
import { blankFor, withMember } from '#app/schema-form/blank-value.ts'
import type { Member, Shape } from '#app/schema-form/form-controls.ts'
import { resolveSchema } from '#app/schema-form/resolve-schema.ts'
import { SmallGhostButton } from '#renderer/ui/button.tsx'
import { FieldError, TextInput } from '#renderer/ui/field.tsx'
import { isTyping } from '#renderer/ui/lib/is-typing.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { VisibleText, WholeVisibleText } from '#renderer/ui/visible-text.tsx'
import { errorAt, type PartProps } from './types.ts'

interface MembersProps extends Pick<PartProps, 'at' | 'depth' | 'state'> {
  readonly shape: Extract<Shape, { kind: 'object' }>
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
}

export function Members({ shape, value, at, depth, state, onChange }: MembersProps) {
  const more = shape.members.length === 0 && at === '' && namesNothing(state.root) ? undefined : shape.more
  const leaveOut = (name: string): void => {
    state.forget(at + pointerTo(name))
    onChange(withMember(value, name, undefined))
  }
  return (
    <div className="arg-form">
      {shape.members.length === 0 && more === undefined && <p className="help">{t`There is nothing to fill in.`}</p>}
      {shape.members.map((member) => {
        const place = at + pointerTo(member.name)
        const set = (next: Json): void => onChange(withMember(value, member.name, next))
        if (!Object.hasOwn(value, member.name)) return <Absent key={member.name} member={member} place={place} state={state} onAdd={set} />
        return (
          <div key={member.name} className="arg-part">
            <state.Part
              label={<VisibleText text={member.name} />}
              needed={member.needed}
              schema={member.schema}
              value={value[member.name] ?? null}
              at={place}
              depth={depth + 1}
              state={state}
              onChange={set}
            />
            {!member.needed && (
              <SmallGhostButton onClick={() => leaveOut(member.name)}>
                {tx`Leave out ${<VisibleText text={member.name} />}`}
              </SmallGhostButton>
            )}
          </div>
        )
      })}
      {more !== undefined && <NewMember schema={more} value={value} root={state.root} onChange={onChange} />}
    </div>
  )
}

/** Whether a tool takes no arguments, by its schema. JSON Schema itself would let any through; they can be written as JSON. */
const namesNothing = ({ additionalProperties, patternProperties, propertyNames, minProperties }: JsonObject): boolean =>
  [additionalProperties, patternProperties, propertyNames, minProperties].every((rule) => rule === undefined)

interface AbsentProps extends Pick<MembersProps, 'state'> {
  readonly member: Member
  readonly place: string
  readonly onAdd: (value: Json) => void
}

function Absent({ member, place, state, onAdd }: AbsentProps) {
  const id = useId()
  const error = errorAt(state.errors, place)
  const schema = resolveSchema(member.schema, state.root)
  const proposed = isJsonObject(schema) ? schema['default'] : undefined
  const short = proposed !== undefined && typeof proposed !== 'object' ? JSON.stringify(proposed).slice(0, 60) : undefined
  const description = isJsonObject(schema) ? schema['description'] : undefined
  return (
    <div className="field">
      <span className="row">
        <VisibleText className="label" text={member.name} />
        <span className="req">
          {member.needed ? t`required` : t`not set`}
          {short && <>, {tx`Default ${<VisibleText text={short} />}`}</>}
        </span>
        <SmallGhostButton aria-describedby={error ? id : undefined} onClick={() => onAdd(blankFor(member.schema, state.root))}>
          {tx`Add ${<VisibleText text={member.name} />}`}
        </SmallGhostButton>
      </span>
      {typeof description === 'string' && (
        <span className="help cut">
          “<WholeVisibleText text={description} />”
        </span>
      )}
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  )
}

type NewMemberProps = Pick<MembersProps, 'value' | 'onChange'> & { readonly schema: Json; readonly root: JsonObject }

/** Adds a member that the schema does not name. */
function NewMember({ schema, value, root, onChange }: NewMemberProps) {
  const [name, setName] = useState('')
  const taken = Object.hasOwn(value, name)
  const add = (): void => {
    if (name === '' || taken) return
    onChange(withMember(value, name, blankFor(schema, root)))
    setName('')
  }
  return (
    <span className="row">
      <TextInput
        mono
        className="arg-name"
        aria-label={t`Name`}
        placeholder={t`Name`}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isTyping(event)) return
          event.preventDefault()
          add()
        }}
      />
      <SmallGhostButton disabled={name === '' || taken} onClick={add}>{t`Add`}</SmallGhostButton>
      {taken && <span className="help">{t`It is in the list.`}</span>}
    </span>
  )
}
