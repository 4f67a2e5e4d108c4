import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly tabs: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
  /** The panel of the chosen tab. */
  readonly children: ReactNode
}

export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className="stack">
      <Base.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="stack">
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
