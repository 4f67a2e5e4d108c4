// A page whose code is fetched later, shown at once when it is there: React's `lazy` would show its fallback, mostly for 300 ms.
import { type ComponentType, useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { WarnNotice } from '#renderer/ui/notice.tsx'

interface WaitingProps {
  readonly failed: boolean
}

type LazyPage<P> = ComponentType<P> & { readonly load: () => Promise<void> }

/** `Waiting`: shown until the code is there. */
export function lazyPage<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
  Waiting: ComponentType<P & WaitingProps> = EmptyPage,
): LazyPage<P> {
  let Page: ComponentType<P> | undefined
  const load = async (): Promise<void> => {
    Page ??= await fetch()
  }
  function Later(props: P) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(Page ? 'loaded' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      let left = false
      load().then(
        () => left || setState('loaded'),
        () => left || setState('failed'),
      )
      return () => {
        left = true
      }
    }, [state])
    return Page ? <Page {...props} /> : <Waiting {...props} failed={state === 'failed'} />
  }
  return Object.assign(Later, { load })
}

/** Placeholder of a page; a load fails when the host is gone or was replaced by another version. */
const EmptyPage = ({ failed }: WaitingProps) => (
  <main aria-busy={!failed}>
    {failed && (
      <WarnNotice
        title={t`The page could not be loaded.`}
        action={<Button onClick={() => window.location.reload()}>{t`Load again`}</Button>}
      />
    )}
  </main>
)

/** Placeholder of the command menu. Where its code cannot be had, the menu is closed again and a message says so. */
export function MenuNotLoaded({ failed }: WaitingProps) {
  const { view, actions } = useStores()
  useEffect(() => {
    if (!failed) return
    view.setState({ commandsOpen: false })
    const action = { label: t`Load again`, run: () => window.location.reload() }
    actions.toast(t`The page could not be loaded.`, { tone: 'bad', action })
  }, [failed, view, actions])
  return null
}
