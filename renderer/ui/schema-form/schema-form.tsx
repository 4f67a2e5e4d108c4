// A form made from a JSON Schema. Each control changes its own part of the value and nothing else; a part that no control
// shows is its JSON. The schema is a server's: its words are data, and what makes a form of it is bounded (`app/schema-form`).
import type { JsonObject } from '#app/json.ts'
import { partOf } from '#app/schema-form/shape.ts'
import { t } from '#app/words/translate.ts'
import { FieldError } from '#renderer/ui/field.tsx'
import { Members } from './members.tsx'
import { Part } from './part.tsx'
import './schema-form.css'
import { errorAt, type FormState } from './types.ts'

interface SchemaFormProps {
  readonly value: JsonObject
  readonly state: FormState
  readonly onChange: (value: JsonObject) => void
}

export function SchemaForm({ value, state, onChange }: SchemaFormProps) {
  const { shape } = partOf(state.root, value, { root: state.root, depth: 0 })
  const error = errorAt(state.errors, '')
  if (shape.kind === 'object')
    return (
      <>
        <Members shape={shape} value={value} at="" depth={0} state={state} onChange={onChange} />
        {error && <FieldError>{error}</FieldError>}
      </>
    )
  return (
    <Part
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
