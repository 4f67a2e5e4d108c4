// Whether the next of these is asked, too: once, or by a rule with a limit of tokens a day. For a server that the person
// does not trust the rule takes a tick of its own, beside what it means.
import { useState } from 'react'
import type { ConsentAnswer } from '#app/consent/request.ts'
import { defaultSamplingBudget, type SamplingDay, type SamplingTerms } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import { Checkbox, type Choice, RadioList } from '#renderer/ui/choices.tsx'
import { Field, TextInput } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { type RuleDuration, RuleDurationSelect, ruleDurationMs } from '../request/scope-choice.tsx'

type Scope = 'once' | 'conversation' | 'always'
type Allow = Extract<ConsentAnswer, { kind: 'allow' }>

interface SamplingRuleState {
  readonly scope: Scope
  readonly limit: string
  readonly lasting: RuleDuration
  readonly untrusted: boolean
}

/** What goes into the answer; a string: what is missing. */
export function samplingRuleAnswer(
  { scope, limit, lasting, untrusted }: SamplingRuleState,
  about: { readonly step: SamplingTerms['step']; readonly trusted: boolean; readonly now: number },
): Pick<Allow, 'scope' | 'standing' | 'terms'> | string {
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

export const useSamplingRule = (day: SamplingDay | undefined) =>
  useState<SamplingRuleState>({
    scope: 'once',
    limit: String((day?.budget ?? defaultSamplingBudget).tokensPerDay),
    lasting: 'revoked',
    untrusted: false,
  })

interface StandingChoiceProps {
  readonly server: string
  readonly step: SamplingTerms['step']
  readonly trusted: boolean
  readonly inConversation: boolean
  readonly value: SamplingRuleState
  /** What is missing. */
  readonly problem: string | undefined
  readonly onChange: (value: SamplingRuleState) => void
}

export function SamplingRuleChoice({ server, step, trusted, inConversation, value, problem, onChange }: StandingChoiceProps) {
  const what = step === 'requests' ? t`Answer “${server}” without asking` : t`Hand over answers to “${server}” without showing them`
  const choices: Choice<Scope>[] = [
    { value: 'once', label: t`Once` },
    ...(inConversation ? [{ value: 'conversation', label: t`${what}, in this conversation` } as const] : []),
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
          {!trusted && (
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
