// Changed tools: a tool that is not what approvals were given for pauses them and opens a request of its own. No call waits for it: a
// call of the tool asks by itself, with the same change shown. Only the person answers it, so the command line does not open it.
import type { ConsentAnswer, ToolChangedRequest } from '#app/consent/request.ts'
import { boundTo, isVoid } from '#app/consent/rules/decide.ts'
import { isExpired, isOfOtherProgram } from '#app/consent/rules/match-rule.ts'
import type { Rule } from '#app/consent/rules/rule.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { newId } from '#main/base/ids.ts'
import { type BrokerContext, requestBase } from '../broker-context.ts'
import { programNow } from '../persistent-rules.ts'
import type { AnsweredBy, Settled } from '../request-queue.ts'

/** Most open requests of one server; the next ones open as these are answered. */
const mostOpen = 20

interface Review {
  readonly control: AbortController
  /** Identifies the change: another change is another request. */
  readonly about: string
}

export function createChangedTools(context: BrokerContext) {
  const lists = new Map<string, readonly ToolEntry[]>()
  const reviews = new Map<string, Map<string, Review>>()

  function check(server: string, rules: readonly Rule[]): void {
    const open = reviews.get(server) ?? new Map<string, Review>()
    reviews.set(server, open)
    const listed = new Map((lists.get(server) ?? []).filter(({ enabled }) => enabled).map((tool) => [tool.name, tool]))
    for (const [name, { control }] of [...open]) if (!listed.has(name)) end(open, name, control)
    for (const tool of listed.values()) {
      const bound = rules.filter((rule) => isTheirs(context, server, rule) && boundTo({ tool: tool.name }, rule) !== undefined)
      const paused = pausedOf(context, server, tool, bound)
      if (paused.length === 0 && bound.length > 0) keepDefinition(context, server, tool)
      const about = JSON.stringify([tool.fingerprint, paused.map(({ id }) => id)])
      const review = open.get(tool.name)
      if (review?.about === about) continue
      if (review) end(open, tool.name, review.control)
      if (paused.length > 0 && open.size < mostOpen) put(open, server, tool, paused, { control: new AbortController(), about })
    }
  }

  function end(open: Map<string, Review>, name: string, control: AbortController): void {
    open.delete(name)
    control.abort(new HostError('cancelled', t`${name} has changed again.`, { data: { withdrawal: 'replaced' } }))
  }

  function put(open: Map<string, Review>, server: string, tool: ToolEntry, paused: readonly Rule[], review: Review): void {
    open.set(tool.name, review)
    const { signal } = review.control
    const kept = context.rules.definition(server, tool.name)
    const request: ToolChangedRequest = {
      ...requestBase(context, { server, signal }, { kind: 'tool-changed' }),
      kind: 'tool-changed',
      tool: tool.name,
      ...(paused.some((rule) => boundTo({ tool: tool.name }, rule) === kept?.fingerprint) ? { previous: kept } : {}),
      definition: definitionOf(tool),
      fingerprint: tool.fingerprint,
      paused: paused.map(({ id }) => id),
    }
    const settle = (answer: ConsentAnswer, by: AnsweredBy): Settled<undefined> => {
      const settled = take(context, request, tool, answer, by)
      open.delete(tool.name)
      context.emit('rules.changed', { rules: context.rules.list() })
      return settled
    }
    // What cannot be audited is not asked; the next listing tries again.
    context.queue.ask<undefined>({ request, origin: { signal }, withdrawn: undefined, settle }).catch(() => open.delete(tool.name))
  }

  return {
    /** Takes the present list of a server's tools; it is empty when the server is removed. */
    listed(server: string, tools: readonly ToolEntry[]): void {
      lists.set(server, tools)
      check(server, context.rules.list())
    },
    rulesChanged(): void {
      const rules = context.rules.list()
      for (const server of lists.keys()) check(server, rules)
    },
  }
}

const isTheirs = (context: BrokerContext, server: string, rule: Rule): boolean =>
  rule.server === server && !isOfOtherProgram(programNow(context, server), rule)

const pausedOf = (context: BrokerContext, server: string, { name, fingerprint }: ToolEntry, rules: readonly Rule[]): Rule[] =>
  rules.filter(
    (rule) => isTheirs(context, server, rule) && isVoid({ tool: name, fingerprint }, rule) && !isExpired(rule, context.clock.now()),
  )

const without = (definitions: Readonly<Record<string, string>>, tool: string): Record<string, string> =>
  Object.fromEntries(Object.entries(definitions).filter(([name]) => name !== tool))

/** Takes an answer. It is audited first, so that no rule is renewed without a row. */
function take(
  context: BrokerContext,
  request: ToolChangedRequest,
  tool: ToolEntry,
  answer: ConsentAnswer,
  by: AnsweredBy,
): Settled<undefined> {
  const { server, fingerprint } = request
  const paused = pausedOf(context, server, tool, context.rules.list())
  const drop = (): void => {
    for (const rule of paused) {
      context.audit.rule(rule, 'removed', by, { because: 'tool-changed', ...(rule.definitions ? { onlyFor: tool.name } : {}) })
      if (rule.definitions) context.rules.put({ ...rule, definitions: without(rule.definitions, tool.name) })
      else context.rules.remove(rule.id)
    }
  }
  if (answer.kind !== 'allow') {
    context.audit.decided(request, 'denied', by, answer.kind === 'deny' && answer.word ? { word: answer.word } : {})
    drop()
    const never: Rule = { id: newId(), effect: 'deny', server, tool: tool.name, scope: { kind: 'always' }, createdAt: context.clock.now() }
    context.audit.rule(never, 'added', by, { because: 'tool-changed' })
    context.rules.put(never)
    return { outcome: 'denied', value: undefined }
  }
  context.audit.decided(request, 'allowed', by, { scope: answer.scope })
  if (answer.scope === 'once') drop()
  else
    for (const rule of paused) {
      const renewed = rule.definitions
        ? { ...rule, definitions: { ...rule.definitions, [tool.name]: fingerprint } }
        : { ...rule, fingerprint }
      context.audit.rule(renewed, 'renewed', by, { previousFingerprint: boundTo({ tool: tool.name }, rule) ?? null })
      context.rules.put(renewed)
    }
  keepDefinition(context, server, tool)
  return { outcome: 'allowed', value: undefined }
}

/** Stores the accepted definition, so that a later change can be shown; not while rules for an earlier one are paused. */
export function keepDefinition(context: BrokerContext, server: string, tool: ToolEntry): void {
  if (context.rules.definition(server, tool.name)?.fingerprint === tool.fingerprint) return
  if (pausedOf(context, server, tool, context.rules.list()).length > 0) return
  const { fingerprint } = tool
  context.rules.putDefinition(server, { fingerprint, approvedAt: context.clock.now(), definition: definitionOf(tool) })
}
