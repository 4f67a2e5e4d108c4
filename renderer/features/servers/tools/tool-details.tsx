// Facts of one tool: what its server says of it, marked as claims unless the server is trusted, its cost, its arguments and
// results, and what the standing rules say about a call. The broker alone decides.

import type { ReactNode } from 'react'
import { isVoid } from '#app/consent/rules/decide.ts'
import { type CallFacts, isAbout, isExpired } from '#app/consent/rules/match-rule.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { Fact } from '#renderer/ui/text/section.tsx'
import { VisibleText, WholeVisibleText } from '#renderer/ui/visible-text.tsx'

export type ToolPermission = 'off' | 'asks' | 'allowed' | 'allowed-in-chats' | 'in-part' | 'never' | 'changed'

/** Outcome of a model's call of the tool, by the rules. `trusted`: the tool's annotations count as facts. */
export function toolPermission(
  rules: readonly Rule[],
  { server, trusted, now }: { readonly server: string; readonly trusted: boolean; readonly now: number },
  tool: ToolEntry,
): ToolPermission {
  if (!tool.enabled) return 'off'
  const about = rules.filter((rule) => !isExpired(rule, now) && isAbout(factsOf(rule, server, tool, trusted), rule))
  const whole = about.filter((rule) => (rule.conditions ?? []).length === 0 && rule.onlyArguments === undefined)
  const allows = whole.filter((rule) => rule.effect === 'allow')
  if (whole.some((rule) => rule.effect === 'deny')) return 'never'
  if (about.some((rule) => isVoid({ tool: tool.name, fingerprint: tool.fingerprint }, rule))) return 'changed'
  if (whole.length < about.length) return 'in-part'
  if (whole.some((rule) => rule.effect === 'ask')) return 'asks'
  if (allows.some((rule) => rule.scope.kind === 'always')) return 'allowed'
  return allows.length > 0 ? 'allowed-in-chats' : 'asks'
}

/** Facts of some call of the tool, in the chat that the rule is about. */
const factsOf = ({ scope }: Rule, server: string, tool: ToolEntry, trusted: boolean): CallFacts => ({
  server,
  tool: tool.name,
  conversationId: scope.kind === 'conversation' ? scope.conversationId : undefined,
  fingerprint: tool.fingerprint,
  readOnly: trusted && tool.annotations?.readOnlyHint === true,
  arguments: {},
  paths: new Map(),
  mode: 'rules',
  now: 0,
})

export const permissionLabels: Record<ToolPermission, string> = {
  off: t`off`,
  asks: t`asks`,
  allowed: t`your rule`,
  'allowed-in-chats': t`your rule, in one chat`,
  'in-part': t`your rules, for some arguments`,
  never: t`never`,
  changed: t`asks`,
}

/** Tools whose name, title or description hold every word of the search. */
export function searchTools(tools: readonly ToolEntry[], search: string): ToolEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter((tool) => {
    const text = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Parameters of a JSON schema, required ones first. */
export function parameterLabels(schema: ToolEntry['inputSchema']) {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(recordIn(schema['properties']))
    .map(([name, value]) => {
      const { enum: choices, type, description } = recordIn(value)
      return {
        name,
        type: Array.isArray(choices)
          ? t`one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`
          : typeof type === 'string'
            ? type
            : '',
        required: required.includes(name),
        description: typeof description === 'string' ? description : '',
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}

const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Labels of a tool's annotations (MCP, "Tool annotations"). */
function annotationLabels(annotations: ToolEntry['annotations']): string[] {
  if (!annotations) return []
  const words: string[] = []
  if (annotations.readOnlyHint === true) words.push(t`read-only`)
  else if (annotations.destructiveHint === true) words.push(t`destructive`)
  else if (annotations.destructiveHint === false) words.push(t`not destructive`)
  else if (annotations.readOnlyHint === false) words.push(t`not read-only`)
  if (annotations.idempotentHint === true && annotations.readOnlyHint !== true) words.push(t`safe to repeat`)
  if (annotations.openWorldHint === true) words.push(t`network`)
  if (annotations.openWorldHint === false) words.push(t`no network`)
  return words
}

interface ToolFactsProps {
  readonly trusted: boolean
  readonly tool: ToolEntry
  readonly children?: ReactNode
}

export function ToolFacts({ trusted, tool, children }: ToolFactsProps) {
  const claims = annotationLabels(tool.annotations)
  return (
    <>
      {tool.description ? (
        <p className="said-by-server">
          “<WholeVisibleText text={tool.description} />”
        </p>
      ) : (
        <p className="faint">{t`No description`}</p>
      )}
      <dl className="kv">
        {claims.length > 0 && (
          <Fact label={t`Claims`}>
            {claims.join(', ')}
            {trusted ? null : <span className="faint"> · {t`not trusted`}</span>}
          </Fact>
        )}
        <dt>{t`Name for the model`}</dt>
        <VisibleText as="dd" className="mono" text={tool.modelName} />
        {children}
        <Parameters label={t`Arguments`} list={parameterLabels(tool.inputSchema)} />
        {tool.outputSchema && <Parameters label={t`Returns`} list={parameterLabels(tool.outputSchema)} />}
      </dl>
    </>
  )
}

/** Parameters that are listed at most; the schema has them all. */
const mostShown = 100

function Parameters({ label, list }: { readonly label: string; readonly list: ReturnType<typeof parameterLabels> }) {
  if (list.length === 0) return null
  return (
    <Fact label={label}>
      <ul className="stack tight">
        {list.slice(0, mostShown).map(({ name, type, required, description }) => (
          <li key={name}>
            <VisibleText className="mono" text={name} />{' '}
            <VisibleText className="faint" text={[type, required ? t`required` : ''].filter(Boolean).join(', ')} />
            {description ? <VisibleText className="help block" text={`“${description}”`} /> : null}
          </li>
        ))}
        {list.length > mostShown && <li className="help">{tx`And ${list.length - mostShown} more.`}</li>}
      </ul>
    </Fact>
  )
}
