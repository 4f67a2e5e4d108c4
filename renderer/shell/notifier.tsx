import { useEffect, useRef } from 'react'
import { overdueSentence } from '#app/chat/overdue-call.ts'
import { createTurnWatch, overdueNotice, requestNotice, type SystemNotice, turnEndNotice } from '#app/chat/system-notification.ts'
import { consentSentence } from '#app/consent/display/request-title.ts'
import { t } from '#app/i18n/translate.ts'
import { endedLabel } from '#renderer/features/consent/request/ended-line.tsx'
import { focusCall, focusSoon, goToRequest } from '#renderer/navigation/focus.ts'
import { navigate } from '#renderer/router.ts'
import { type EndedRequest, endedElsewhere } from '#renderer/stores/consent-store.ts'
import { useActions, useConnection, useConsent, useOverdueCalls, useShallow, useStores, useWaiting } from '#renderer/stores/store-hooks.tsx'
import { spokenChord, useOs } from '#renderer/ui/lib/key-chords.tsx'
import { listen } from '#renderer/ui/lib/listen.ts'
import { showNotice, tellFront } from '../navigation/browser-notifications.ts'
import { useChords } from '../navigation/shortcuts.ts'

/** Announces each new request, each request that ended elsewhere, and each overdue call once. Requests older than the page are only counted. */
export function RequestAnnouncer() {
  const { announce } = useActions()
  const os = useOs()
  const { nextRequest } = useChords()
  const requests = useConsent((state) => state.requests)
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  useEffect(() => {
    const fresh = known.current ? requests.filter((request) => !known.current?.has(request.id)) : []
    known.current = new Set(requests.map((request) => request.id))
    const [first] = fresh
    if (!first) return
    const how = spokenChord(nextRequest, os)
    announce(fresh.length === 1 ? t`${how} to review: ${consentSentence(first)}` : t`${how} to review: ${fresh.length} requests`)
  }, [requests, nextRequest, os, announce])
  const ended = useConsent(useShallow(endedElsewhere))
  const announced = useRef<readonly EndedRequest[]>([])
  useEffect(() => {
    const fresh = ended.filter((one) => !announced.current.includes(one))
    announced.current = ended
    if (fresh.length > 0) announce(fresh.map(({ request, end }) => `${consentSentence(request)}: ${endedLabel(request, end)}.`).join(' '))
  }, [ended, announce])
  const overdue = useOverdueCalls()
  const silent = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const fresh = overdue.filter(({ callId }) => !silent.current.has(callId))
    silent.current = new Set(overdue.map(({ callId }) => callId))
    if (fresh.length > 0) announce(fresh.map((call) => `${overdueSentence(call)}.`).join(' '))
  }, [overdue, announce])
  return null
}

/**
 * Shows notifications in the web shell while no page of ours has the focus; Electron's host shows its own. Requests older than the
 * page get none. A notification closes when its request ends, one of a finished turn when the person comes back. The tab's title
 * counts what waits.
 */
export function Notifier() {
  const web = useConnection((state) => state.about?.shell.kind === 'web')
  return web ? <WebNotifier /> : null
}

function WebNotifier() {
  const requests = useConsent((state) => state.requests)
  const overdue = useOverdueCalls()
  const shown = useRef<Map<string, AbortController> | null>(null)
  useEffect(() => tellFront(), [])
  useEffect(() => {
    const waiting: { readonly key: string; readonly notice: SystemNotice | undefined; readonly go: () => void }[] = [
      ...requests.map((request) => ({ key: request.id, notice: requestNotice(request), go: () => goToRequest(request) })),
      ...overdue.map((call) => ({
        key: call.callId,
        notice: overdueNotice(call),
        go: () => {
          navigate({ page: 'chat', id: call.conversationId })
          focusSoon(() => focusCall(call.callId))
        },
      })),
    ]
    const before = shown.current
    const now = new Map<string, AbortController>()
    for (const { key, notice, go } of waiting) {
      const known = before?.get(key)
      const controller = known ?? new AbortController()
      now.set(key, controller)
      if (before && !known && notice) void showNotice({ tag: `assent-${key}`, notice, onClick: go, signal: controller.signal })
    }
    for (const [key, controller] of before ?? []) if (!now.has(key)) controller.abort()
    shown.current = now
  }, [requests, overdue])
  useTurnEnds()
  const count = useWaiting()
  useEffect(() => {
    const { title } = document
    if (count > 0) document.title = `(${count}) ${title}`
    return () => {
      document.title = title
    }
  }, [count])
  return null
}

function useTurnEnds(): void {
  const { conversations } = useStores()
  useEffect(() => {
    const turns = createTurnWatch(() => Date.now())
    let focused = new AbortController()
    const update = (): void => {
      for (const conversation of conversations.getState().list) {
        const end = turns.see(conversation)
        if (!end) continue
        const go = (): void => navigate({ page: 'chat', id: end.conversationId })
        void showNotice({ tag: `assent-${end.turnId}`, notice: turnEndNotice(end), onClick: go, signal: focused.signal })
      }
    }
    const focus = (): void => {
      focused.abort()
      focused = new AbortController()
    }
    update()
    const stop = conversations.subscribe(update)
    const ignore = listen(window, { focus })
    return () => {
      stop()
      ignore()
      focused.abort()
    }
  }, [conversations])
}
