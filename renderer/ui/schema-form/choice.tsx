import type { Json } from '#app/json.ts'
import { type Choice, indexOfChoice } from '#app/schema-form/choices.ts'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { type FieldIds, Select } from '#renderer/ui/field.tsx'
import { Revealed, revealedText } from '#renderer/ui/revealed.tsx'

const wordsOf = ({ value, title }: Choice): string => {
  const spelled = typeof value === 'string' ? value : JSON.stringify(value)
  return title === undefined ? spelled : `${title} (${spelled})`
}

interface ChoiceProps {
  readonly choices: readonly Choice[]
  readonly value: Json
  readonly onChange: (value: Json) => void
}

export function ChoiceSelect({ ids, choices, value, onChange }: ChoiceProps & { readonly ids: FieldIds }) {
  return (
    <Select
      {...ids}
      value={String(indexOfChoice(choices, value))}
      onChange={(event) => onChange(choices[Number(event.target.value)]?.value ?? null)}
    >
      {choices.map((choice, index) => (
        <option key={JSON.stringify(choice.value)} value={index}>
          {revealedText(wordsOf(choice))}
        </option>
      ))}
    </Select>
  )
}

/** In the order of the schema. */
export function SeveralChoices({ choices, value, onChange }: ChoiceProps) {
  const chosen: readonly Json[] = Array.isArray(value) ? value : []
  return (
    <div className="grid2 choices">
      {choices.map((choice) => (
        <Checkbox
          key={JSON.stringify(choice.value)}
          checked={
            indexOfChoice(
              chosen.map((one) => ({ value: one })),
              choice.value,
            ) >= 0
          }
          label={<Revealed text={wordsOf(choice)} />}
          onChange={(on) =>
            onChange(
              choices
                .filter((one) =>
                  one === choice
                    ? on
                    : indexOfChoice(
                        chosen.map((it) => ({ value: it })),
                        one.value,
                      ) >= 0,
                )
                .map((one) => one.value),
            )
          }
        />
      ))}
    </div>
  )
}
