// The bridge of one frame: opened before the frame has an address, so that its first word is heard; told how the call ended
// and how the page looks; closed with the frame.

import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ToolCall } from '#app/chat/message.ts'
import { viewPath } from '#app/contract/csp.ts'
import { useStores } from '#renderer/stores/react.tsx'
import type { Bridge, BridgeOptions } from './bridge.ts'
import type { Closed, ReadyView } from './use-tool-view.ts'

export interface Bridged {
  /** Where the frame goes; undefined: nobody would hear it yet. */
  readonly src: string | undefined
  /** To be told of each load of the frame: there is one. */
  readonly onLoad: () => void
  /** It may put away what it has, first. */
  readonly end: (why: Closed) => void
}

type Hooks = Pick<BridgeOptions, 'onHeight' | 'onMessage' | 'onContext' | 'onMode' | 'onCall'>

interface BridgeUse {
  readonly frame: RefObject<HTMLIFrameElement | null>
  readonly view: ReadyView
  readonly state: ToolCall['state']['kind']
  readonly context: McpUiHostContext
  readonly hooks: Hooks
  readonly onClose: (why: Closed) => void
}

export function useBridge({ frame, view, state, context, hooks, onClose }: BridgeUse): Bridged {
  const { link, connection } = useStores()
  const [bridge, setBridge] = useState<Bridge | undefined>(undefined)
  const loads = useRef<number>(0)
  const latest = useRef({ hooks, context, onClose })
  useEffect(() => {
    latest.current = { hooks, context, onClose }
  })

  useEffect(() => {
    const element = frame.current
    if (!element) return
    let closed = false
    let opened: Bridge | undefined
    const now = <K extends keyof Hooks>(name: K): Hooks[K] =>
      ((...args: never[]) => (latest.current.hooks[name] as (...all: never[]) => unknown)(...args)) as Hooks[K]
    void import('./bridge.ts')
      .then(({ openBridge }) =>
        openBridge({
          frame: element,
          view,
          link,
          version: connection.getState().about?.version ?? '',
          context: latest.current.context,
          onReady: () => undefined,
          onHeight: now('onHeight'),
          onMessage: now('onMessage'),
          onContext: now('onContext'),
          onMode: now('onMode'),
          onCall: now('onCall'),
          onEnd: (why) => latest.current.onClose(why === 'flood' ? 'flood' : 'hidden'),
        }),
      )
      .then((made) => {
        opened = made
        if (closed) void made.close()
        else setBridge(made)
      })
    return () => {
      closed = true
      void opened?.close()
    }
  }, [frame, view, link, connection])

  useEffect(() => bridge?.changed(context), [bridge, context])
  useEffect(() => {
    if (!bridge || state === 'running') return
    let gone = false
    link.request('view.result', { id: view.id }).then(
      (result) => {
        if (!gone) bridge.result(result)
      },
      () => undefined, // It is closed, or the host is gone: the view goes without.
    )
    return () => {
      gone = true
    }
  }, [bridge, state, link, view])

  return {
    src: bridge ? viewPath(view.id) : undefined,
    onLoad() {
      if (!bridge) return
      loads.current += 1
      if (loads.current > 1) onClose('left')
    },
    end(why) {
      void (bridge?.close() ?? Promise.resolve()).then(() => onClose(why))
    },
  }
}
