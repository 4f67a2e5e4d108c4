// Arguments to change before allowing, in the form that the tool's schema gives or as JSON: two views of one text, so that
// going from one to the other loses nothing. Nothing is taken over until it is the JSON of an object that has what the
// tool needs; the server checks it against the whole of its schema.
import { useId, useState } from 'react'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Segmented } from '#renderer/ui/choices.tsx'
import { FieldError, TextArea } from '#renderer/ui/field.tsx'
import { ArgumentForm } from './argument-form.tsx'
import { argumentProblem } from './argument-problem.ts'
import { formErrors } from './form-parts.ts'

interface ArgumentEditorProps {
  readonly text: string
  readonly schema: JsonObject
  /** Lines that it shows at most before it scrolls. */
  readonly rows: number
  readonly onText: (text: string) => void
  readonly onUse: (value: JsonObject) => void
  readonly onCancel: () => void
}

export function ArgumentEditor({ text, schema, rows, onText, onUse, onCancel }: ArgumentEditorProps) {
  const id = useId()
  const [error, setError] = useState<string | undefined>(undefined)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [broken, setBroken] = useState<Readonly<Record<string, string>>>({})
  const [view, setView] = useState<'form' | 'json'>(isJsonObject(schema['properties']) ? 'form' : 'json')
  const value = readObject(text)
  const inForm = view === 'form' && value !== undefined
  const write = (next: string): void => {
    onText(next)
    setError(undefined)
    setErrors({})
  }
  const use = (): void => {
    if (inForm) {
      const wrong = { ...formErrors(value, schema), ...broken }
      setErrors(wrong)
      const count = Object.keys(wrong).length
      if (count > 0) {
        setError(count === 1 ? '1 value to correct.' : `${count} values to correct.`)
        return
      }
    }
    const checked = readArguments(text, schema)
    if (typeof checked === 'string') setError(checked)
    else onUse(checked)
  }
  return (
    <div className="field">
      {isJsonObject(schema['properties']) && (
        <Segmented
          label="Edit as"
          value={inForm ? 'form' : 'json'}
          choices={[
            { value: 'form', label: 'Form', disabled: value === undefined },
            { value: 'json', label: 'JSON', disabled: Object.keys(broken).length > 0 },
          ]}
          onChange={setView}
        />
      )}
      {inForm ? (
        <ArgumentForm
          schema={schema}
          value={value}
          errors={{ ...errors, ...broken }}
          setBroken={(at, problem) =>
            setBroken(({ [at]: _, ...others }) => (problem === undefined ? others : { ...others, [at]: problem }))
          }
          onChange={(next) => write(JSON.stringify(next, null, 2))}
        />
      ) : (
        <>
          <label htmlFor={id}>Arguments as JSON</label>
          <TextArea
            id={id}
            mono
            rows={Math.min(rows, text.split('\n').length + 1)}
            value={text}
            autoFocus
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => write(event.target.value)}
          />
        </>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="row">
        <Button size="sm" onClick={use}>
          Use these
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Leave as it was
        </Button>
      </div>
    </div>
  )
}

/** Undefined while what is written is no JSON object. */
function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined // Said when it is to be used.
  }
}

/** The arguments, or what is wrong with the text. */
export function readArguments(text: string, schema: JsonObject): JsonObject | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
  if (!isJsonObject(value)) return 'The arguments must be an object in braces.'
  return argumentProblem(value, schema) ?? value
}
