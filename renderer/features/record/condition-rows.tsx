// The conditions of a rule, a row each: an argument, how it is compared, and with what.
import { useId } from 'react'
import type { Condition } from '#app/consent/rule.ts'
import { t } from '#app/words/translate.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Select, TextInput } from '#renderer/ui/field.tsx'
import { tx } from '#renderer/ui/translate.ts'
import { type ConditionForm, emptyCondition } from './rule-form.ts'

const kinds: Record<Condition['kind'], { readonly words: string; readonly example: string }> = {
  'path-inside': { words: t`is inside the folder`, example: '/home/me/notes' },
  'url-host': { words: t`leads to the host`, example: 'example.org' },
  equals: { words: t`is`, example: t`a value` },
  pattern: { words: t`is like`, example: t`git log *` },
}

interface ConditionRowsProps {
  readonly conditions: readonly ConditionForm[]
  /** Of the tool's arguments, to choose from. */
  readonly names: readonly string[]
  readonly onChange: (conditions: readonly ConditionForm[]) => void
}

export function ConditionRows({ conditions, names, onChange }: ConditionRowsProps) {
  const listId = useId()
  const change = (key: number, part: Partial<ConditionForm>): void =>
    onChange(conditions.map((one) => (one.key === key ? { ...one, ...part } : one)))
  return (
    <div className="sec">
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.map(({ key, kind, argument, value, subdomains }, index) => (
        <fieldset key={key} className="condition">
          <legend className="sr">{tx`Condition ${index + 1}`}</legend>
          <TextInput
            mono
            aria-label={t`Argument`}
            placeholder={t`argument`}
            list={listId}
            value={argument}
            onChange={(event) => change(key, { argument: event.target.value })}
          />
          <Select
            aria-label={t`How it is compared`}
            value={kind}
            onChange={(event) => change(key, { kind: event.target.value as Condition['kind'] })}
          >
            {Object.entries(kinds).map(([name, { words }]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </Select>
          <TextInput
            mono
            aria-label={t`With what`}
            placeholder={kinds[kind].example}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <IconButton
            label={t`Remove this condition`}
            icon="close"
            small
            onClick={() => onChange(conditions.filter((one) => one.key !== key))}
          />
          {kind === 'url-host' && (
            <Checkbox checked={subdomains} label={t`and below it`} onChange={(checked) => change(key, { subdomains: checked })} />
          )}
        </fieldset>
      ))}
      <p>
        <Button size="sm" variant="ghost" icon="plus" onClick={() => onChange([...conditions, emptyCondition()])}>
          {t`Add a condition`}
        </Button>
      </p>
    </div>
  )
}
