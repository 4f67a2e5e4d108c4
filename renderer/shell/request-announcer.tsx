import { useEffect, useRef } from 'react'
import { consentSentence } from '#app/consent/sentence.ts'
import { useConsent, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { formatChord, useOs } from '#renderer/ui/keys.tsx'
import { nextRequestChord } from './shortcuts.ts'

/** Says each new request once, politely. Those that waited before the page came are in the count, not said. */
export function RequestAnnouncer() {
  const { view } = useStores()
  const os = useOs()
  const requests = useConsent((state) => state.requests)
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  useEffect(() => {
    const fresh = known.current ? requests.filter((request) => !known.current?.has(request.id)) : []
    known.current = new Set(requests.map((request) => request.id))
    const [first] = fresh
    if (!first) return
    const how = os === 'mac' ? 'Command J' : formatChord(nextRequestChord, os)
    announce(
      view,
      fresh.length === 1 ? `${consentSentence(first)}. ${how} to review.` : `${fresh.length} requests wait for you. ${how} to review.`,
    )
  }, [requests, os, view])
  return null
}
