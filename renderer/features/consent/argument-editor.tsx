// Arguments to change before allowing, in the form that the tool's schema gives or as JSON. Nothing is taken over until it
// is the JSON of an object that fits the schema, as far as Assent can tell; the server checks it too.
import { useState } from 'react'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SchemaEditor } from '#renderer/ui/schema-form/schema-editor.tsx'
import { useSchemaText } from '#renderer/ui/schema-form/use-schema-text.ts'

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
  const [error, setError] = useState<string | undefined>(undefined)
  const editor = useSchemaText({
    schema,
    text,
    onText: (next) => {
      setError(undefined)
      onText(next)
    },
  })
  const use = (): void => {
    const { wrong, value } = editor.tryAll()
    if (wrong > 0) setError(wrong === 1 ? t`1 value to correct.` : t`${wrong} values to correct.`)
    else if (value) onUse(value)
  }
  return (
    <div className="field">
      <SchemaEditor editor={editor} rows={rows} label={t`Arguments as JSON`} error={error} autoFocus />
      <div className="row">
        <Button size="sm" onClick={use}>
          {t`Use these`}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {t`Leave as it was`}
        </Button>
      </div>
    </div>
  )
}
