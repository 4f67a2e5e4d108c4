// The server's description of a tool, whole and marked as its words; its changes since it was approved; its claims by annotations. Claims
// that make a call look harmless count only where the person trusts the server, which is said with them.
import { useMemo } from 'react'
import type { ToolCallRequest } from '#app/consent/request.ts'
import type { ApprovedDefinition, ToolDefinition } from '#app/consent/tool-definition.ts'
import { t } from '#app/i18n/translate.ts'
import type { JsonObject } from '#app/json.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { BadNotice } from '#renderer/ui/notice.tsx'
import { anyHidden, ServerName, VisibleText, WholeVisibleText } from '#renderer/ui/visible-text.tsx'
import { definitionDiff } from './definition-diff.ts'
import { ChangedParts } from './diff-view.tsx'

/** The tool's annotations, and whether they count; undefined where there are none. Those that make a call look harmless need trust. */
export function claimSentence({ annotations = {}, trusted }: ToolCallRequest): string | undefined {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const harmless = [
    readOnlyHint === true && t`read-only`,
    destructiveHint === false && t`not destructive`,
    idempotentHint === true && t`safe to repeat`,
    openWorldHint === false && t`no network`,
  ].filter((word) => word !== false)
  const harmful = [destructiveHint === true && t`destructive`, openWorldHint === true && t`network`].filter((word) => word !== false)
  if (harmful.length + harmless.length === 0) return undefined
  const claims = t`Claims: ${[...harmful, ...harmless].join(', ')}`
  return harmless.length === 0 ? claims : `${claims} · ${trusted ? t`trusted` : t`not trusted`}`
}

type ChangedDefinitionProps = { readonly previous: ApprovedDefinition; readonly definition: ToolDefinition }

export const useDefinitionDiff = (previous: ApprovedDefinition | undefined, definition: ToolDefinition) =>
  useMemo(() => previous && definitionDiff(previous.definition, definition), [previous, definition])

export function ChangedDefinition({ previous, definition }: ChangedDefinitionProps) {
  const diff = useDefinitionDiff(previous, definition)
  const hidden = anyHidden(definition as unknown as JsonObject)
  return (
    <>
      {hidden && <BadNotice title={t`Hidden characters.`}>{t`They are spelled out. Go on only if you know why they are there.`}</BadNotice>}
      {diff && <ChangedParts parts={diff.changed} />}
      {diff && diff.same.length > 0 && <p className="help">{tx`Unchanged: ${diff.same.join(', ')}.`}</p>}
    </>
  )
}

type ToolDescriptionProps = Pick<ToolCallRequest, 'server' | 'tool' | 'title' | 'description'>

export const ToolDescription = ({ server, tool, title, description }: ToolDescriptionProps) => (
  <div className="sec">
    <p className="label">{tx`Description from ${<ServerName name={server} />} for ${<VisibleText className="mono" text={tool} />}`}</p>
    {title && <Quoted text={title} />}
    {description ? <Quoted text={description} /> : <p className="help">{t`No description`}</p>}
  </div>
)

const Quoted = ({ text }: { readonly text: string }) => (
  <p className="tool-words">
    “<WholeVisibleText text={text} />”
  </p>
)

export function Claims({ request }: { readonly request: ToolCallRequest }) {
  const claim = claimSentence(request)
  return claim === undefined ? null : <VisibleText text={` ${claim}`} />
}
