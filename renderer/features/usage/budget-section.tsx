import { t } from '#app/i18n/translate.ts'
import type { MonthBudget } from '#app/models/usage.ts'
import { useActions, useSettings } from '#renderer/stores/store-hooks.tsx'
import { Select } from '#renderer/ui/field.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'

const first: Record<MonthBudget['unit'], number> = { dollars: 20, tokens: 10_000_000 }
const most: Record<MonthBudget['unit'], number> = { dollars: 1_000_000, tokens: 1_000_000_000_000 }

export function BudgetSection() {
  const budget = useSettings((state) => state.settings.monthBudget)
  const { set } = useActions()
  const choose = (unit: string): void =>
    set({ monthBudget: unit === 'dollars' || unit === 'tokens' ? { unit, amount: first[unit] } : null })
  return (
    <section className="sec">
      <h2 className="h3">{t`Budget`}</h2>
      <div className="lines">
        <div>
          <label className="grow" htmlFor="budget-unit">
            {t`Budget for a month`}
            <span className="help block">{t`At four fifths of it, and past it, you are told above every page. Nothing is stopped.`}</span>
          </label>
          <Select id="budget-unit" className="fit" value={budget?.unit ?? ''} onChange={(event) => choose(event.target.value)}>
            <option value="">{t`None`}</option>
            <option value="dollars">{t`In dollars`}</option>
            <option value="tokens">{t`In tokens`}</option>
          </Select>
        </div>
        {budget && (
          <NumberSetting
            key={budget.unit}
            label={t`At most`}
            help={
              budget.unit === 'dollars'
                ? t`Counts what has a price, below.`
                : t`Read and written, those from the provider’s cache included.`
            }
            unit={budget.unit}
            value={Math.max(1, Math.round(budget.amount))}
            min={1}
            max={most[budget.unit]}
            onSave={(amount) => set({ monthBudget: { unit: budget.unit, amount } })}
          />
        )}
      </div>
    </section>
  )
}
