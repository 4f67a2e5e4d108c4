import { useEffect, useId, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import type { Json } from '#app/json.ts'
import { blankFor } from '#app/schema-form/blank-value.ts'
import type { Shape } from '#app/schema-form/form-controls.ts'
import { IconButton, SmallGhostButton } from '#renderer/ui/button.tsx'
import { tx } from '#renderer/ui/lib/translate-elements.ts'
import type { PartProps } from './types.ts'

type ItemsProps = PartProps & { readonly list: Extract<Shape, { kind: 'list' }> }

export function Items({ list, label, value, at, depth, state, onChange }: ItemsProps) {
  const id = useId()
  const [moved, setMoved] = useState<string | undefined>(undefined)
  // The button that was pressed stands at another place now, and keeps the focus there.
  useEffect(() => {
    if (moved === undefined) return
    document.getElementById(moved)?.focus()
    setMoved(undefined)
  }, [moved])
  const items: readonly Json[] = Array.isArray(value) ? value : []
  const schemaOf = (index: number): Json | undefined => list.first[index] ?? list.item
  const move = (index: number, by: 1 | -1): void => {
    const next = [...items]
    next.splice(index + by, 0, ...next.splice(index, 1))
    state.forget(at)
    onChange(next)
    // At the edge that button is dead: the other one takes the focus.
    const last = index + by === (by < 0 ? 0 : items.length - 1)
    setMoved(`${id}-${index + by}-${by < 0 === last ? 'down' : 'up'}`)
  }
  const remove = (index: number): void => {
    state.forget(at)
    onChange(items.filter((_, place) => place !== index))
  }
  const moves = [
    { by: -1, name: 'up', icon: 'chevron-up', edge: 0, label: (number: number) => t`Move item ${number} up` },
    { by: 1, name: 'down', icon: 'chevron-down', edge: items.length - 1, label: (number: number) => t`Move item ${number} down` },
  ] as const
  const next = schemaOf(items.length)
  return (
    <div className="arg-form">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no other identity.
        <div key={`${items.length} ${index}`} className="arg-part">
          <state.Part
            label={
              <>
                {label} {index + 1}
              </>
            }
            needed={false}
            schema={schemaOf(index) ?? false}
            value={item}
            at={`${at}/${index}`}
            depth={depth + 1}
            state={state}
            onChange={(changed) => onChange(items.map((one, place) => (place === index ? changed : one)))}
          />
          <span className="row">
            <SmallGhostButton onClick={() => remove(index)}>{tx`Remove ${label} ${index + 1}`}</SmallGhostButton>
            {items.length > 1 &&
              list.first.length === 0 &&
              moves.map(({ by, name, icon, edge, label }) => (
                <IconButton
                  key={name}
                  id={`${id}-${index}-${name}`}
                  label={label(index + 1)}
                  icon={icon}
                  small
                  disabled={index === edge}
                  onClick={() => move(index, by)}
                />
              ))}
          </span>
        </div>
      ))}
      {next !== undefined && (
        <SmallGhostButton onClick={() => onChange([...items, blankFor(next, state.root)])}>{tx`Add to ${label}`}</SmallGhostButton>
      )}
    </div>
  )
}
