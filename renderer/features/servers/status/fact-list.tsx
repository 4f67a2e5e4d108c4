import type { ReactNode } from 'react'
import { Fact } from '#renderer/ui/text/section.tsx'

export type FactRow = readonly [label: string, value: ReactNode, className?: string]

/** Terms with their values; a row whose value is undefined, null or false is left out. */
export const FactList = ({ rows }: { readonly rows: readonly FactRow[] }) => (
  <dl className="kv">
    {rows
      .filter(([, value]) => value !== undefined && value !== null && value !== false)
      .map(([label, value, className]) => (
        <Fact key={label} label={label} className={className}>
          {value}
        </Fact>
      ))}
  </dl>
)
