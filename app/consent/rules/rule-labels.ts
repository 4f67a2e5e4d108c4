// Rules in words: "write_file of files where path is inside /home/me/notes". As pieces, so that a page can set off names; joined
// for the audit log.
import { formatNumber, listParts } from '#app/i18n/format-values.ts'
import { partsOf, t } from '#app/i18n/translate.ts'
import { pointerNames } from '#app/json.ts'
import type { FlowSource, PrivateFlow } from '../taint/private-flow.ts'
import type { Condition, Rule, RuleTerms } from './rule.ts'
import type { SamplingTerms } from './sampling-budget.ts'

export interface WordPiece {
  readonly text: string
  readonly code?: true
  /** Name chosen by someone else: set off, and quoted in plain text, since it could read as part of the sentence. */
  readonly name?: 'server' | 'tool' | 'account'
}

const word = (text: string): WordPiece => ({ text })
export const code = (text: string): WordPiece => ({ text, code: true })
export const serverNamePiece = (text: string): WordPiece => ({ text, name: 'server' })
/** Name of a server, with the account that it is used as: “tracker” as “ada@work”. */
export const serverPieces = (server: string, account?: string): readonly WordPiece[] =>
  account === undefined ? [serverNamePiece(server)] : tp`${[serverNamePiece(server)]} as ${[{ text: account, name: 'account' }]}`
export const toolNamePiece = (text: string): WordPiece => ({ text, code: true, name: 'tool' })

/** Like `t`, with pieces as values. */
export const tp = (parts: TemplateStringsArray, ...values: readonly (readonly WordPiece[])[]): readonly WordPiece[] =>
  partsOf(parts, values).flatMap((part) => (typeof part === 'number' ? (values[part] ?? []) : part === '' ? [] : [word(part)]))

type Spoken = Pick<Rule, 'effect' | 'server' | 'account' | 'tool' | 'readOnly' | 'sampling' | 'flow' | 'public'> & RuleTerms

export function rulePieces(rule: Spoken): readonly WordPiece[] {
  if (rule.sampling) return samplingPieces(rule, rule.sampling)
  const server = rule.server === undefined ? [word(t`any server`)] : serverPieces(rule.server, rule.account?.name)
  if (rule.flow) return tp`${server} may send data from ${sourcePieces(rule.flow)}`
  if (rule.public) return termPieces(tp`data from ${server} is public`, rule, 'allow')
  const tool = [rule.tool === undefined ? word(rule.readOnly ? t`read-only tools` : t`every tool`) : toolNamePiece(rule.tool)]
  return termPieces(tp`${tool} of ${server}`, rule, rule.effect)
}

const otherSources = (): Readonly<Record<Exclude<FlowSource['kind'], 'server'>, string>> => ({
  attached: t`your attached files`,
  imported: t`this imported chat`,
  web: t`your model’s web search`,
})

const sourcePieces = (source: FlowSource): readonly WordPiece[] =>
  source.kind === 'server' ? [serverNamePiece(source.server)] : [word(otherSources()[source.kind])]

/** Says which private data a call could send, and by which server. */
export function flowPieces({ from }: PrivateFlow, server: string): readonly WordPiece[] {
  const [sources, out] = [joined(from.map(sourcePieces)), [serverNamePiece(server)]]
  if (from.length > 1) return tp`${sources} were read in this chat, and ${out} can send data out.`
  const [only] = from
  if (only?.kind === 'server' && only.server === server) return tp`${out} was read in this chat, and can also send data out.`
  if (only?.kind === 'attached') return tp`${sources} were read in this chat, and ${out} can send data out.`
  return tp`${sources} was read in this chat, and ${out} can send data out.`
}

function samplingPieces({ server, account }: Spoken, { step, tokensPerDay, untrusted }: SamplingTerms): readonly WordPiece[] {
  const whom = server === undefined ? [word(t`any server`)] : serverPieces(server, account?.name)
  const answers = step === 'requests' ? tp`answers of your model for ${whom}` : tp`sending answers of your model to ${whom}`
  const limited = tokensPerDay === undefined ? answers : tp`${answers}, up to ${[word(formatNumber(tokensPerDay))]} tokens a day`
  return untrusted ? tp`${limited}, trusted or not` : limited
}

/** Describes terms. `what`: the tool. A deny or ask rule ignores other arguments. */
export function termPieces(what: readonly WordPiece[], terms: RuleTerms, effect: Rule['effect'] = 'allow'): readonly WordPiece[] {
  const { conditions = [], onlyArguments } = terms
  const met = conditions.length === 0 ? what : tp`${what} where ${joined(conditions.map(conditionPieces))}`
  if (effect !== 'allow' || onlyArguments === undefined) return conditions.length === 0 ? what : tp`${met}, with any other arguments`
  if (conditions.some(({ argument }) => !onlyArguments.includes(pointerNames(argument)[0] ?? ''))) return tp`${met} (matches no call)`
  if (onlyArguments.length === 0) return tp`${what} without arguments`
  const free = onlyArguments.flatMap((name) => freePieces(name, conditions) ?? [])
  return free.length === 0 ? tp`${met}, and no other arguments` : tp`${met}, with ${joined(free)}, and no other arguments`
}

const joined = (all: readonly (readonly WordPiece[])[]): readonly WordPiece[] =>
  listParts(all).flatMap((part) => (typeof part === 'string' ? [word(part)] : part))

/** Part of an argument that no condition covers. */
function freePieces(name: string, conditions: readonly Condition[]): [readonly WordPiece[]] | undefined {
  const depths = conditions.map(({ argument }) => pointerNames(argument)).filter(([first]) => first === name)
  if (depths.some(({ length }) => length === 1)) return undefined
  return [depths.length === 0 ? tp`any ${[code(name)]}` : tp`anything else in ${[code(name)]}`]
}

export function conditionPieces(condition: Condition): readonly WordPiece[] {
  const name = [code(argumentNamePiece(condition.argument))]
  switch (condition.kind) {
    case 'path-inside':
      return tp`${name} is inside ${[code(condition.folder)]}`
    case 'url-host': {
      const host = [code(condition.host)]
      return condition.subdomains ? tp`${name} leads to ${host} or below it` : tp`${name} leads to ${host}`
    }
    case 'equals':
      return tp`${name} is ${[code(JSON.stringify(condition.value))]}`
    case 'pattern':
      return tp`${name} is like ${[code(condition.pattern)]}`
  }
}

/** Readable pointer: `/options/path` → `options.path`. */
export const argumentNamePiece = (pointer: string): string => pointerNames(pointer).join('.')

export const joinPieces = (pieces: readonly WordPiece[]): string => pieces.map(({ text, name }) => (name ? `“${text}”` : text)).join('')
export const ruleLabel = (rule: Spoken): string => joinPieces(rulePieces(rule))
