// The menu comes with its first use: no start of the page waits for it.
import { lazy, Suspense } from 'react'
import { useStores, useView } from '#renderer/stores/react.tsx'

const CommandMenu = lazy(() => import('./command-menu.tsx').then(({ CommandMenu }) => ({ default: CommandMenu })))

export function LazyCommandMenu() {
  const open = useView((state) => state.commandsOpen)
  const { view } = useStores()
  if (!open) return null
  return (
    <Suspense>
      <CommandMenu onClose={() => view.setState({ commandsOpen: false })} />
    </Suspense>
  )
}
