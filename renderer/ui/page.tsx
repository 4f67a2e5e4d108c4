// The frame of every page: a bar with the title, and below it whatever the page is.
import type { ReactNode } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { IconButton } from './button.tsx'

interface PageProps {
  readonly title: string
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** Goes back to the list in narrow windows, by an arrow in place of the menu button. */
  readonly onBack?: (() => void) | undefined
  readonly children: ReactNode
}

export function Page({ title, beside, actions, onBack, children }: PageProps) {
  const { view } = useStores()
  return (
    <main className="main">
      <header className="bar">
        {onBack ? (
          <IconButton label={t`Back`} icon="chevron-left" className="narrow-only" onClick={onBack} />
        ) : (
          <IconButton label={t`Open menu`} icon="menu" className="menu" onClick={() => view.setState({ menuOpen: true })} />
        )}
        <h1>{title}</h1>
        {beside}
        <span className="grow" />
        {actions}
      </header>
      {children}
    </main>
  )
}
