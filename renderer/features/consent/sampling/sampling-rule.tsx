// A standing answer for sampling requests (MCP, "Sampling"): once, or a rule with a limit of tokens per day. For a server that the
// person does not trust, the rule needs a tick of its own.
import { useState } from 'react'
import type { ConsentAnswer, ConsentRequestOf } from '#app/consent/request.ts'
import { defaultSamplingBudget, type SamplingTerms } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import { Checkbox, type Choice, Field, RadioList, TextInput } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { type RuleDuration, RuleDurationSelect, ruleDurationMs } from '../request/scope-choice.tsx'

interface SamplingRule {
  readonly scope: 'once' | 'conversation' | 'always'
  /** Tokens per day, as typed. */
  readonly limit: string
  readonly lasting: RuleDuration
  readonly untrusted: boolean
}

type SamplingRuleAnswer = Pick<Extract<ConsentAnswer, { kind: 'allow' }>, 'scope' | 'standing' | 'terms'>

/** Returns the part of the answer that holds the rule, or a sentence about what is missing. */
function samplingRuleAnswer(
  { scope, limit, lasting, untrusted }: SamplingRule,
  about: { readonly step: SamplingTerms['step']; readonly trusted: boolean; readonly now: number },
): SamplingRuleAnswer | string {
  if (scope === 'once') return { scope }
  const tokensPerDay = Number(limit)
  if (!Number.isInteger(tokensPerDay) || tokensPerDay < 1 || tokensPerDay > 1_000_000_000) return t`A whole number of tokens, from 1.`
  if (!about.trusted && !untrusted) return t`Tick that it counts without your trust, or allow it once.`
  return {
    scope,
    standing: { step: about.step, tokensPerDay, ...(about.trusted ? {} : { untrusted: true }) },
    ...(lasting === 'revoked' ? {} : { terms: { expiresAt: about.now + ruleDurationMs[lasting] } }),
  }
}

interface SamplingRuleChoiceProps {
  readonly request: ConsentRequestOf<'sampling' | 'sampling-result'>
  readonly step: SamplingTerms['step']
}

/** The standing answer as chosen so far: `answer` is undefined while something is missing, which `problem` says. */
export function useSamplingRule(props: SamplingRuleChoiceProps) {
  const { day, trusted } = props.request
  const [rule, setRule] = useState<SamplingRule>({
    scope: 'once',
    limit: String((day?.budget ?? defaultSamplingBudget).tokensPerDay),
    lasting: 'revoked',
    untrusted: false,
  })
  const answer = samplingRuleAnswer(rule, { step: props.step, trusted: trusted === true, now: Date.now() })
  const problem = typeof answer === 'string' ? answer : undefined
  const choice = day && <SamplingRuleChoice {...props} value={rule} problem={problem} onChange={setRule} />
  return { scope: rule.scope, answer: typeof answer === 'string' ? undefined : answer, problem, choice }
}

interface SamplingRuleFieldsProps extends SamplingRuleChoiceProps {
  readonly value: SamplingRule
  readonly problem: string | undefined
  readonly onChange: (value: SamplingRule) => void
}

function SamplingRuleChoice({ request: { server, trusted, conversationId }, step, value, problem, onChange }: SamplingRuleFieldsProps) {
  const what = step === 'requests' ? t`Answer “${server}” without asking` : t`Hand over answers to “${server}” without showing them`
  const choices: Choice<SamplingRule['scope']>[] = [
    { value: 'once', label: t`Once` },
    ...(conversationId === undefined ? [] : [{ value: 'conversation', label: t`${what}, in this conversation` } as const]),
    { value: 'always', label: t`${what}, always` },
  ]
  return (
    <div className="field">
      <RadioList
        label={t`How long this counts`}
        value={value.scope}
        choices={choices}
        onChange={(scope) => onChange({ ...value, scope })}
      />
      {value.scope !== 'once' && (
        <>
          <Field
            label={t`Up to, tokens a day`}
            help={
              step === 'requests'
                ? t`You see neither prompts nor answers then; both stand in the record. Beyond it, or for tools of “${server}”, you are asked.`
                : t`Prompts are still shown first. Beyond it, or for tools, answers are shown.`
            }
            error={!/^\d+$/.test(value.limit) ? problem : undefined}
          >
            {(ids) => (
              <TextInput
                {...ids}
                className="short num"
                inputMode="numeric"
                value={value.limit}
                onChange={(event) => onChange({ ...value, limit: event.target.value.trim() })}
              />
            )}
          </Field>
          <div className="row wrap">
            <RuleDurationSelect value={value.lasting} onChange={(lasting) => onChange({ ...value, lasting })} />
          </div>
          {trusted !== true && (
            <Notice tone="warn" title={t`You have not said that you trust “${server}”.`}>
              {t`What it writes would reach your model, and what your model says would reach it, unread.`}
              <Checkbox
                checked={value.untrusted}
                label={t`The rule counts although I don’t trust “${server}”`}
                onChange={(untrusted) => onChange({ ...value, untrusted })}
              />
            </Notice>
          )}
        </>
      )}
    </div>
  )
}
