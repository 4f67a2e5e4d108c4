// Stands in until the code of the menu is loaded. Where loading fails, the menu is closed again and a message says so.
import { useEffect } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

export function MenuNotLoaded({ failed }: { readonly failed: boolean }) {
  const { view, actions } = useStores()
  useEffect(() => {
    if (!failed) return
    view.setState({ commandsOpen: false })
    const action = { label: t`Load again`, run: () => window.location.reload() }
    actions.toast(t`The command menu could not be loaded.`, { tone: 'bad', action })
  }, [failed, view, actions])
  return null
}
