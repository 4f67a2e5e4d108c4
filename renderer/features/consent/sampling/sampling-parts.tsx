// The parts of a sampling message, and the standing answer for such requests (MCP, "Sampling"): once, or a rule with a limit of tokens
// per day, which needs a tick of its own for a server that the person does not trust. Images are drawn from the bytes that would be
// sent; nothing is fetched.

import { type ReactNode, useMemo, useState } from 'react'
import type { ConsentAnswer, ConsentRequestOf } from '#app/consent/request.ts'
import { defaultSamplingBudget, type SamplingDay, type SamplingTerms } from '#app/consent/rules/sampling-budget.ts'
import type { SamplingCall, SamplingContent, SamplingMessage, SamplingPart, SamplingTool } from '#app/consent/sampling.ts'
import { formatNumber } from '#app/i18n/format-values.ts'
import { t } from '#app/i18n/translate.ts'
import { formatBytes } from '#app/text/format-text.ts'
import { Checkbox, type Choice, RadioList, TextAreaField, TextField } from '#renderer/ui/field.tsx'
import { Badge } from '#renderer/ui/icon.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import { WarnNotice } from '#renderer/ui/notice.tsx'
import { Fact } from '#renderer/ui/text/section.tsx'
import { Growing, ServerName, useTextsInTurn, VisibleText } from '#renderer/ui/visible-text.tsx'
import { type RuleDuration, RuleDurationSelect, ruleDurationMs } from '../request/scope-choice.tsx'
import { ArgumentList, LongText } from '../tool-call/argument-list.tsx'

interface MessagesProps {
  readonly messages: readonly SamplingMessage[]
  /** Makes the texts of the messages editable. */
  readonly onText?: ((message: number, part: number, text: string) => void) | undefined
}

export function Messages({ messages, onText }: MessagesProps) {
  const parts = useMemo(
    () => messages.flatMap(({ role, parts }, message) => parts.map((part, index) => ({ role, part, message, index }))),
    [messages],
  )
  const drawn = useTextsInTurn(useMemo(() => parts.map(({ part }) => JSON.stringify(part).length), [parts]))
  return (
    <>
      {parts.slice(0, drawn).map(({ role, part, message, index }) =>
        part.type === 'text' && onText ? (
          <EditedText
            key={`${message} ${index}`}
            label={textLabel(role)}
            text={part.text}
            onText={(text) => onText(message, index, text)}
          />
        ) : (
          <div key={`${message} ${index}`} className="field">
            <span className="label">{partLabel(role, part)}</span>
            <PartBody part={part} />
          </div>
        ),
      )}
      {drawn < parts.length && <Growing />}
    </>
  )
}

const textLabel = (role: SamplingMessage['role']): string => (role === 'user' ? t`Message to the model` : t`Answer written by the server`)

/** Rows of a text box for the text. */
export const rowsFor = (text: string): number => Math.min(16, text.split('\n').length + 1)

/** A text box whose content is sent as it stands. */
export const EditedText = ({ label, text, onText }: { readonly label: string; readonly text: string; onText(text: string): void }) => (
  <TextAreaField label={label} mono rows={rowsFor(text)} value={text} onText={onText} />
)

function partLabel(role: SamplingMessage['role'], part: SamplingPart): ReactNode {
  if (part.type === 'tool-use') return tx`Call written by the server ${<VisibleText className="mono" text={part.name} />}`
  if (part.type !== 'tool-result') return textLabel(role)
  return tx`Result written by the server ${part.isError && <Badge tone="danger">{t`failed`}</Badge>}`
}

function PartBody({ part }: { readonly part: SamplingPart }) {
  if (part.type === 'tool-use') return <ArgumentList value={part.input} />
  if (part.type !== 'tool-result') return <Content content={part} />
  return (
    <>
      <Contents contents={part.content} />
      {part.structured !== undefined && <LongText text={JSON.stringify(part.structured, null, 2)} label={t`Result`} />}
    </>
  )
}

function Contents({ contents }: { readonly contents: readonly SamplingContent[] }) {
  const drawn = useTextsInTurn(contents.map((one) => (one.type === 'text' ? one.text.length : one.data.length)))
  return (
    <>
      {contents.slice(0, drawn).map((one, index) => (
        <Content key={String(index)} content={one} />
      ))}
      {drawn < contents.length && <Growing />}
    </>
  )
}

function Content({ content }: { readonly content: SamplingContent }) {
  if (content.type === 'text') return <LongText text={content.text} label={t`Message`} />
  const { mimeType, data } = content
  const size = formatBytes(Math.floor((data.replace(/=+$/, '').length * 3) / 4))
  return <img className="result-image" src={`data:${mimeType};base64,${data}`} alt={t`For the model, ${mimeType}, ${size}`} />
}

/** Tools that the model may ask the server to run. */
export function OfferedTools({ server, tools }: { readonly server: string; readonly tools: readonly SamplingTool[] }) {
  const drawn = useTextsInTurn(useMemo(() => tools.map((tool) => JSON.stringify(tool).length), [tools]))
  return (
    <div className="field">
      <span className="label">
        {t`${tools.length} {tool|tools}`} <span className="req">{tx`run by ${<ServerName name={server} />}`}</span>
      </span>
      {tools.slice(0, drawn).map((tool) => (
        <div key={tool.name} className="sec">
          <VisibleText className="mono strong" text={tool.name} />
          {tool.description && <LongText text={tool.description} label={t`what ${tool.name} does`} />}
          <LongText text={JSON.stringify(tool.inputSchema, null, 2)} label={t`arguments of ${tool.name}`} />
        </div>
      ))}
      {drawn < tools.length && <Growing />}
    </div>
  )
}

