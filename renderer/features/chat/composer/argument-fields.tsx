// Fields for the arguments of a prompt or the variables of a URI template. The server suggests values (MCP, "Completion").

import { type Ref, useState } from 'react'
import type { Argument } from '#app/chat/attachments/attachment.ts'
import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import type { CompletionQuery } from '#app/server/completion.ts'
import { expandTemplate, templateVariables } from '#app/uri-template.ts'
import { Field, SuggestingInput } from '#renderer/ui/field.tsx'
import { useHostAnswer } from '#renderer/ui/lib/use-host-answer.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

type Values = Readonly<Record<string, string>>

export function useTemplate(server: string, uriTemplate: string) {
  const [values, setValues] = useState<Values>({})
  const variables = templateVariables(uriTemplate)
  return {
    uri: expandTemplate(uriTemplate, values),
    /** Whether a variable has a value, or there is none. */
    isReady: variables.length === 0 || variables.some((variable) => ownMember(values, variable)),
    fields: {
      server,
      of: { type: 'ref/resource' as const, uri: uriTemplate },
      fields: variables.map((name) => ({ name })),
      values,
      onChange: setValues,
    },
  }
}

interface ArgumentFieldsProps {
  readonly server: string
  readonly of: CompletionQuery['ref']
  readonly fields: readonly Argument[]
  readonly values: Values
  readonly onChange: (values: Values) => void
  readonly first?: Ref<HTMLInputElement>
}

export function ArgumentFields({ fields, first, ...rest }: ArgumentFieldsProps) {
  return fields.map((field, index) => <ArgumentField key={field.name} field={field} input={index === 0 ? first : undefined} {...rest} />)
}

type ArgumentFieldProps = Omit<ArgumentFieldsProps, 'fields' | 'first'> & {
  readonly field: Argument
  readonly input: Ref<HTMLInputElement> | undefined
}

function ArgumentField({ field, input, server, of, values, onChange }: ArgumentFieldProps) {
  const [focused, setFocused] = useState(false)
  const value = ownMember(values, field.name) ?? ''
  const suggestions = useSuggestions(server, of, field.name, values, focused)
  return (
    <Field
      label={<VisibleText text={field.title ?? field.name} />}
      note={field.required ? t`required` : undefined}
      help={field.description && <VisibleText text={field.description} />}
    >
      {(ids) => (
        <SuggestingInput
          {...ids}
          ref={input}
          suggestions={suggestions}
          value={value}
          maxLength={10_000}
          required={field.required}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onText={(text) => onChange({ ...values, [field.name]: text })}
        />
      )}
    </Field>
  )
}

function useSuggestions(server: string, ref: CompletionQuery['ref'], name: string, values: Values, wanted: boolean): readonly string[] {
  const { [name]: value = '', ...others } = values
  const query = { ref, argument: { name, value }, context: { arguments: others } }
  return useHostAnswer('server.complete', wanted ? { name: server, query } : undefined).value?.values ?? []
}
