// Matches rules with calls. An approval matches narrowly: every reading of an argument must fit. A deny or ask rule matches widely:
// one reading is enough, and `unsure` says that nobody can tell.
import { z } from 'zod'
import { canonicalToolJson } from '#app/canonical-json.ts'
import { type Json, type JsonObject, valueAt } from '#app/json.ts'
import { orElse } from '#app/or-else.ts'
import { isHostOf, possibleHosts, sureHost } from '#app/text/host-name.ts'
import { foldLetters } from '#app/text/look-alike.ts'
import type { RequestAgent } from '../../gate.ts'
import { type Account, isForAccount } from '../../server/auth-status.ts'
import { type FlowSource, flowSourceKey, type PrivateFlow } from '../taint/private-flow.ts'
import type { ConsentMode } from './consent-mode.ts'
import { foldPath, isInside, isInsideFolded, type PathReading } from './path-text.ts'
import { type Condition, isToolRule, type Rule } from './rule.ts'

// Longest text that is matched, in UTF-16 units.
const LONGEST_MATCHED = 10_000

/** Matches a glob (`*`, `?`) on the whole text, in at most the product of both lengths; longer text than `LONGEST_MATCHED` never. */
export function matchesGlob(pattern: string, text: string): boolean {
  if (text.length > LONGEST_MATCHED) return false
  const want = [...pattern]
  const have = [...text]
  let [at, here] = [0, 0]
  // Position of the last star, and how much it has consumed.
  let [star, taken] = [-1, 0]
  while (here < have.length) {
    if (want[at] === '*') {
      star = at++
      taken = here
    } else if (at < want.length && (want[at] === '?' || want[at] === have[here])) {
      at++
      here++
    } else if (star >= 0) {
      at = star + 1
      here = ++taken
    } else return false
  }
  while (want[at] === '*') at++
  return at === want.length
}

/**
 * Reading of a text by a refusal: without hidden characters, accents, case and encoding it is the wanted one (`yes`), or only looks like it in
 * letters of another alphabet (`unsure`).
 */
function readsAs(text: string, wanted: string, matches: (wanted: string, text: string) => boolean): RuleMatch {
  const plain = (one: string): string => one.replace(/[\p{Default_Ignorable_Code_Point}]|[^\P{C}\s]/gu, '')
  const [shown, want] = [plain(text), plain(wanted)]
  if (shown.length > LONGEST_MATCHED) return 'no'
  const readings = [shown, orElse(() => decodeURIComponent(shown), shown)]
  const fits = (fold: (one: string) => readonly string[]): boolean => {
    const all = (one: string): string[] => fold(one).map((folded) => folded.replace(/\s+/g, ' ').trim())
    return all(want).some((one) => readings.flatMap(all).some((reading) => matches(one, reading)))
  }
  return fits((one) => [foldPath(one.normalize('NFKD').replace(/[\u0300-\u036f]/g, ''))]) ? 'yes' : fits(foldLetters) ? 'unsure' : 'no'
}

export interface CallFacts {
  readonly server: string
  readonly tool: string
  readonly conversationId?: string | undefined
  readonly fingerprint: string
  /** Whether it claims to be read-only and the server is trusted. */
  readonly readOnly: boolean
  readonly arguments: JsonObject
  /** Readings of each path that a condition examines (`pathTexts`) and of each folder that one names. */
  readonly paths: ReadonlyMap<string, PathReading>
  readonly mode: ConsentMode
  /** Launch behind the server's name; absent: unknown, as in a list. */
  readonly program?: ProgramNow | undefined
  readonly ownFolder?: boolean | undefined
  readonly privateFlow?: PrivateFlow | undefined
  /** Other servers whose skills may want this reading. */
  readonly skillsOf?: readonly string[] | undefined
  /** Agent that calls; absent: a chat or a command of Assent. */
  readonly agent?: Pick<RequestAgent, 'client' | 'folder' | 'verified'> | undefined
  readonly now: number
}

/** Launch fingerprints: running now, and approved for good. `account`: the one that the server is used as. */
export interface ProgramNow {
  readonly now: string
  readonly approved: string
  readonly account?: Account | undefined
}

/** Whether an approval was made for another program of that name, or another account. One bound to no program is for the approved launch. */
export const isOfOtherProgram = (program: ProgramNow | undefined, rule: Rule): boolean =>
  rule.effect === 'allow' &&
  program !== undefined &&
  ((rule.program ?? program.approved) !== program.now || !isForAccount(rule.account, program.account))

