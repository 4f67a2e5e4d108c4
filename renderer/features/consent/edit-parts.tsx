// What stands around the arguments of a tool call in its card and its sheet: the editor, and that the person edited.
import { useMemo } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import { definitionAsked } from '#app/consent/tool-definition.ts'
import { t } from '#app/words/translate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Badge } from '#renderer/ui/marks.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { ArgumentEditor } from './argument-editor.tsx'
import { ChangedDefinition } from './changed-definition.tsx'
import { ToolWords } from './tool-words.tsx'
import type { ToolDecision } from './use-tool-decision.ts'

interface EditPartProps {
  readonly request: ToolCallRequest
  readonly decision: ToolDecision
}

export function OpenEditor({ request, decision, rows }: EditPartProps & { readonly rows: number }) {
  if (decision.text === undefined) return null
  return (
    <ArgumentEditor
      text={decision.text}
      schema={request.inputSchema}
      rows={rows}
      onText={decision.write}
      onUse={decision.use}
      onCancel={decision.leave}
    />
  )
}

export function EditedByYou({ decision }: Pick<EditPartProps, 'decision'>) {
  if (!decision.edited || decision.text !== undefined) return null
  return (
    <p className="row">
      <Badge tone="ink">{t`edited by you`}</Badge>
      <Button size="sm" variant="ghost" onClick={decision.undo}>
        {t`Back to what the model wrote`}
      </Button>
    </p>
  )
}

export function ChangedTool({ request, decision }: EditPartProps) {
  if (!decision.changed) return null
  return (
    <Notice tone="warn" title={t`“${request.server}” changed this tool.`}>
      {tx`Read what it is for now. ${request.why.kind === 'tool-changed' && t`What you allowed before no longer counts.`}`}
    </Notice>
  )
}

/** What it is now, against what it was, where that is kept. */
export function ChangedWords({ request }: { readonly request: ToolCallRequest }) {
  const definition = useMemo(() => definitionAsked(request), [request])
  if (request.previous) return <ChangedDefinition previous={request.previous} definition={definition} />
  return <ToolWords {...request} />
}

export function HiddenCharacter({ decision }: Pick<EditPartProps, 'decision'>) {
  if (!decision.hidden) return null
  return (
    <Notice tone="bad" title={t`An argument holds a character that can’t be seen.`}>
      {t`It is spelled out where it stands. Allow it only if you know why it is there.`}
    </Notice>
  )
}
