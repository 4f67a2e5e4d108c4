// Tools that are not what standing approvals were given for. Each is a question of its own, for which nothing waits: a
// call of the tool asks by itself, with the same change shown. Only the person answers it; where nobody can (the command
// line) it is not put. It goes once nothing is paused any more, and comes again with whatever the tool becomes next.
import { boundTo, isVoid } from '#app/consent/decide.ts'
import { isExpired, isOfOtherProgram } from '#app/consent/match.ts'
import type { ConsentAnswer, ToolChangedRequest } from '#app/consent/request.ts'
import type { Rule } from '#app/consent/rule.ts'
import { definitionOf } from '#app/consent/tool-definition.ts'
import { HostError } from '#app/errors.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import { type Kit, requestBase } from './kit.ts'
import { programNow } from './programs.ts'
import type { AnsweredBy, Settled } from './queue.ts'

export interface ChangedTools {
  /** What a server lists now; nothing: it is gone. */
  listed(server: string, tools: readonly ToolEntry[]): void
  /** After each change of the rules. */
  rulesChanged(): void
}

/** Of one server at a time; more would bury what waits. The next come as these are answered. */
const mostOpen = 20

interface Review {
  readonly control: AbortController
  /** What it is about: another change is another question. */
  readonly about: string
}

export function createChangedTools(kit: Kit): ChangedTools {
  const lists = new Map<string, readonly ToolEntry[]>()
  const reviews = new Map<string, Map<string, Review>>()

  function check(server: string, rules: readonly Rule[]): void {
    const open = reviews.get(server) ?? new Map<string, Review>()
    reviews.set(server, open)
    const listed = new Map((lists.get(server) ?? []).filter(({ enabled }) => enabled).map((tool) => [tool.name, tool]))
    for (const [name, { control }] of [...open]) if (!listed.has(name)) end(open, name, control)
    for (const tool of listed.values()) {
      const bound = rules.filter((rule) => isTheirs(kit, server, rule) && boundTo({ tool: tool.name }, rule) !== undefined)
      const paused = pausedOf(kit, server, tool, bound)
      if (paused.length === 0 && bound.length > 0) keepDefinition(kit, server, tool)
      const about = JSON.stringify([tool.fingerprint, paused.map(({ id }) => id)])
      const review = open.get(tool.name)
      if (review?.about === about) continue
      if (review) end(open, tool.name, review.control)
      if (paused.length > 0 && open.size < mostOpen) put(server, tool, paused, { control: new AbortController(), about })
    }
  }

  function end(open: Map<string, Review>, name: string, control: AbortController): void {
    open.delete(name)
    control.abort(new HostError('cancelled', t`What ${name} is has changed again.`, { data: { withdrawal: 'replaced' } }))
  }

  function put(server: string, tool: ToolEntry, paused: readonly Rule[], review: Review): void {
    const open = reviews.get(server)
    open?.set(tool.name, review)
    const { signal } = review.control
    const kept = kit.rules.definition(server, tool.name)
    const request: ToolChangedRequest = {
      ...requestBase(kit, { server, signal }, { kind: 'tool-changed' }),
      kind: 'tool-changed',
      tool: tool.name,
      ...(paused.some((rule) => boundTo({ tool: tool.name }, rule) === kept?.fingerprint) ? { previous: kept } : {}),
      definition: definitionOf(tool),
      fingerprint: tool.fingerprint,
      paused: paused.map(({ id }) => id),
    }
    const settle = (answer: ConsentAnswer, by: AnsweredBy): Settled<undefined> => {
      const settled = take(kit, request, tool, answer, by)
      open?.delete(tool.name)
      kit.emit('rules.changed', { rules: kit.rules.list() })
      return settled
    }
    // What cannot be put on record is not asked; the next listing tries again.
    kit.queue.ask<undefined>({ request, signal, withdrawn: undefined, settle }).catch(() => open?.delete(tool.name))
  }

  return {
    listed(server, tools) {
      lists.set(server, tools)
      check(server, kit.rules.list())
    },
    rulesChanged() {
      const rules = kit.rules.list()
      for (const server of lists.keys()) check(server, rules)
    },
  }
}

const isTheirs = (kit: Kit, server: string, rule: Rule): boolean =>
  rule.server === server && !isOfOtherProgram(programNow(kit, server), rule)

const pausedOf = (kit: Kit, server: string, { name, fingerprint }: ToolEntry, rules: readonly Rule[]): Rule[] =>
  rules.filter((rule) => isTheirs(kit, server, rule) && isVoid({ tool: name, fingerprint }, rule) && !isExpired(rule, kit.clock.now()))

/** The rule speaks of its other tools as before. */
const without = (definitions: Readonly<Record<string, string>>, tool: string): Record<string, string> =>
  Object.fromEntries(Object.entries(definitions).filter(([name]) => name !== tool))

/** On record first: when it cannot be recorded, nothing counts again. */
function take(kit: Kit, request: ToolChangedRequest, tool: ToolEntry, answer: ConsentAnswer, by: AnsweredBy): Settled<undefined> {
  const { server, fingerprint } = request
  const paused = pausedOf(kit, server, tool, kit.rules.list())
  const drop = (): void => {
    for (const rule of paused) {
      kit.record.rule(rule, 'removed', by, { because: 'tool-changed', ...(rule.definitions ? { onlyFor: tool.name } : {}) })
      if (rule.definitions) kit.rules.put({ ...rule, definitions: without(rule.definitions, tool.name) })
      else kit.rules.remove(rule.id)
    }
  }
  if (answer.kind !== 'allow') {
    kit.record.decided(request, 'denied', by, answer.kind === 'deny' && answer.word ? { word: answer.word } : {})
    drop()
    const never: Rule = { id: newId(), effect: 'deny', server, tool: tool.name, scope: { kind: 'always' }, createdAt: kit.clock.now() }
    kit.record.rule(never, 'added', by, { because: 'tool-changed' })
    kit.rules.put(never)
    return { outcome: 'denied', value: undefined }
  }
  kit.record.decided(request, 'allowed', by, { scope: answer.scope })
  if (answer.scope === 'once') drop()
  else
    for (const rule of paused) {
      const renewed = rule.definitions
        ? { ...rule, definitions: { ...rule.definitions, [tool.name]: fingerprint } }
        : { ...rule, fingerprint }
      kit.record.rule(renewed, 'renewed', by, { previousFingerprint: boundTo({ tool: tool.name }, rule) ?? null })
      kit.rules.put(renewed)
    }
  keepDefinition(kit, server, tool)
  return { outcome: 'allowed', value: undefined }
}

/** Keeps what the person accepted, so that a later change of it can be shown; not in place of what paused rules were given for. */
export function keepDefinition(kit: Kit, server: string, tool: ToolEntry): void {
  if (kit.rules.definition(server, tool.name)?.fingerprint === tool.fingerprint) return
  if (pausedOf(kit, server, tool, kit.rules.list()).length > 0) return
  const { fingerprint } = tool
  kit.rules.putDefinition(server, { fingerprint, approvedAt: kit.clock.now(), definition: definitionOf(tool) })
}
