// Whether the view of a call is drawn: opened at the host, one of the few that live, and closed again. How many frames of views
// live at a time, over all chats: each is a program. When one more is drawn, the one that was drawn first gives way, and says
// so in its place.
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

const mostAlive = 4

interface LiveMcpApps {
  /** Returns its undo. `onGiveWay`: another one needs its place. */
  add(onGiveWay: () => void): () => void
}

export function createLiveMcpApps(most = mostAlive): LiveMcpApps {
  const alive = new Set<() => void>()
  return {
    add(onGiveWay) {
      const entry = (): void => onGiveWay()
      alive.add(entry)
      for (const oldest of alive) {
        if (alive.size <= most) break
        alive.delete(oldest)
        oldest()
      }
      return () => void alive.delete(entry)
    },
  }
}

const liveMcpApps = createLiveMcpApps()

export type ReadyMcpApp = Extract<OpenedMcpApp, { kind: 'ready' }>
export type AskingMcpApp = Extract<OpenedMcpApp, { kind: 'asks' }>

/** `hidden`: by the person, or by itself; `gave-way`: others are drawn; `flood`, `left`, `thief`: it was ended. */
export type Closed = 'hidden' | 'gave-way' | 'flood' | 'left' | 'thief'

type ShownMcpApp =
  | { readonly kind: 'closed'; readonly why: Closed | undefined }
  | { readonly kind: 'opening' }
  | { readonly kind: 'asks'; readonly view: AskingMcpApp }
  | { readonly kind: 'open'; readonly view: ReadyMcpApp }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

interface ToolMcpAppState {
  readonly shown: ShownMcpApp
  /** `agreed`: the fingerprint that the person said yes to. */
  readonly open: (agreed?: string) => void
  readonly close: (why: Closed) => void
}

export function useToolMcpApp(conversationId: string, callId: string): ToolMcpAppState {
  const { link } = useStores()
  const [shown, setShown] = useState<ShownMcpApp>({ kind: 'closed', why: undefined })
  /** Ends what is open now; a call of `open` that is still under way then counts for nothing. */
  const end = useRef<(() => void) | undefined>(undefined)

  const leave = useCallback((): void => {
    end.current?.()
    end.current = undefined
  }, [])
  const close = useCallback(
    (why: Closed): void => {
      leave()
      setShown({ kind: 'closed', why })
    },
    [leave],
  )
  const open = useCallback(
    (agreed?: string): void => {
      leave()
      let ended = false
      let undo: (() => void) | undefined
      end.current = () => {
        ended = true
        undo?.()
      }
      setShown({ kind: 'opening' })
      link.request('view.open', { conversationId, callId, ...(agreed === undefined ? {} : { agreed }) }).then(
        (view) => {
          const closeIt = (): void => {
            if (view.kind === 'ready') link.request('view.close', { id: view.id }).catch(() => undefined) // The host is gone, and it with it.
          }
          if (ended) return closeIt()
          if (view.kind === 'asks') return setShown({ kind: 'asks', view })
          const leaveOthers = liveMcpApps.add(() => close('gave-way'))
          undo = () => {
            leaveOthers()
            closeIt()
          }
          setShown({ kind: 'open', view })
        },
        (error: unknown) => {
          if (!ended) setShown({ kind: 'failed', error: toErrorValue(error) })
        },
      )
    },
    [link, conversationId, callId, leave, close],
  )
  useEffect(() => leave, [leave])
  return { shown, open, close }
}
