// A value in the form that its schema gives or as JSON; below it, what is wrong with all of it.
import { useId } from 'react'
import { t } from '#app/words/translate.ts'
import { Segmented } from '#renderer/ui/choices.tsx'
import { FieldError, TextArea } from '#renderer/ui/field.tsx'
import { Revealed } from '#renderer/ui/revealed.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { SchemaForm } from './schema-form.tsx'
import type { SchemaText, SchemaView } from './use-schema-text.ts'

interface SchemaEditorProps {
  readonly editor: SchemaText
  /** Of the JSON: lines that it shows at most before it scrolls. */
  readonly rows: number
  /** Of the JSON. */
  readonly label: string
  /** What follows from it, e.g. why it was not taken over. */
  readonly error?: string | undefined
  readonly autoFocus?: boolean
}

/** In a list of what is wrong. */
const MOST_LISTED = 8

export function SchemaEditor({ editor, rows, label, error, autoFocus }: SchemaEditorProps) {
  const id = useId()
  const { text, view, value, broken } = editor
  const words = broken ?? error
  return (
    <div className="stack tight">
      {editor.hasForm && (
        <div className="row">
          <Segmented<SchemaView>
            label={t`Edit as`}
            value={view}
            choices={[
              { value: 'form', label: t`Form`, disabled: value === undefined },
              { value: 'json', label: 'JSON', disabled: editor.unwritten },
            ]}
            onChange={editor.setView}
          />
        </div>
      )}
      {view === 'form' && value ? (
        <SchemaForm value={value} state={editor.state} onChange={editor.change} />
      ) : (
        <div className="field">
          <label htmlFor={id}>{label}</label>
          <TextArea
            id={id}
            mono
            rows={Math.min(rows, text.split('\n').length + 1)}
            value={text}
            autoFocus={autoFocus ?? false}
            aria-invalid={words ? true : undefined}
            aria-describedby={`${id}-error`}
            onChange={(event) => editor.write(event.target.value)}
          />
        </div>
      )}
      <div id={`${id}-error`} className="stack tight">
        {words && <FieldError>{words}</FieldError>}
        {view === 'json' && !broken && <Listed errors={editor.state.errors} />}
        {editor.unchecked && <p className="help">{t`Its schema is not one that Assent can check by: the server does that.`}</p>}
      </div>
    </div>
  )
}

function Listed({ errors }: { readonly errors: Readonly<Record<string, string>> }) {
  const all = Object.entries(errors)
  return (
    <>
      {all.slice(0, MOST_LISTED).map(([place, words]) => (
        <FieldError key={place}>
          <span className="mono">
            <Revealed text={place || '/'} />
          </span>{' '}
          <Revealed text={words} />
        </FieldError>
      ))}
      {all.length > MOST_LISTED && <p className="help">{tx`And ${all.length - MOST_LISTED} more.`}</p>}
    </>
  )
}
