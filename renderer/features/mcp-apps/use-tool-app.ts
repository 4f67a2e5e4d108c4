// State of a call's view: opened at the host, shown, closed. Only a few frames live at a time over all chats, since each is a
// program; one more closes the oldest, which says so in its place.
import { useEffect, useRef, useState } from 'react'
import { type ErrorValue, toErrorValue } from '#app/errors.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'
import { useStores } from '#renderer/stores/store-hooks.tsx'

const mostAlive = 4

export function createLiveMcpApps(most = mostAlive) {
  const alive = new Set<() => void>()
  return {
    /** Adds a view. `onGiveWay`: called when another one needs its place. Returns its undo. */
    add(onGiveWay: () => void): () => void {
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

/** `hidden`: by the person or the view itself; `gave-way`: for a newer view; `flood`, `left`, `thief`: ended by the page. */
export type Closed = 'hidden' | 'gave-way' | 'flood' | 'left' | 'thief'

type ShownMcpApp =
  | { readonly kind: 'closed'; readonly why: Closed | undefined }
  | { readonly kind: 'opening' }
  | { readonly kind: 'asks'; readonly view: AskingMcpApp }
  | { readonly kind: 'open'; readonly view: ReadyMcpApp }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

/** `open(agreed)`: `agreed` is the fingerprint that the person accepted. */
export function useToolMcpApp(conversationId: string, callId: string) {
  const { hostConnection } = useStores()
  const [shown, setShown] = useState<ShownMcpApp>({ kind: 'closed', why: undefined })
  /** Ends the open view; the result of a pending `open` is then ignored. */
  const end = useRef<(() => void) | undefined>(undefined)

  const leave = (): void => {
    end.current?.()
    end.current = undefined
  }
  const close = (why: Closed): void => {
    leave()
    setShown({ kind: 'closed', why })
  }
  const open = (agreed?: string): void => {
    leave()
    let ended = false
    let undo: (() => void) | undefined
    end.current = () => {
      ended = true
      undo?.()
    }
    setShown({ kind: 'opening' })
    hostConnection.request('mcpApp.open', { conversationId, callId, ...(agreed === undefined ? {} : { agreed }) }).then(
      (view) => {
        const closeIt = (): void => {
          if (view.kind === 'ready') hostConnection.request('mcpApp.close', { id: view.id }).catch(() => undefined) // Gone with the host.
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
  }
  useEffect(() => () => end.current?.(), [])
  return { shown, open, close }
}
