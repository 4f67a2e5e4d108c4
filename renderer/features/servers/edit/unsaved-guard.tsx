// Asks before unsaved changes are lost by Escape, a press outside, a link, or going back. Closing or reloading the window asks
// with the browser's own dialog.

import { useEffect, useState } from 'react'
import { t } from '#app/i18n/translate.ts'
import { holdRoute } from '#renderer/router.ts'
import { AlertDialog } from '#renderer/ui/alert-dialog.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'

/** Index of the current entry in the window's history; undefined where the browser does not tell. */
const placeNow = (): number | undefined => window.navigation?.currentEntry?.index

export function useLeaveGuard(dirty: boolean) {
  const [asked, setAsked] = useState<(() => void) | undefined>(undefined)
  useEffect(() => {
    if (!dirty) return
    const here = window.location.hash
    const place = placeNow()
    /** Navigation that was held back, once the address is restored. */
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
      // Back to this entry, so that those before and after it stay what they were.
      onward = after(() => window.history.go(steps))
      window.history.go(-steps)
    })
    const ignore = listen(window, { beforeunload: (event) => event.preventDefault() })
    return () => {
      release()
      ignore()
    }
  }, [dirty])

  return {
    /** Does it at once where nothing would be lost, else after a yes. */
    leave(go: () => void): void {
      if (dirty) setAsked(() => go)
      else go()
    },
    /** Question, drawn inside the dialog that it is about, so that this one stays open. */
    question: (
      <AlertDialog
        open={asked !== undefined}
        title={t`Leave without saving?`}
        go={t`Leave without saving`}
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
