import { t } from '#app/i18n/translate.ts'
import { useActions, useSettings } from '#renderer/stores/store-hooks.tsx'
import { ChoiceSelect } from '#renderer/ui/forms/choice-select.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'

const limits = {
  dollars: { first: 20, most: 1_000_000, help: t`Counts what has a price, below.` },
  tokens: { first: 10_000_000, most: 1_000_000_000_000, help: t`Read and written, those from the provider’s cache included.` },
} as const

export function BudgetSection() {
  const budget = useSettings((state) => state.settings.monthBudget)
  const { set } = useActions()
  return (
    <section className="sec">
      <h2 className="h3">{t`Budget`}</h2>
      <div className="lines">
        <div>
          <label className="grow" htmlFor="budget-unit">
            {t`Budget for a month`}
            <span className="help block">{t`At four fifths of it, and past it, you are told above every page. Nothing is stopped.`}</span>
          </label>
          <ChoiceSelect<'' | 'dollars' | 'tokens'>
            id="budget-unit"
            className="fit"
            value={budget?.unit ?? ''}
            options={[
              { value: '', label: t`None` },
              { value: 'dollars', label: t`In dollars` },
              { value: 'tokens', label: t`In tokens` },
            ]}
            onChoose={(unit) => set({ monthBudget: unit === '' ? null : { unit, amount: limits[unit].first } })}
          />
        </div>
        {budget && (
          <NumberSetting
            key={budget.unit}
            label={t`At most`}
            help={limits[budget.unit].help}
            unit={budget.unit}
            value={Math.max(1, Math.round(budget.amount))}
            min={1}
            max={limits[budget.unit].most}
            onSave={(amount) => set({ monthBudget: { unit: budget.unit, amount } })}
          />
        )}
      </div>
    </section>
  )
}
