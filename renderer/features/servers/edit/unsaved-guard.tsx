// Keeps unsaved changes from being lost by what was not meant for it: Escape, a press outside, a link, the way back. Closing or
// reloading the window asks in the browser's own words; the rest asks here, and goes on only after a yes.
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { holdRoute } from '#renderer/router.ts'
import { AlertDialog } from '#renderer/ui/alert-dialog.tsx'

interface LeaveGuard {
  /** Does it at once where nothing would be lost, else after a yes. */
  readonly leave: (go: () => void) => void
  /** To be drawn within what is left, so that a dialog around it stays. */
  readonly question: ReactNode
}

/** Places in the history of this window, counted; undefined where the browser does not tell. */
const placeNow = (): number | undefined => window.navigation?.currentEntry?.index

export function useLeaveGuard(dirty: boolean): LeaveGuard {
  const [asked, setAsked] = useState<(() => void) | undefined>(undefined)
  useEffect(() => {
    if (!dirty) return
    const here = window.location.hash
    const place = placeNow()
    /** How to go where they wanted to, once the address is back. */
    let onward: (() => void) | undefined
    const release = holdRoute(() => {
      const { hash } = window.location
      if (hash === here) {
        const go = onward
        if (go) setAsked(() => go)
        onward = undefined
        return
      }
      const now = placeNow()
      const steps = place === undefined || now === undefined ? 0 : now - place
      const after = (move: () => void) => (): void => {
        release()
        move()
      }
      if (steps === 0) {
        window.history.replaceState(null, '', here)
        setAsked(() => after(() => window.location.assign(hash)))
        return
      }
      // Back to where this stands, so that the places before and after it stay what they were.
      onward = after(() => window.history.go(steps))
      window.history.go(-steps)
    })
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', onUnload)
    return () => {
      release()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [dirty])

  return {
    leave(go) {
      if (dirty) setAsked(() => go)
      else go()
    },
    question: (
      <AlertDialog
        open={asked !== undefined}
        title={t`Leave what is not saved?`}
        go={t`Leave and lose it`}
        stay={t`Stay here`}
        onStay={() => setAsked(undefined)}
        onGo={() => {
          setAsked(undefined)
          asked?.()
        }}
      >
        {t`There are changes that are not saved.`}
      </AlertDialog>
    ),
  }
}
