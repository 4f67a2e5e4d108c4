import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly tabs: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
  /** The panel of the chosen tab. */
  readonly children: ReactNode
}

/** How far a strip has to scroll for one of its tabs to be whole in it. */
export function tabScroll(strip: Span, tab: Span): number {
  if (tab.left < strip.left) return tab.left - strip.left
  return Math.max(0, Math.min(tab.right - strip.right, tab.left - strip.left))
}
type Span = Pick<DOMRect, 'left' | 'right'>

export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  const strip = useRef<HTMLDivElement | null>(null)
  const count = tabs.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip is another one with each tab that comes or goes
  useEffect(() => {
    const chosen = strip.current?.querySelector('[aria-selected="true"]')
    if (strip.current && chosen)
      strip.current.scrollLeft += tabScroll(strip.current.getBoundingClientRect(), chosen.getBoundingClientRect())
  }, [value, count])
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className="stack">
      <Base.List ref={strip} className="tabs" aria-label={label}>
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
