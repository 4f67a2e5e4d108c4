// Place of the command menu. Its code is fetched after the first paint; keys typed before that are held for its field.
import { useLayoutEffect, useRef } from 'react'
import { t } from '#app/i18n/translate.ts'
import { LazyCommandMenu } from '#renderer/pages/pages.ts'
import { useStores, useView } from '#renderer/stores/store-hooks.tsx'
import { holdTyping } from '#renderer/ui/lib/hold-typing.ts'

export function CommandMenuSlot() {
  const open = useView((state) => state.commandsOpen)
  return open ? <OpenMenu /> : null
}

function OpenMenu() {
  const { view } = useStores()
  const field = useRef<HTMLInputElement>(null)
  const from = useRef<Element>(null)
  const close = (): void => view.setState({ commandsOpen: false })
  useLayoutEffect(() => {
    from.current = document.activeElement
    return holdTyping({
      field: () => field.current,
      isWanted: () => view.getState().commandsOpen,
      label: t`Find a command, a chat or a server`,
      onEscape: () => view.setState({ commandsOpen: false }),
    })
  }, [view])
  return <LazyCommandMenu field={field} from={from} onClose={close} />
}
