// What the card and the sheet of a tool call share beside the arguments: the editor, the notices, the refusal at length.

import { useEffect, useMemo, useRef, useState } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { BadNotice, WarnNotice } from '#renderer/ui/notice.tsx'
import { SchemaEditor, useSchemaText } from '#renderer/ui/schema-form/schema-editor.tsx'
import { DenyReason } from '../request/answer-buttons.tsx'
import { forRefusal, onceOnly, ScopeChoice } from '../request/scope-choice.tsx'
import { definitionAsked } from './definition-diff.ts'
import { ChangedDefinition, ToolDescription } from './tool-description.tsx'
import type { ToolDecision } from './use-tool-decision.ts'

interface ArgumentEditorProps {
  readonly decision: Pick<ToolDecision, 'text' | 'write' | 'use' | 'leave'>
  readonly schema: JsonObject
  /** Lines that the JSON shows before it scrolls. */
  readonly rows: number
}

/** Edits arguments as a form or as JSON. Only the JSON of an object that fits the schema, as far as Assent can tell, is taken over. */
export function ArgumentEditor({ decision: { text = '', write, use, leave }, schema, rows }: ArgumentEditorProps) {
  const [error, setError] = useState<string | undefined>(undefined)
  const place = useRef<HTMLDivElement>(null)
  // Opened by its key: focus is on the heading then.
  useEffect(() => {
    const card = document.activeElement?.closest('[data-request]')
    if (!place.current || !card?.contains(place.current)) return
    const field = place.current.querySelector<HTMLElement>('textarea, input:not([type="checkbox"], [type="radio"])')
    // Without a value there is no field yet.
    ;(field ?? place.current.querySelector<HTMLElement>('input, button'))?.focus()
  }, [])
  const editor = useSchemaText({
    schema,
    text,
    onText(next) {
      setError(undefined)
      write(next)
    },
  })
  const takeOver = (): void => {
    const { wrong, value } = editor.tryAll()
    if (wrong > 0) setError(t`${wrong} {value|values} to correct.`)
    else if (value) use(value)
  }
  return (
    <div className="field" ref={place}>
      <SchemaEditor editor={editor} rows={rows} label={t`Arguments as JSON`} error={error} autoFocus />
      <div className="row">
        <SmallButton onClick={takeOver}>{t`Apply`}</SmallButton>
        <SmallGhostButton onClick={leave}>{t`Cancel`}</SmallGhostButton>
      </div>
    </div>
  )
}

type EditPartProps = { readonly request: ToolCallRequest; readonly decision: ToolDecision }

export function EditedByYou({ decision }: Pick<EditPartProps, 'decision'>) {
  if (!decision.edited || decision.text !== undefined) return null
  return (
    <p className="row">
      <Badge tone="ink">{t`edited by you`}</Badge>
      <SmallGhostButton onClick={decision.undo}>{t`Undo`}</SmallGhostButton>
    </p>
  )
}

export function ChangedTool({ request, decision }: EditPartProps) {
  if (!decision.changed) return null
  return (
    <WarnNotice title={t`The tool has changed.`}>
      {request.why.kind === 'tool-changed' && t`Your earlier rules no longer apply.`}
    </WarnNotice>
  )
}

/** The tool's description now, compared with the approved one where that is kept. */
export function ChangedText({ request }: { readonly request: ToolCallRequest }) {
  const definition = useMemo(() => definitionAsked(request), [request])
  if (request.previous) return <ChangedDefinition previous={request.previous} definition={definition} />
  return <ToolDescription {...request} />
}

export function HiddenCharacter({ decision }: Pick<EditPartProps, 'decision'>) {
  if (!decision.hidden) return null
  return <BadNotice title={t`Hidden characters.`}>{t`They are spelled out. Go on only if you know why they are there.`}</BadNotice>
}

type DenyForLongProps = EditPartProps & { readonly onCancel: () => void }

/** A refusal with its scope and a reason, which the model reads. */
export function DenyForLong({ request, decision, onCancel }: DenyForLongProps) {
  const [chosen, setChosen] = useState(onceOnly)
  return (
    <>
      <ScopeChoice
        request={request}
        value={chosen}
        offer={decision.offer && forRefusal(decision.offer)}
        onChange={setChosen}
        effect="deny"
      />
      <DenyReason
        onDeny={(word, stop) => decision.deny(word, stop, chosen)}
        onCancel={onCancel}
        lasting={chosen.choice === 'narrow' || chosen.choice === 'always'}
      />
    </>
  )
}
