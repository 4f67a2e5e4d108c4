// Rules that the person writes down themselves, and the question what they would do.
import { type Explanation, explainCall } from '#app/consent/explain.ts'
import { hostName } from '#app/consent/host-text.ts'
import type { Condition, Rule, RuleDraft, RuleTerms } from '#app/consent/rule.ts'
import { HostError } from '#app/errors.ts'
import type { ToolEntry } from '#app/server/catalogue.ts'
import { t } from '#app/words/translate.ts'
import { newId } from '#main/base/ids.ts'
import { createFacts } from './facts.ts'
import type { Kit } from './kit.ts'
import { madeFor } from './standing.ts'
import type { SupposedCall } from './types.ts'

export async function bindTerms(kit: Kit, terms: RuleTerms): Promise<RuleTerms> {
  if (!terms.conditions) return terms
  return { ...terms, conditions: await Promise.all(terms.conditions.map((condition) => bindCondition(kit, condition))) }
}

async function bindCondition(kit: Kit, condition: Condition): Promise<Condition> {
  if (condition.kind === 'path-inside') {
    const found = await kit.places.folder(condition.folder)
    if (!found)
      throw new HostError(
        'folder.not-found',
        t`“${condition.folder}” is not a folder that a rule can name: it takes the whole path, as it is on this disk.`,
        {
          data: { path: condition.folder },
        },
      )
    return { ...condition, ...found }
  }
  if (condition.kind !== 'url-host') return condition
  const host = hostName(condition.host)
  if (host === undefined) throw new HostError('contract.invalid', t`“${condition.host}” is not the name of a host.`)
  return { ...condition, host }
}

export async function saveRule(
  kit: Kit,
  draft: RuleDraft,
  { id, tools }: { readonly id?: string | undefined; readonly tools: readonly ToolEntry[] },
): Promise<Rule> {
  const terms = await bindTerms(kit, draft)
  const before = id === undefined ? undefined : kit.rules.list().find((rule) => rule.id === id)
  if (id !== undefined && !before) throw new HostError('rule.unknown', t`This rule is not there any more.`)
  const rule: Rule = {
    ...draft,
    ...terms,
    id: before?.id ?? newId(),
    createdAt: before?.createdAt ?? kit.clock.now(),
    ...(draft.effect === 'allow' && !draft.sampling ? boundTo(draft, tools, before) : {}),
    ...(draft.effect === 'allow' && draft.server !== undefined ? programOf(kit, draft.server, before) : {}),
  }
  // On record first: what cannot be recorded is not allowed.
  kit.record.rule(rule, before ? 'changed' : 'added', 'person')
  kit.rules.put(rule)
  kit.emit('rules.changed', { rules: kit.rules.list() })
  kit.queue.reconsider()
  return rule
}

/** Nor what its server has become. */
const programOf = (kit: Kit, server: string, before: Rule | undefined): Pick<Rule, 'program'> => {
  if (before?.effect !== 'allow' || before.server !== server) return madeFor(kit, server)
  return before.program === undefined ? {} : { program: before.program }
}

/** To edit a rule is not to approve what its tool has become. */
function boundTo(draft: RuleDraft, tools: readonly ToolEntry[], before: Rule | undefined): Pick<Rule, 'fingerprint' | 'definitions'> {
  const same =
    before?.effect === 'allow' && before.server === draft.server && before.tool === draft.tool && before.readOnly === draft.readOnly
  if (same && before.fingerprint !== undefined) return { fingerprint: before.fingerprint }
  if (same && before.definitions !== undefined) return { definitions: before.definitions }
  if (draft.tool === undefined) return { definitions: Object.fromEntries(tools.map(({ name, fingerprint }) => [name, fingerprint])) }
  const tool = tools.find(({ name }) => name === draft.tool)
  if (!tool)
    throw new HostError('tool.unknown', t`“${draft.server}” has no tool “${draft.tool}” that Assent knows of, so it cannot be allowed.`, {
      data: { server: draft.server ?? '', tool: draft.tool },
    })
  return { fingerprint: tool.fingerprint }
}

export async function suppose(kit: Kit, call: SupposedCall): Promise<Explanation> {
  const facts = createFacts(kit, call, call.arguments)
  await facts.look()
  return explainCall(facts.now(), kit.rules.list())
}
