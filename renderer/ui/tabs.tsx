import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface TabsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly tabs: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
  readonly children: ReactNode
}

/** Width in pixels of the fade at the end of a strip that scrolls; equals `--fade` of `.tabs`. */
const FADE = 32

/** Pixels to scroll until a tab is whole in the strip, clear of the fade. */
export function tabScroll(strip: Span, tab: Span, clear = 0): number {
  const before = tab.left - clear - strip.left
  return before < 0 ? before : Math.max(0, Math.min(tab.right + clear - strip.right, before))
}
type Span = Pick<DOMRect, 'left' | 'right'>

function showChosen(strip: HTMLElement): void {
  const chosen = strip.querySelector('[aria-selected="true"]')
  if (chosen && strip.scrollWidth > strip.clientWidth)
    strip.scrollLeft += tabScroll(strip.getBoundingClientRect(), chosen.getBoundingClientRect(), FADE)
}

/** Marks the ends at which the strip scrolls on, for the styles. Left and right are the screen's; `scrollLeft` is negative in RTL. */
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
