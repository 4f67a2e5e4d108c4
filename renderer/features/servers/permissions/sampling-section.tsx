// What a server may have of the model: tokens a day, and what happens beyond them.
import { useCallback, useEffect, useState } from 'react'
import type { SamplingDay as Day, SamplingBudget } from '#app/consent/rules/sampling-budget.ts'
import { t } from '#app/i18n/translate.ts'
import { SamplingBudgetLine } from '#renderer/features/consent/sampling/sampling-parts.tsx'
import { useActions } from '#renderer/stores/store-hooks.tsx'
import { RadioList } from '#renderer/ui/field.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'

const everyMs = 2000

export function SamplingSection({ name }: { readonly name: string }) {
  const { ask, attempt } = useActions()
  const [day, setDay] = useState<Day>()
  const look = useCallback(async (): Promise<void> => {
    const outcome = await attempt('server.sampling', { name })
    if (outcome.ok) setDay(outcome.value)
  }, [attempt, name])
  useEffect(() => {
    void look()
    const timer = setInterval(() => {
      // A page that nobody sees looks at nothing.
      if (!document.hidden) void look()
    }, everyMs)
    return () => clearInterval(timer)
  }, [look])
  if (!day) return null
  const save = async (change: Partial<SamplingBudget>): Promise<void> => {
    await ask('server.setSamplingBudget', { name, budget: { ...day.budget, ...change } })
    await look()
  }
  return (
    <section className="sec" aria-labelledby={`sampling-of-${name}`}>
      <h3 id={`sampling-of-${name}`}>{t`Answers of your model`}</h3>
      <dl className="kv">
        <SamplingBudgetLine server={name} day={day} />
      </dl>
      <NumberSetting
        label={t`Tokens a day`}
        help={t`Prompts and answers together. Rules cannot exceed it.`}
        unit={t`tokens`}
        value={day.budget.tokensPerDay}
        min={1}
        max={1_000_000_000}
        onSave={(tokensPerDay) => void save({ tokensPerDay })}
      />
      <RadioList
        label={t`Beyond that`}
        value={day.budget.over}
        choices={[
          { value: 'ask', label: t`Ask me` },
          { value: 'refuse', label: t`Refuse until tomorrow` },
        ]}
        onChange={(over) => void save({ over })}
      />
    </section>
  )
}
