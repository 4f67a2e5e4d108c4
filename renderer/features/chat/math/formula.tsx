// One formula. Its TeX is shown as code until the chunk is there, and where it cannot be rendered.
import { memo, type ReactNode, useMemo, useSyncExternalStore } from 'react'
import { orElse } from '#app/or-else.ts'
import { hasHidden } from '#app/text/hidden-characters.ts'
import { cx } from '#renderer/ui/lib/class-names.ts'
import { VisibleText } from '#renderer/ui/visible-text.tsx'

type TexTree = (tex: string, display: boolean) => ReactNode

let texTree: TexTree | undefined
const listeners = new Set<() => void>()

/** Loads the chunk; a failed load is repeated for a later formula. */
async function load(): Promise<void> {
  const module = await import('./tex-tree.ts')
  texTree = module.texTree
  for (const each of [...listeners]) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Without the chunk the TeX stays code.
  if (!texTree) load().catch(() => undefined)
  return () => listeners.delete(listener)
}

interface FormulaProps {
  readonly tex: string
  readonly display: boolean
  /** Source with its signs, for copied selections. */
  readonly written: string
}

export const Formula = memo(function Formula({ tex, display, written }: FormulaProps) {
  const make = useSyncExternalStore(subscribe, () => texTree)
  // TeX that is broken or too long, or has hidden characters, stays code.
  const made = useMemo(() => (make && !hasHidden(tex) ? orElse(() => make(tex, display), undefined) : undefined), [make, tex, display])
  return (
    <span className={cx('math', display && 'shown')} data-tex={written} title={made ? tex : undefined} dir="ltr">
      {made ?? <VisibleText as="code" text={written} />}
    </span>
  )
})
