// Whether the view of a call is drawn: opened at the host, one of the few that live, and closed again.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OpenedView } from '#app/apps/view.ts'
import type { ErrorValue } from '#app/errors.ts'
import { toErrorValue } from '#app/errors.ts'
import { useStores } from '#renderer/stores/react.tsx'
import { aliveViews } from './alive.ts'

export type ReadyView = Extract<OpenedView, { kind: 'ready' }>
export type AskingView = Extract<OpenedView, { kind: 'asks' }>

/** `hidden`: by the person, or by itself; `gave-way`: others are drawn; `flood`, `left`, `thief`: it was ended. */
export type Closed = 'hidden' | 'gave-way' | 'flood' | 'left' | 'thief'

export type ShownView =
  | { readonly kind: 'closed'; readonly why: Closed | undefined }
  | { readonly kind: 'opening' }
  | { readonly kind: 'asks'; readonly view: AskingView }
  | { readonly kind: 'open'; readonly view: ReadyView }
  | { readonly kind: 'failed'; readonly error: ErrorValue }

export interface ToolViewState {
  readonly shown: ShownView
  /** `agreed`: the fingerprint that the person said yes to. */
  readonly open: (agreed?: string) => void
  readonly close: (why: Closed) => void
}

export function useToolView(conversationId: string, callId: string): ToolViewState {
  const { link } = useStores()
  const [shown, setShown] = useState<ShownView>({ kind: 'closed', why: undefined })
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
          const leaveOthers = aliveViews.add(() => close('gave-way'))
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
