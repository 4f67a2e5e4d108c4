// Arguments as JSON to change before allowing. Nothing is taken over until it is the JSON of an object that has what
// the tool needs; the server checks it against the whole of its schema.
import { useId, useState } from 'react'
import { isJsonObject, type JsonObject } from '#app/json.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FieldError, TextArea } from '#renderer/ui/field.tsx'
import { argumentProblem } from './argument-problem.ts'

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
  const use = (): void => {
    const checked = readArguments(text, schema)
    if (typeof checked === 'string') setError(checked)
    else onUse(checked)
  }
  return (
    <div className="field">
      <label htmlFor={id}>Arguments as JSON</label>
      <TextArea
        id={id}
        mono
        rows={Math.min(rows, text.split('\n').length + 1)}
        value={text}
        autoFocus
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => {
          onText(event.target.value)
          setError(undefined)
        }}
      />
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