/** Tool calls in the model's answer, which the server would run. */
export function WantedCalls({ server, calls }: { readonly server: string; readonly calls: readonly SamplingCall[] }) {
  return calls.map((call) => (
    <div key={call.id} className="field">
      <span className="label">{tx`Asks ${<ServerName name={server} />} to run ${<VisibleText className="mono" text={call.name} />}`}</span>
      <ArgumentList value={call.input} />
    </div>
  ))
}

/** Tokens that a server's sampling requests used today, of its daily budget, as a term and its value. */
export function SamplingBudgetLine({ server, day: { used, budget } }: { readonly server: string; readonly day: SamplingDay }) {
  const share = Math.min(100, (used / budget.tokensPerDay) * 100)
  return (
    <Fact label={tx`Today, ${<ServerName name={server} />}`} className="num">
      {tx`${formatNumber(used)} of ${formatNumber(budget.tokensPerDay)} tokens ${(
        <span className="track day-track" aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
      )}`}
    </Fact>
  )
}

interface SamplingRule {
  readonly scope: 'once' | 'conversation' | 'always'
  /** Tokens per day, as typed. */
  readonly limit: string
  readonly lasting: RuleDuration
  readonly untrusted: boolean
}

type SamplingRuleAnswer = Pick<Extract<ConsentAnswer, { kind: 'allow' }>, 'scope' | 'standing' | 'terms'>

/** Returns the part of the answer that holds the rule, or a sentence about what is missing. */
function answerOf(rule: SamplingRule, step: SamplingTerms['step'], trusted: boolean): SamplingRuleAnswer | string {
  const { scope, limit, lasting, untrusted } = rule
  if (scope === 'once') return { scope }
  const tokensPerDay = Number(limit)
  if (!Number.isInteger(tokensPerDay) || tokensPerDay < 1 || tokensPerDay > 1_000_000_000) return t`A whole number of tokens, from 1.`
  if (!trusted && !untrusted) return t`Tick the box, or allow it once.`
  return {
    scope,
    standing: { step, tokensPerDay, ...(trusted ? {} : { untrusted: true }) },
    ...(lasting === 'revoked' ? {} : { terms: { expiresAt: Date.now() + ruleDurationMs[lasting] } }),
  }
}

type SamplingStep = { readonly request: ConsentRequestOf<'sampling' | 'sampling-result'>; readonly step: SamplingTerms['step'] }

/** The standing answer as chosen so far: `answer` is undefined while something is missing, which `problem` says. */
export function useSamplingRule(props: SamplingStep) {
  const { day, trusted } = props.request
  const [rule, setRule] = useState<SamplingRule>({
    scope: 'once',
    limit: String((day?.budget ?? defaultSamplingBudget).tokensPerDay),
    lasting: 'revoked',
    untrusted: false,
  })
  const answer = answerOf(rule, props.step, trusted === true)
  const problem = typeof answer === 'string' ? answer : undefined
  const choice = day && <SamplingRuleChoice {...props} value={rule} problem={problem} onChange={setRule} />
  return { scope: rule.scope, answer: typeof answer === 'string' ? undefined : answer, problem, choice }
}

interface SamplingRuleChoiceProps extends SamplingStep {
  readonly value: SamplingRule
  readonly problem: string | undefined
  readonly onChange: (value: SamplingRule) => void
}

function SamplingRuleChoice({ request: { server, trusted, conversationId }, step, value, problem, onChange }: SamplingRuleChoiceProps) {
  const what = step === 'requests' ? t`Answer requests of “${server}” without asking` : t`Send answers to “${server}” without showing them`
  const choices: Choice<SamplingRule['scope']>[] = [
    { value: 'once', label: t`Once` },
    ...(conversationId === undefined ? [] : [{ value: 'conversation', label: t`${what}, for this chat` } as const]),
    { value: 'always', label: t`${what}, always` },
  ]
  return (
    <div className="field">
      <RadioList
        label={t`How long to allow it`}
        value={value.scope}
        choices={choices}
        onChange={(scope) => onChange({ ...value, scope })}
      />
      {value.scope !== 'once' && (
        <>
          <TextField
            label={t`Tokens a day`}
            help={
              step === 'requests'
                ? t`Prompts and answers are only in Activity. Beyond the limit, or with tools, you are asked.`
                : t`Prompts are still shown. Beyond the limit, or with tools, answers too.`
            }
            error={!/^\d+$/.test(value.limit) ? problem : undefined}
            className="short num"
            inputMode="numeric"
            value={value.limit}
            onText={(limit) => onChange({ ...value, limit: limit.trim() })}
          />
          <div className="row wrap">
            <RuleDurationSelect value={value.lasting} onChange={(lasting) => onChange({ ...value, lasting })} />
          </div>
          {trusted !== true && (
            <WarnNotice title={t`You don’t trust “${server}”`}>
              {t`You no longer see its prompts and your model’s answers.`}
              <Checkbox
                checked={value.untrusted}
                label={t`Even while I don’t trust the server`}
                onChange={(untrusted) => onChange({ ...value, untrusted })}
              />
            </WarnNotice>
          )}
        </>
      )}
    </div>
  )
}