export const ruleMatch = z.enum(['yes', 'no', 'unsure'])
type RuleMatch = z.infer<typeof ruleMatch>

export function matchRule(facts: CallFacts, rule: Rule): RuleMatch {
  if (!isAbout(facts, rule) || isExpired(rule, facts.now)) return 'no'
  const wide = rule.effect !== 'allow'
  const agent = matchAgent(facts, rule)
  if (agent === 'no') return 'no'
  const { onlyArguments } = rule
  if (!wide && onlyArguments && Object.keys(facts.arguments).some((name) => !onlyArguments.includes(name))) return 'no'
  return together([agent, ...(rule.conditions ?? []).map((condition) => matchCondition(facts, condition, wide))])
}

/**
 * Whether a rule is for the one who calls. An approval that names no agent is for Assent alone, and one for a folder needs the folder that
 * the operating system told; of any other rule a folder that is not known for sure is not excluded.
 */
function matchAgent({ agent }: Pick<CallFacts, 'agent'>, rule: Pick<Rule, 'effect' | 'agent'>): RuleMatch {
  const allows = rule.effect === 'allow'
  if (!rule.agent) return allows && agent ? 'no' : 'yes'
  const { client, folder } = rule.agent
  if (!agent || (client !== undefined && client !== agent.client)) return 'no'
  if (folder === undefined) return 'yes'
  if (agent.verified) return agent.folder !== undefined && isInside(agent.folder, folder) ? 'yes' : 'no'
  return allows ? 'no' : 'unsure'
}

export const isExpired = (rule: Pick<Rule, 'expiresAt'>, now: number): boolean => rule.expiresAt !== undefined && rule.expiresAt <= now

const isInScope = (facts: Pick<CallFacts, 'conversationId'>, { scope }: Rule): boolean =>
  scope.kind === 'always' || scope.conversationId === facts.conversationId

/** Whether an answer about a server, rather than about its tools, counts now. */
const countsFor = (facts: CallFacts, rule: Rule, server: string): boolean =>
  rule.server === server && isInScope(facts, rule) && !isExpired(rule, facts.now) && (rule.public || matchAgent(facts, rule) === 'yes')

/** Returns what of the flow no answer of the person covers; undefined: nothing. */
export function openFlow(facts: CallFacts, rules: readonly Rule[]): PrivateFlow | undefined {
  const { privateFlow: flow, server, program } = facts
  const isPublic = (source: FlowSource): boolean =>
    source.kind === 'server' &&
    rules.some(
      (rule) => rule.public && rule.identity === source.identity && !rule.conditions?.length && countsFor(facts, rule, source.server),
    )
  const isFine = (source: FlowSource): boolean =>
    rules.some(
      (rule) =>
        rule.flow !== undefined &&
        flowSourceKey(rule.flow) === flowSourceKey(source) &&
        countsFor(facts, rule, server) &&
        !isOfOtherProgram(program, rule),
    )
  const from = flow?.from.filter((source) => !isPublic(source) && !isFine(source)) ?? []
  return flow && from.length > 0 ? { ...flow, from } : undefined
}

/** Whether the call reads only from a folder that the person marked public. A server that is marked as a whole is looked up later. */
export const readsPublic = (facts: CallFacts, rules: readonly Rule[]): boolean =>
  rules.some(
    ({ conditions = [], ...rule }) =>
      rule.public &&
      conditions.length > 0 &&
      countsFor(facts, rule, facts.server) &&
      !isOfOtherProgram(facts.program, rule) &&
      conditions.every((condition) => matchCondition(facts, condition, false) === 'yes'),
  )

/** Whether a rule is about the server, tool and conversation of a call. */
export function isAbout(facts: CallFacts, rule: Rule): boolean {
  if (!isToolRule(rule) || !isInScope(facts, rule)) return false
  if (rule.effect !== 'allow')
    return (
      (rule.server === undefined || rule.server === facts.server) &&
      (rule.tool === undefined || rule.tool === facts.tool || readsAs(facts.tool, rule.tool, matchesGlob) === 'yes')
    )
  if (rule.server !== facts.server || isOfOtherProgram(facts.program, rule)) return false
  if (rule.tool !== undefined) return rule.tool === facts.tool
  if (rule.readOnly && !facts.readOnly) return false
  return rule.definitions === undefined || Object.hasOwn(rule.definitions, facts.tool)
}

