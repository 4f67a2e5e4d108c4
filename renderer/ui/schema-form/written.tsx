// What is written as text and means another value: as it is typed, it may mean none yet.
import { useState } from 'react'
import type { Json } from '#app/json.ts'
import { type ReadJson, readJson } from '#app/schema-form/exact-json.ts'
import { t } from '#app/words/translate.ts'
import { type FieldIds, TextArea, TextInput } from '#renderer/ui/field.tsx'
import type { FormState } from './types.ts'

interface WrittenProps {
  readonly ids: FieldIds
  readonly at: string
  readonly value: Json
  readonly state: FormState
  readonly read: (text: string) => ReadJson
  readonly many?: boolean
  readonly onChange: (value: Json) => void
}

export function Written({ ids, at, value, state, read, many, onChange }: WrittenProps) {
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

/** `007` is a number to a person, and none to JSON. */
export function readNumber(text: string): ReadJson {
  const trimmed = text.trim()
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed)) return { kind: 'broken', words: t`A number is needed.` }
  return readJson(trimmed.replace(/^(-?)0+(?=\d)/, '$1'))
}
