// The messages of a server, fetched while they are looked at: the host only says that there are more. Of a flood so much is
// fetched as the page can take; what the host could not keep meanwhile is a gap, and is told as one.
import { useEffect, useState } from 'react'
import type { ErrorValue } from '#app/errors.ts'
import { useActions, useStores } from '#renderer/stores/react.tsx'
import { addMessages, type MessagePage, noMessages } from './message-rows.ts'

export interface Messages {
  readonly page: MessagePage
  readonly loading: boolean
  readonly error: ErrorValue | undefined
  readonly reload: () => void
}

/** Between two answers, so that there is time to draw. */
const pauseMs = 100

const before: Omit<Messages, 'reload'> = { page: noMessages, loading: true, error: undefined }

export function useMessages(name: string): Messages {
  const { attempt } = useActions()
  const { link } = useStores()
  const [state, setState] = useState(before)
  const [again, setAgain] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a press on "Try again" is a reason to fetch.
  useEffect(() => {
    let gone = false
    let after = 0
    let asking = false
    let more = false
    let timer: ReturnType<typeof setTimeout> | undefined

    async function pull(): Promise<void> {
      asking = true
      more = false
      const outcome = await attempt('server.messages', { name, after })
      asking = false
      if (gone) return
      if (!outcome.ok) return setState((now) => ({ ...now, loading: false, error: outcome.error }))
      const { messages, first, last } = outcome.value
      after = messages.at(-1)?.seq ?? after
      setState(({ page }) => ({ page: addMessages(page, { messages, first }), loading: false, error: undefined }))
      if (after < last || more) later()
    }
    function later(): void {
      timer ??= setTimeout(() => {
        timer = undefined
        void pull()
      }, pauseMs)
    }
    function news(): void {
      if (asking) more = true
      else if (timer === undefined) void pull()
    }

    setState(before)
    const offEvent = link.onEvent((event) => {
      if (event.name === 'server.messaged' && event.payload.name === name) news()
    })
    // The first look; and another run of the host counts from one again.
    const offStatus = link.onStatus((status) => {
      if (status !== 'open') return
      after = 0
      setState(before)
      news()
    })
    return () => {
      gone = true
      clearTimeout(timer)
      offEvent()
      offStatus()
    }
  }, [attempt, link, name, again])
  return { ...state, reload: () => setAgain((count) => count + 1) }
}
