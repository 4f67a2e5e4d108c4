// The scope of an answer: the narrowest is chosen at first, and a rule is shown in full before it is made. What belongs to an option is
// chosen in its line.
import type { ReactNode } from 'react'
import type { ConsentScope, ToolCallRequest } from '#app/consent/request.ts'
import type { Condition, RuleTerms } from '#app/consent/rules/rule.ts'
import { argumentNamePiece, code, rulePieces, termPieces, type WordPiece } from '#app/consent/rules/rule-labels.ts'
import { foldersFrom } from '#app/consent/rules/rule-suggestions.ts'
import { flowSourceKey, type PrivateFlow } from '#app/consent/taint/private-flow.ts'
import { t } from '#app/i18n/translate.ts'
import { ChoiceSelect, labelledOptions, type Choice as RadioChoice, RadioList, Select } from '#renderer/ui/field.tsx'
import { listNodes, tx } from '#renderer/ui/lib/translate-elements.ts'
import { Pieces, ServerName, VisibleText } from '#renderer/ui/visible-text.tsx'

/** `narrow`: always, but only calls like this one. */
type AllowScope = 'once' | 'conversation' | 'narrow' | 'always'
export type RuleDuration = 'revoked' | 'hour' | 'day' | 'month'

export interface RuleChoice {
  readonly choice: AllowScope
  readonly lasting: RuleDuration
  /** Chosen folders that differ from the offered ones, by argument. */
  readonly folders: Readonly<Record<string, string>>
}
export const onceOnly: RuleChoice = { choice: 'once', lasting: 'revoked', folders: {} }

const HOUR = 3_600_000
export const ruleDurationMs: Record<Exclude<RuleDuration, 'revoked'>, number> = { hour: HOUR, day: 24 * HOUR, month: 30 * 24 * HOUR }

/** Terms of a denial: another argument must not let a denied call pass. */
export const forRefusal = ({ onlyArguments: _, ...offer }: RuleTerms): RuleTerms => offer

const chosenTerms = (offer: RuleTerms, { folders }: RuleChoice): RuleTerms => ({
  ...offer,
  conditions: (offer.conditions ?? []).map((one) =>
    one.kind === 'path-inside' ? { ...one, folder: folders[one.argument] ?? one.folder } : one,
  ),
})

export type AnswerScope = { readonly scope: ConsentScope; readonly terms?: RuleTerms }

export function scopeOf(chosen: RuleChoice, offer: RuleTerms | undefined, now: number): AnswerScope {
  const { choice, lasting } = chosen
  if (choice === 'once' || choice === 'conversation') return { scope: choice }
  const terms = {
    ...(choice === 'narrow' && offer ? chosenTerms(offer, chosen) : {}),
    ...(lasting === 'revoked' ? {} : { expiresAt: now + ruleDurationMs[lasting] }),
  }
  return { scope: 'always', ...(Object.keys(terms).length > 0 ? { terms } : {}) }
}

const labels: Record<AllowScope, { readonly as: string; readonly edited: string }> = {
  once: { as: t`Allow once`, edited: t`Allow once` },
  conversation: { as: t`Allow for this chat`, edited: t`Allow for this chat` },
  narrow: { as: t`Always allow`, edited: t`Always allow` },
  always: { as: t`Always allow`, edited: t`Always allow` },
}
export const scopeLabel = (choice: AllowScope, isEdited = false): string => labels[choice][isEdited ? 'edited' : 'as']

/** Label of the button that allows several calls. */
export function groupLabel(choice: AllowScope, count: number): string {
  if (choice === 'once') return t`Allow ${count}`
  return choice === 'conversation' ? t`Allow ${count} for this chat` : t`Always allow ${count}`
}

interface ScopeChoiceProps {
  readonly request: ToolCallRequest
  readonly value: RuleChoice
  /** The narrowest rule that would answer this call. */
  readonly offer: RuleTerms | undefined
  readonly onChange: (value: RuleChoice) => void
  readonly effect?: 'allow' | 'deny'
}

const effectWords = {
  allow: {
    group: t`How long to allow it`,
    chat: t`this tool, any arguments`,
    same: (tool: ReactNode) => tx`Always ${tool} with just these arguments`,
    where: (rule: ReactNode) => tx`Always ${rule}`,
    tool: (tool: ReactNode) => tx`Always ${tool}`,
    any: t`any arguments, until the tool changes`,
  },
  deny: {
    group: t`How long to deny it`,
    chat: t`this tool, any arguments`,
    same: (tool: ReactNode) => tx`Never ${tool} with these arguments`,
    where: (rule: ReactNode) => tx`Never ${rule}`,
    tool: (tool: ReactNode) => tx`Never ${tool}`,
    any: t`any arguments, also if the tool changes`,
  },
} as const

