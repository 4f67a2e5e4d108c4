// What a tool was when it was approved and what it is now, part by part; nothing of what changed is left out.
import { useMemo } from 'react'
import type { ApprovedDefinition, ToolDefinition } from '#app/consent/tool-definition.ts'
import type { JsonObject } from '#app/json.ts'
import { t } from '#app/words/translate.ts'
import { anyHidden } from '#renderer/ui/any-hidden.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { type DefinitionDiff, definitionDiff } from './definition-diff.ts'
import { ChangedParts } from './diff-view.tsx'

interface ChangedDefinitionProps {
  readonly previous: ApprovedDefinition
  readonly definition: ToolDefinition
}

export const useDefinitionDiff = (previous: ApprovedDefinition | undefined, definition: ToolDefinition): DefinitionDiff | undefined =>
  useMemo(() => previous && definitionDiff(previous.definition, definition), [previous, definition])

export function ChangedDefinition({ previous, definition }: ChangedDefinitionProps) {
  const diff = useDefinitionDiff(previous, definition)
  const hidden = anyHidden(definition as unknown as JsonObject)
  return (
    <>
      {hidden && (
        <Notice tone="bad" title={t`The new version holds a character that can’t be seen.`}>
          {t`It is spelled out where it stands. Nothing that a person is to read needs one.`}
        </Notice>
      )}
      {diff && <ChangedParts parts={diff.changed} />}
      {diff && diff.same.length > 0 && <p className="help">{tx`As it was: ${diff.same.join(', ')}.`}</p>}
    </>
  )
}
