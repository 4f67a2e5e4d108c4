import { useEffect, useRef } from 'react'
import { createTurnWatch } from '#app/chat/long-turn.ts'
import { overdueNotice, requestNotice, type SystemNotice, turnEndNotice } from '#app/consent/system-notice.ts'
import { navigate } from '#renderer/router.ts'
import { focusCall, focusSoon, goToRequest } from '#renderer/shell/focus.ts'
import { useConnection, useConsent, useOverdueCalls, useStores, useWaiting } from '#renderer/stores/react.tsx'
import { showNotice, tellFront } from './browser-notices.ts'

interface Waiting {
  readonly key: string
  readonly notice: SystemNotice | undefined
  readonly go: () => void
}

/**
 * In the web shell the page tells the person what waits while no page of ours is in front; Electron's host does it there. What
 * waited before the page came is not told, and what is answered or withdrawn takes its notification with it; that a long turn
 * ended goes when the person comes back. The title of the tab counts what waits.
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
    const waiting: Waiting[] = [
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
    let back = new AbortController()
    const look = (): void => {
      for (const conversation of conversations.getState().list) {
        const end = turns.see(conversation)
        if (!end) continue
        const go = (): void => navigate({ page: 'chat', id: end.conversationId })
        void showNotice({ tag: `assent-${end.turnId}`, notice: turnEndNotice(end), onClick: go, signal: back.signal })
      }
    }
    const onFocus = (): void => {
      back.abort()
      back = new AbortController()
    }
    look()
    const stop = conversations.subscribe(look)
    window.addEventListener('focus', onFocus)
    return () => {
      stop()
      window.removeEventListener('focus', onFocus)
      back.abort()
    }
  }, [conversations])
}
