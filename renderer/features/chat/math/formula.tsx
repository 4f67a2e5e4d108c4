// One formula. Until its chunk is there, and whenever it cannot be made, its TeX stands there as code.
import { memo, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

type TexTree = (tex: string, display: boolean) => ReactNode

let texTree: TexTree | undefined
const listeners = new Set<() => void>()

/** Once for the page; again with a later formula where it failed. */
async function load(): Promise<void> {
  const module = await import('./tex-tree.ts')
  texTree = module.texTree
  for (const each of [...listeners]) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Where the chunk cannot be had, the TeX stays there as code.
  if (!texTree) load().catch(() => undefined)
  return () => listeners.delete(listener)
}

interface FormulaProps {
  readonly tex: string
  readonly display: boolean
  /** As it was written, its signs included: what a copied selection holds. */
  readonly written: string
}

export const Formula = memo(function Formula({ tex, display, written }: FormulaProps) {
  const make = useSyncExternalStore(subscribe, () => texTree)
  const made = useMemo(() => {
    // What cannot be seen in a formula is spelled out in its TeX.
    if (!make || hasHidden(tex)) return undefined
    try {
      return make(tex, display)
    } catch {
      return undefined // broken TeX, or too much of it: it stays code
    }
  }, [make, tex, display])
  return (
    <span className={cx('math', display && 'shown')} data-tex={written} title={made ? tex : undefined} dir="ltr">
      {made ?? (
        <code>
          <VisibleText text={written} />
        </code>
      )}
    </span>
  )
})
