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

/** Where a strip that goes on is faded, in px; as wide as `--fade` of `.tabs`. */
const FADE = 32

/** How far a strip has to scroll for one of its tabs to be whole in it, clear of what is faded where the strip goes on. */
export function tabScroll(strip: Span, tab: Span, clear = 0): number {
  const before = tab.left - clear - strip.left
  return before < 0 ? before : Math.max(0, Math.min(tab.right + clear - strip.right, before))
}
type Span = Pick<DOMRect, 'left' | 'right'>

/** Scrolls to the chosen tab, where it is not whole in view. */
function showChosen(strip: HTMLElement): void {
  const chosen = strip.querySelector('[aria-selected="true"]')
  if (chosen && strip.scrollWidth > strip.clientWidth)
    strip.scrollLeft += tabScroll(strip.getBoundingClientRect(), chosen.getBoundingClientRect(), FADE)
}

/** Tells the styles at which ends the strip goes on. Its sides are those of the screen, as a gradient's are; from the right, `scrollLeft` is negative. */
function tellMore(strip: HTMLElement): void {
  const more = strip.scrollWidth - strip.clientWidth
  const fromLeft = getComputedStyle(strip).direction === 'rtl' ? strip.scrollLeft + more : strip.scrollLeft
  strip.toggleAttribute('data-more-left', fromLeft > 1)
  strip.toggleAttribute('data-more-right', more - fromLeft > 1)
}

export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  const strip = useRef<HTMLDivElement | null>(null)
  const count = tabs.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip is another one with each tab that comes or goes
  useEffect(() => {
    const element = strip.current
    if (!element) return
    const look = (): void => {
      showChosen(element)
      tellMore(element)
    }
    look()
    const observer = new ResizeObserver(look)
    for (const watched of [element, ...element.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [value, count])
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className="stack">
      <Base.List ref={strip} className="tabs" aria-label={label} onScroll={(event) => tellMore(event.currentTarget)}>
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
