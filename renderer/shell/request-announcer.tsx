import { useEffect, useRef } from 'react'
import { overdueSentence } from '#app/chat/overdue.ts'
import { consentSentence } from '#app/consent/sentence.ts'
import { t } from '#app/words/translate.ts'
import { endedWords } from '#renderer/features/consent/ended-line.tsx'
import { type EndedRequest, endedElsewhere } from '#renderer/stores/consent.ts'
import { useConsent, useOverdueCalls, useShallow, useStores } from '#renderer/stores/react.tsx'
import { announce } from '#renderer/stores/view.ts'
import { formatChord, useOs } from '#renderer/ui/keys.tsx'
import { nextRequestChord } from './shortcuts.ts'

/**
 * Says each new request once, politely, each that ended without this page's doing, and each call that falls silent. Those that waited before the page came are in the
 * count, not said.
 */
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
    const how = os === 'mac' ? t`Command J` : formatChord(nextRequestChord, os)
    announce(
      view,
      fresh.length === 1 ? t`${consentSentence(first)}. ${how} to review.` : t`${fresh.length} requests wait for you. ${how} to review.`,
    )
  }, [requests, os, view])
  const ended = useConsent(useShallow(endedElsewhere))
  const told = useRef<readonly EndedRequest[]>([])
  useEffect(() => {
    const fresh = ended.filter((one) => !told.current.includes(one))
    told.current = ended
    if (fresh.length > 0)
      announce(view, fresh.map(({ request, end }) => `${consentSentence(request)}: ${endedWords(request, end)}.`).join(' '))
  }, [ended, view])
  const overdue = useOverdueCalls()
  const silent = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const fresh = overdue.filter(({ callId }) => !silent.current.has(callId))
    silent.current = new Set(overdue.map(({ callId }) => callId))
    if (fresh.length > 0) announce(view, fresh.map((call) => `${overdueSentence(call)}.`).join(' '))
  }, [overdue, view])
  return null
}