const together = (matches: readonly RuleMatch[]): RuleMatch =>
  matches.includes('no') ? 'no' : matches.includes('unsure') ? 'unsure' : 'yes'

export function matchCondition(facts: Pick<CallFacts, 'arguments' | 'paths'>, condition: Condition, wide: boolean): RuleMatch {
  const found = valueAt(facts.arguments, condition.argument)
  if (found === undefined) return 'no'
  if (condition.kind === 'equals' && canonicalToolJson(found) === canonicalToolJson(condition.value)) return 'yes'
  const items: readonly Json[] = Array.isArray(found) ? found : [found]
  const matches = items.map((item) => (wide ? matchesWidely : matchesSurely)(facts.paths, condition, item))
  if (wide) return matches.includes('yes') ? 'yes' : matches.includes('unsure') ? 'unsure' : 'no'
  return condition.kind !== 'equals' && matches.length > 0 && matches.every((match) => match === 'yes') ? 'yes' : 'no'
}

function matchesSurely(paths: CallFacts['paths'], condition: Condition, item: Json): RuleMatch {
  if (typeof item !== 'string') return 'no'
  switch (condition.kind) {
    case 'path-inside': {
      const { folder, real } = condition
      const reading = paths.get(item)
      if (real === undefined || !reading?.sure || reading.real.length === 0) return 'no'
      const named = reading.literal.every((place) => isInside(place, folder) || isInside(place, real))
      return named && reading.real.every((place) => isInside(place, real)) ? 'yes' : 'no'
    }
    case 'url-host': {
      const host = sureHost(item)
      return host !== undefined && isHostOf(host, condition.host, condition.subdomains) ? 'yes' : 'no'
    }
    case 'equals':
      return 'no' // Equal values have matched before.
    case 'pattern':
      // A star matches only visible characters of one line.
      return !/\p{C}|[\u2028\u2029]/u.test(item) && matchesGlob(condition.pattern, item) ? 'yes' : 'no'
  }
}

function matchesWidely(paths: CallFacts['paths'], condition: Condition, item: Json): RuleMatch {
  const text = typeof item === 'string' ? item : typeof item === 'object' ? undefined : String(item)
  if (text === undefined) return item === null ? 'no' : 'unsure'
  switch (condition.kind) {
    case 'path-inside': {
      if (typeof item !== 'string') return 'no'
      const reading = paths.get(text)
      const { folder: named, real = named } = condition
      const folders = [named, real, ...(paths.get(named)?.real ?? [])]
      const places = reading ? [...reading.literal, ...reading.real] : []
      if (places.some((place) => folders.some((folder) => isInsideFolded(place, folder)))) return 'yes'
      return reading?.sure ? 'no' : 'unsure'
    }
    case 'url-host': {
      const name = condition.host.replace(/:\d+$/, '')
      return possibleHosts(text).some((host) => isHostOf(host, name, condition.subdomains)) ? 'yes' : 'no'
    }
    case 'equals': {
      const { value } = condition
      return typeof value === 'object' ? 'no' : readsAs(text, String(value), (one, other) => one === other)
    }
    case 'pattern':
      if (text.length > LONGEST_MATCHED) return 'unsure'
      return matchesGlob(foldPath(condition.pattern), foldPath(text)) ? 'yes' : readsAs(text, condition.pattern, matchesGlob)
  }
}

/** Texts that `paths` must resolve before matching; none where no rule examines a path. */
export function pathTexts(facts: Omit<CallFacts, 'paths'>, rules: readonly Rule[]): readonly string[] {
  const texts = new Set<string>()
  for (const rule of rules) {
    const all = { ...facts, paths: new Map() }
    if (!(isAbout(all, rule) || (rule.public && countsFor(all, rule, facts.server))) || isExpired(rule, facts.now)) continue
    for (const condition of rule.conditions ?? []) {
      if (condition.kind !== 'path-inside') continue
      const found = valueAt(facts.arguments, condition.argument)
      const items: readonly (Json | undefined)[] = Array.isArray(found) ? found : [found]
      for (const item of items) if (typeof item === 'string') texts.add(item)
      if (rule.effect !== 'allow') texts.add(condition.folder)
    }
  }
  return [...texts]
}
