// The sidebar as a drawer over the page, in narrow windows.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useRoute } from '#renderer/router.ts'
import { useStores, useView } from '#renderer/stores/store-hooks.tsx'
import { Sidebar } from './sidebar.tsx'

export function Drawer() {
  const { view } = useStores()
  const open = useView((state) => state.menuOpen)
  const route = useRoute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes it
  useEffect(() => view.setState({ menuOpen: false }), [route, view])
  return (
    <Base.Root open={open} onOpenChange={(next) => view.setState({ menuOpen: next })}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="drawer" aria-label={t`Menu`}>
          <Sidebar inDrawer />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
