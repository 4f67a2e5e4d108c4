// Short messages at the top of the page (“Chat deleted. Undo”). They stay while the pointer or the focus is on them, and go with their page.
import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { useRoute } from '#renderer/router.ts'
import { useStores, useView } from '#renderer/stores/store-hooks.tsx'
import { dismissOldToasts, dismissToast, type Toast } from '#renderer/stores/view-state.ts'
import { IconButton, SmallButton } from './button.tsx'

const staysMs = 8000

function ToastBar({ toast }: { readonly toast: Toast }) {
  const { view } = useStores()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(view, toast.id), staysMs)
    return () => clearTimeout(timer)
  }, [held, toast.id, view])
  const { action } = toast
  return (
    <div
      role="status"
      className={toast.tone === 'bad' ? 'toast bad' : 'toast'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="grow">{toast.text}</span>
      {action && (
        <SmallButton
          onClick={() => {
            dismissToast(view, toast.id)
            action.run()
          }}
        >
          {action.label}
        </SmallButton>
      )}
      <IconButton label={t`Dismiss`} icon="close" small onClick={() => dismissToast(view, toast.id)} />
    </div>
  )
}

export function Toasts() {
  const toasts = useView((state) => state.toasts)
  const { view } = useStores()
  const route = useRoute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs at each change of the route.
  useEffect(() => dismissOldToasts(view), [route, view])
  return (
    <div className="toasts">
      {toasts.map((toast) => (
        <ToastBar key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** Passes the latest announcement to screen readers. The key makes the same words count as new. */
export function Announcer() {
  const announcement = useView((state) => state.announcement)
  return (
    <div className="sr" aria-live="polite">
      <span key={announcement.id}>{announcement.text}</span>
    </div>
  )
}
