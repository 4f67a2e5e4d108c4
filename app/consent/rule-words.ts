// What a rule speaks of, in words: "write_file of files where path is inside /home/me/notes". In pieces, so that a page
// can set off what the person or the server named; joined, for the record and beside a call.
import { listParts, numberWords } from '../words/formats.ts'
import { partsOf, t } from '../words/translate.ts'
import { pointerNames } from './match.ts'
import type { Condition, Rule, RuleTerms } from './rule.ts'
import type { SamplingTerms } from './sampling-terms.ts'

export interface WordPiece {
  readonly text: string
  /** A name or value, to the letter. */
  readonly code?: true
}

const word = (text: string): WordPiece => ({ text })
export const code = (text: string): WordPiece => ({ text, code: true })

/** Like `t`, with pieces in the places of values. */
const tp = (parts: TemplateStringsArray, ...values: readonly (readonly WordPiece[])[]): readonly WordPiece[] =>
  partsOf(parts, values).flatMap((part) => (typeof part === 'number' ? (values[part] ?? []) : part === '' ? [] : [word(part)]))

type Spoken = Pick<Rule, 'server' | 'tool' | 'readOnly' | 'sampling'> & RuleTerms

export function rulePieces(rule: Spoken): readonly WordPiece[] {
  if (rule.sampling) return samplingPieces(rule, rule.sampling)
  const tool = [rule.tool === undefined ? word(rule.readOnly ? t`read-only tools` : t`every tool`) : code(rule.tool)]
  return termPieces(rule.server === undefined ? tp`${tool} of any server` : tp`${tool} of ${[code(rule.server)]}`, rule)
}

function samplingPieces({ server }: Spoken, { step, tokensPerDay, untrusted }: SamplingTerms): readonly WordPiece[] {
  const whom = [server === undefined ? word(t`any server`) : code(server)]
  const answers = step === 'requests' ? tp`answers of your model for ${whom}` : tp`handing over answers of your model to ${whom}`
  const limited = tokensPerDay === undefined ? answers : tp`${answers}, up to ${[word(numberWords(tokensPerDay))]} tokens a day`
  return untrusted ? tp`${limited}, trusted or not` : limited
}

/** `what`: the tool that the terms are about. */
export function termPieces(what: readonly WordPiece[], { conditions = [], onlyArguments }: RuleTerms): readonly WordPiece[] {
  const all = listParts(conditions.map(conditionPieces)).flatMap((part) => (typeof part === 'string' ? [word(part)] : part))
  const met = all.length === 0 ? what : tp`${what} where ${all}`
  if (onlyArguments === undefined) return met
  if (onlyArguments.length === 0) return all.length === 0 ? tp`${what} without arguments` : tp`${met}, without arguments`
  return all.length === 0 ? tp`${what} without other arguments` : tp`${met}, without other arguments`
}

export function conditionPieces(condition: Condition): readonly WordPiece[] {
  const name = [code(argumentName(condition.argument))]
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

/** `/options/path` → `options.path`. */
export const argumentName = (pointer: string): string => pointerNames(pointer).join('.')

export const joinPieces = (pieces: readonly WordPiece[]): string => pieces.map(({ text }) => text).join('')
export const ruleWords = (rule: Spoken): string => joinPieces(rulePieces(rule))
