// Prices of models, and the budget for a month. Where a provider lists no prices, the person writes what its page says.

import { useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { Price } from '#app/models/usage.ts'
import { useActions, useModels, useSettings } from '#renderer/stores/store-hooks.tsx'
import { SmallButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { ChoiceSelect, SubmitForm, TextField } from '#renderer/ui/field.tsx'
import { NumberSetting } from '#renderer/ui/number-setting.tsx'
import { Section } from '#renderer/ui/text/section.tsx'
import { VisibleText } from '#renderer/ui/visible-text.tsx'
import { formatDollars } from './usage-labels.ts'

const parts = [
  ['input', t`Read`],
  ['output', t`Written`],
  ['cacheRead', t`Read from the cache`],
  ['cacheWrite', t`Written to the cache`],
] as const satisfies readonly (readonly [keyof Price, string])[]

/** `unpriced`: models that were used and have no price; they come first. */
export function PriceSection({ unpriced }: { readonly unpriced: readonly string[] }) {
  const models = useModels((state) => state.models)
  const prices = useSettings((state) => state.settings.prices)
  const { set } = useActions()
  const [open, setOpen] = useState<string | undefined>(undefined)
  const own = Object.keys(prices)
  const choices = [...new Set([...unpriced, ...models.filter(({ ai }) => ai).map(({ id }) => id)])].filter((id) => !own.includes(id))
  const remove = (id: string): void => {
    const { [id]: _gone, ...rest } = prices
    set({ prices: rest })
  }
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id
  return (
    <Section level={2} title={t`Prices`}>
      <p className="lede">
        {t`In dollars for a million tokens. OpenRouter says what each answer cost; other providers do not, so write down what their page says. What is changed here counts from the next answer.`}
      </p>
      <div className="lines">
        {own.map((id) =>
          open === id ? (
            <PriceForm key={id} id={id} before={prices[id]} onDone={() => setOpen(undefined)} />
          ) : (
            <div key={id}>
              <span className="grow">
                <VisibleText text={nameOf(id)} />
                <span className="help block num">{priceLabel(prices[id])}</span>
              </span>
              <SmallGhostButton onClick={() => setOpen(id)}>{t`Change`}</SmallGhostButton>
              <SmallGhostButton onClick={() => remove(id)}>{t`Remove`}</SmallGhostButton>
            </div>
          ),
        )}
        {open !== undefined && !own.includes(open) ? (
          <PriceForm id={open} before={models.find(({ id }) => id === open)?.price} onDone={() => setOpen(undefined)} />
        ) : (
          choices.length > 0 && (
            <div>
              <label className="grow" htmlFor="price-of">
                {t`Set the price of a model`}
              </label>
              <ChoiceSelect
                id="price-of"
                className="fit"
                value=""
                options={[
                  { value: '', label: t`Choose …` },
                  ...choices.map((id) => ({ value: id, label: unpriced.includes(id) ? t`${nameOf(id)} (used, no price)` : nameOf(id) })),
                ]}
                onChoose={setOpen}
              />
            </div>
          )
        )}
      </div>
    </Section>
  )
}

const priceLabel = (price: Price | undefined): string =>
  parts.flatMap(([name, label]) => (price?.[name] === undefined ? [] : [`${label.toLowerCase()} ${formatDollars(price[name])}`])).join(', ')

type Typed = Readonly<Record<(typeof parts)[number][0], string>>

/** Price in dollars; undefined: what is typed is none. */
export function readPrice(typed: Typed): Price | undefined {
  const price: { -readonly [Part in keyof Price]: Price[Part] } = { input: 0, output: 0 }
  for (const [name] of parts) {
    const text = typed[name].trim()
    const isOptional = name !== 'input' && name !== 'output'
    if (text === '' && isOptional) continue
    const value = text === '' ? Number.NaN : Number(text.replace(/^\$/, '').replace(',', '.'))
    if (!(value >= 0 && value <= 1_000_000)) return undefined
    price[name] = value
  }
  return price
}

function PriceForm({ id, before, onDone }: { readonly id: string; readonly before: Price | undefined; readonly onDone: () => void }) {
  const models = useModels((state) => state.models)
  const prices = useSettings((state) => state.settings.prices)
  const { set } = useActions()
  const [typed, setTyped] = useState(() => Object.fromEntries(parts.map(([name]) => [name, String(before?.[name] ?? '')])) as Typed)
  const [tried, setTried] = useState(false)
  const price = readPrice(typed)
  return (
    <SubmitForm
      className="price-form"
      onSubmit={() => {
        setTried(true)
        if (!price) return
        set({ prices: { ...prices, [id]: price } })
        onDone()
      }}
    >
      <VisibleText as="p" text={models.find((model) => model.id === id)?.name ?? id} />
      <div className="price-fields">
        {parts.map(([name, label], index) => (
          <TextField
            key={name}
            label={label}
            note={index < 2 ? undefined : t`optional`}
            className="num"
            inputMode="decimal"
            autoFocus={index === 0}
            value={typed[name]}
            onText={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
      </div>
      {tried && !price && (
        <p className="help dangertext" role="alert">
          {t`Write dollars, such as 3 or 0.25, for what is read and what is written.`}
        </p>
      )}
      <p className="row">
        <SmallButton type="submit">{t`Save`}</SmallButton>
        <SmallGhostButton onClick={onDone}>{t`Cancel`}</SmallGhostButton>
      </p>
    </SubmitForm>
  )
}

const limits = {
  dollars: { first: 20, most: 1_000_000, help: t`Counts what has a price, below.` },
  tokens: { first: 10_000_000, most: 1_000_000_000_000, help: t`Read and written, those from the provider’s cache included.` },
} as const

export function BudgetSection() {
  const budget = useSettings((state) => state.settings.monthBudget)
  const { set } = useActions()
  return (
    <Section level={2} title={t`Budget`}>
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
    </Section>
  )
}
