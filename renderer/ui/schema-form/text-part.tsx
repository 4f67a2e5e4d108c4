import { formatProblem } from '#app/schema-form/formats.ts'
import { type FieldIds, TextArea, TextInput } from '#renderer/ui/field.tsx'

interface TextPartProps {
  readonly ids: FieldIds
  readonly text: string
  readonly format: string | undefined
  readonly onChange: (text: string) => void
  readonly onLeave: () => void
}

/** Text that is shown in a box with room for all of it. */
const LONG = 400

export function TextPart({ ids, text, format, onChange, onLeave }: TextPartProps) {
  // The browser's own field shows no text that is not a date, so it gets none.
  if (format === 'date' && (text === '' || formatProblem('date', text) === undefined))
    return (
      <TextInput {...ids} className="num" type="date" value={text} onBlur={onLeave} onChange={(event) => onChange(event.target.value)} />
    )
  const rows = text.includes('\n') || text.length > LONG ? Math.min(16, text.split('\n').length + 1) : 1
  // One that can break lines never loses one that is there.
  return <TextArea {...ids} rows={rows} value={text} onBlur={onLeave} onChange={(event) => onChange(event.target.value)} />
}
