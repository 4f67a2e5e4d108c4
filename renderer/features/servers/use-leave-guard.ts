import { useEffect } from 'react'
import { confirmLoss } from './confirm-loss.ts'

/**
 * Keeps unsaved changes from being lost by a click: closing or reloading asks in the browser's own words, going to
 * another page of Assent asks here and, on no, puts the address back.
 */
export function useLeaveGuard(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    const here = window.location.hash
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
    const onHash = (event: HashChangeEvent): void => {
      if (window.location.hash === here || confirmLoss()) return
      event.stopImmediatePropagation()
      window.history.replaceState(null, '', here)
    }
    window.addEventListener('beforeunload', onUnload)
    // Capturing: it must hear of the change before the router does.
    window.addEventListener('hashchange', onHash, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      window.removeEventListener('hashchange', onHash, { capture: true })
    }
  }, [dirty])
}
