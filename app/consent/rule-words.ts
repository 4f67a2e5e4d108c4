// What a rule speaks of, in words: "write_file of files where path is inside /home/me/notes". In pieces, so that a page
// can set off what the person or the server named; joined, for the record and beside a call.
import { numberWords } from '#app/words/formats.ts'
import { t } from '../words/translate.ts'
import { pointerNames } from './match.ts'
import type { Condition, Rule, RuleTerms } from './rule.ts'
import type { SamplingTerms } from './sampling-terms.ts'

export interface WordPiece {
  readonly text: string
  /** A name or value, to the letter. */
  readonly code?: true
}

const word = (text: string): WordPiece => ({ text })
const code = (text: string): WordPiece => ({ text, code: true })

type Spoken = Pick<Rule, 'server' | 'tool' | 'readOnly' | 'sampling'> & RuleTerms

export function rulePieces(rule: Spoken): readonly WordPiece[] {
  if (rule.sampling) return samplingPieces(rule, rule.sampling)
  const tool = rule.tool === undefined ? word(rule.readOnly ? t`read-only tools` : t`every tool`) : code(rule.tool)
  const server = rule.server === undefined ? [word(t` of any server`)] : [word(' of '), code(rule.server)]
  return [tool, ...server, ...termPieces(rule)]
}

function samplingPieces({ server }: Spoken, { step, tokensPerDay, untrusted }: SamplingTerms): readonly WordPiece[] {
  return [
    word(step === 'requests' ? t`answers of your model for ` : t`handing over answers of your model to `),
    server === undefined ? word(t`any server`) : code(server),
    ...(tokensPerDay === undefined ? [] : [word(t`, up to ${numberWords(tokensPerDay)} tokens a day`)]),
    ...(untrusted ? [word(t`, trusted or not`)] : []),
  ]
}

export function termPieces({ conditions = [], onlyArguments }: RuleTerms): readonly WordPiece[] {
  const pieces = conditions.flatMap((condition, index) => [word(index === 0 ? ' where ' : ' and '), ...conditionPieces(condition)])
  if (onlyArguments === undefined) return pieces
  const others = onlyArguments.length === 0 ? t`without arguments` : t`without other arguments`
  return [...pieces, word(pieces.length > 0 ? `, ${others}` : ` ${others}`)]
}

export function conditionPieces(condition: Condition): readonly WordPiece[] {
  const name = code(argumentName(condition.argument))
  switch (condition.kind) {
    case 'path-inside':
      return [name, word(t` is inside `), code(condition.folder)]
    case 'url-host':
      return [name, word(t` leads to `), code(condition.host), ...(condition.subdomains ? [word(t` or below it`)] : [])]
    case 'equals':
      return [name, word(' is '), code(JSON.stringify(condition.value))]
    case 'pattern':
      return [name, word(t` is like `), code(condition.pattern)]
  }
}

/** `/options/path` → `options.path`. */
export const argumentName = (pointer: string): string => pointerNames(pointer).join('.')

export const joinPieces = (pieces: readonly WordPiece[]): string => pieces.map(({ text }) => text).join('')
export const ruleWords = (rule: Spoken): string => joinPieces(rulePieces(rule))
