// The conditions of a rule, a row each: an argument, how it is compared, and with what.
import { useId } from 'react'
import type { Condition } from '#app/consent/rule.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choices.tsx'
import { Select, TextInput } from '#renderer/ui/field.tsx'
import { type ConditionForm, emptyCondition } from './rule-form.ts'

const kinds: Record<Condition['kind'], { readonly words: string; readonly example: string }> = {
  'path-inside': { words: 'is inside the folder', example: '/home/me/notes' },
  'url-host': { words: 'leads to the host', example: 'example.org' },
  equals: { words: 'is', example: 'a value' },
  pattern: { words: 'is like', example: 'git log *' },
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
          <legend className="sr">Condition {index + 1}</legend>
          <TextInput
            mono
            aria-label="Argument"
            placeholder="argument"
            list={listId}
            value={argument}
            onChange={(event) => change(key, { argument: event.target.value })}
          />
          <Select
            aria-label="How it is compared"
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
            aria-label="With what"
            placeholder={kinds[kind].example}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
          />
          <IconButton
            label="Remove this condition"
            icon="close"
            small
            onClick={() => onChange(conditions.filter((one) => one.key !== key))}
          />
          {kind === 'url-host' && (
            <Checkbox checked={subdomains} label="and below it" onChange={(checked) => change(key, { subdomains: checked })} />
          )}
        </fieldset>
      ))}
      <p>
        <Button size="sm" variant="ghost" icon="plus" onClick={() => onChange([...conditions, emptyCondition()])}>
          Add a condition
        </Button>
      </p>
    </div>
  )
}