export function ScopeChoice({ request, value, offer, onChange, effect = 'allow' }: ScopeChoiceProps) {
  const words = effectWords[effect]
  const tool = <VisibleText className="mono" text={request.tool} />
  const flow = effect === 'allow' && request.privateFlow ? flowRuleNodes(request.privateFlow, request.server) : undefined
  const ownFlow =
    effect === 'allow' && request.ownFlow && tx`Also sends data that ${<ServerName name={request.server} />} returns in this chat.`
  const isSame = offer?.conditions?.every(({ kind }) => kind === 'equals')
  const pick = (choice: AllowScope): void => onChange({ ...value, choice })
  /** An option, and once it is chosen how long it counts, in its own line. */
  const lasting = (choice: AllowScope, words: ReactNode): ReactNode =>
    value.choice === choice ? (
      <>
        {words} <RuleDurationSelect value={value.lasting} onChange={(next) => onChange({ ...value, lasting: next })} />
      </>
    ) : (
      words
    )
  const rule = offer && (
    <RuleWords
      pieces={termPieces([code(request.tool)], chosenTerms(offer, value), effect)}
      conditions={value.choice === 'narrow' ? (offer.conditions ?? []) : []}
      folders={value.folders}
      onFolder={(argument, folder) => onChange({ ...value, folders: { ...value.folders, [argument]: folder } })}
    />
  )
  const choices: RadioChoice<AllowScope>[] = [
    { value: 'once', label: t`Once` },
    ...(request.conversationId === undefined
      ? []
      : [{ value: 'conversation', label: t`For this chat`, help: ownFlow || (flow ? undefined : words.chat) } as const]),
    ...(offer ? [{ value: 'narrow' as const, label: lasting('narrow', isSame ? words.same(tool) : words.where(rule)) }] : []),
    flow
      ? { value: 'always', label: tx`From now on: ${flow}`, help: t`Only for data from this server to that tool.` }
      : { value: 'always', label: lasting('always', words.tool(tool)), help: words.any },
  ]
  return <RadioList label={words.group} value={value.choice} choices={choices} onChange={pick} />
}

interface RuleWordsProps {
  readonly pieces: readonly WordPiece[]
  /** Conditions whose folders can be chosen where the rule names them. */
  readonly conditions: readonly Condition[]
  readonly folders: RuleChoice['folders']
  readonly onFolder: (argument: string, folder: string) => void
}

/** A rule in words, with a choice in place of each folder. */
function RuleWords({ pieces, conditions, folders, onFolder }: RuleWordsProps) {
  const open = conditions
    .filter((one) => one.kind === 'path-inside')
    .map((one) => ({ ...one, chosen: folders[one.argument] ?? one.folder }))
  return pieces.map((piece, index) => {
    const at = piece.code ? open.findIndex(({ chosen }) => chosen === piece.text) : -1
    const [condition] = at < 0 ? [] : open.splice(at, 1)
    return condition ? (
      <FolderSelect
        key={condition.argument}
        condition={condition}
        value={condition.chosen}
        onChange={(folder) => onFolder(condition.argument, folder)}
      />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence have no other identity.
      <Pieces key={index} pieces={[piece]} />
    )
  })
}

const flowRuleNodes = ({ from }: PrivateFlow, server: string): ReactNode =>
  listNodes(from.map((flow) => <Pieces key={flowSourceKey(flow)} pieces={rulePieces({ effect: 'allow', server, flow })} plain="" />))

interface FolderSelectProps {
  readonly condition: Extract<Condition, { kind: 'path-inside' }>
  readonly value: string
  readonly onChange: (folder: string) => void
}

function FolderSelect({ condition, value, onChange }: FolderSelectProps) {
  const choices = foldersFrom(condition.folder)
  if (choices.length < 2) return <VisibleText className="mono" text={value} />
  return (
    <Select
      aria-label={t`Folder for ${argumentNamePiece(condition.argument)}`}
      className="small mono"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={choices.map((folder) => [folder, folder])}
    />
  )
}

const lastingWords: Record<RuleDuration, string> = {
  revoked: t`until I revoke it`,
  hour: t`for an hour`,
  day: t`for a day`,
  month: t`for 30 days`,
}

type RuleDurationSelectProps = { readonly value: RuleDuration; readonly onChange: (value: RuleDuration) => void }

export const RuleDurationSelect = ({ value, onChange }: RuleDurationSelectProps) => (
  <ChoiceSelect
    aria-label={t`How long the rule counts`}
    className="small"
    value={value}
    options={labelledOptions(lastingWords)}
    onChoose={onChange}
  />
)
