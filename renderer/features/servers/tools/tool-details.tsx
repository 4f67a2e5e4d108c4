// All that is known of one tool: what its server says of it, marked as that, what it costs, and what it takes and gives. A
// tool's annotations in words (MCP, "Tool annotations"). They are the server's claims: said as such unless it is trusted. What
// happens when a model calls a tool, as far as the standing rules say. Pure; the broker alone decides.

import type { ReactNode } from 'react'
import { isVoid } from '#app/consent/rules/decide.ts'
import { type CallFacts, isAbout, isExpired } from '#app/consent/rules/match-rule.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { ServerName } from '#renderer/ui/named-text.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

export type ToolPermission = 'off' | 'asks' | 'allowed' | 'allowed-in-chats' | 'in-part' | 'never' | 'changed'

/** `trusted`: what its tools claim of themselves counts. */
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

/** Of some call of it, in the chat that the rule is about. */
const factsOf = ({ scope }: Rule, server: string, tool: ToolEntry, trusted: boolean): CallFacts => ({
  server,
  tool: tool.name,
  conversationId: scope.kind === 'conversation' ? scope.conversationId : undefined,
  fingerprint: tool.fingerprint,
  readOnly: trusted && tool.annotations?.readOnlyHint === true,
  closedWorld: trusted && tool.annotations?.openWorldHint === false,
  arguments: {},
  paths: new Map(),
  mode: 'rules',
  now: 0,
})

export const permissionLabels: Record<ToolPermission, string> = {
  off: t`off, the model doesn’t see it`,
  asks: t`asks`,
  allowed: t`your rule`,
  'allowed-in-chats': t`your rule, in a chat`,
  'in-part': t`your rules, by its arguments`,
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

/** The parameters that a schema names, required ones first. */
export function parameterLabels(
  schema: ToolEntry['inputSchema'],
): { readonly name: string; readonly type: string; readonly required: boolean; readonly description: string }[] {
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return []
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties)
    .map(([name, value]) => {
      const entry = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
      const type = Array.isArray(entry['enum'])
        ? t`one of ${entry['enum'].map((one) => JSON.stringify(one)).join(', ')}`
        : typeof entry['type'] === 'string'
          ? entry['type']
          : ''
      return {
        name,
        type,
        required: required.includes(name),
        description: typeof entry['description'] === 'string' ? entry['description'] : '',
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}

function annotationLabels(annotations: ToolEntry['annotations']): string[] {
  if (!annotations) return []
  const words: string[] = []
  if (annotations.readOnlyHint === true) words.push(t`only reads`)
  else if (annotations.destructiveHint === true) words.push(t`can destroy`)
  else if (annotations.destructiveHint === false) words.push(t`only adds`)
  else if (annotations.readOnlyHint === false) words.push(t`changes things`)
  if (annotations.idempotentHint === true && annotations.readOnlyHint !== true) words.push(t`same result when repeated`)
  if (annotations.openWorldHint === true) words.push(t`reaches outside`)
  if (annotations.openWorldHint === false) words.push(t`stays inside`)
  return words
}

interface ToolFactsProps {
  readonly server: string
  /** Its server's word counts. */
  readonly trusted: boolean
  readonly tool: ToolEntry
  /** More rows of the list. */
  readonly children?: ReactNode
}

export function ToolFacts({ server, trusted, tool, children }: ToolFactsProps) {
  const claims = annotationLabels(tool.annotations)
  const takes = parameterLabels(tool.inputSchema)
  const gives = tool.outputSchema ? parameterLabels(tool.outputSchema) : []
  return (
    <>
      {tool.description ? (
        <p className="said-by-server">
          “<VisibleText text={tool.description} />”
        </p>
      ) : (
        <p className="faint">{tx`${<ServerName name={server} />} gives no description.`}</p>
      )}
      <dl className="kv">
        {claims.length > 0 && (
          <>
            <dt>{trusted ? t`It is said to` : t`It claims`}</dt>
            <dd>
              {claims.join(', ')}
              {trusted ? null : <span className="faint"> · {t`not counted, you don’t trust it on this`}</span>}
            </dd>
          </>
        )}
        <dt>{t`Model sees it as`}</dt>
        <dd className="mono">
          <VisibleText text={tool.modelName} />
        </dd>
        {children}
        {takes.length > 0 && (
          <>
            <dt>{t`Arguments`}</dt>
            <dd>
              <Parameters of={takes} />
            </dd>
          </>
        )}
        {gives.length > 0 && (
          <>
            <dt>{t`Gives back`}</dt>
            <dd>
              <Parameters of={gives} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

/** More are read in the schema. */
const mostShown = 100

function Parameters({ of }: { readonly of: ReturnType<typeof parameterLabels> }) {
  return (
    <ul className="stack tight">
      {of.slice(0, mostShown).map(({ name, type, required, description }) => (
        <li key={name}>
          <span className="mono">
            <VisibleText text={name} />
          </span>{' '}
          <span className="faint">
            <VisibleText text={[type, required ? t`needed` : ''].filter(Boolean).join(', ')} />
          </span>
          {description ? (
            <span className="help block">
              “<VisibleText text={description} />”
            </span>
          ) : null}
        </li>
      ))}
      {of.length > mostShown && <li className="help">{tx`And ${of.length - mostShown} more.`}</li>}
    </ul>
  )
}
