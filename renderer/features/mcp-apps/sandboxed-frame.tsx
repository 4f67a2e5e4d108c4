// The frame of a document that others wrote: MCP Apps and pages of answers. Its isolation is that of the address (`mcpAppPath`), whose
// policy allows no origin, no navigation and no other frame; the element repeats the sandbox. A second load means that the document left.

import { type CSSProperties, type ReactElement, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { mcpAppSandbox } from '#app/contract/csp.ts'
import { t } from '#app/i18n/translate.ts'
import { listen } from '#renderer/ui/lib/listen.ts'

export type FrameEnd = 'left' | 'thief' | 'flood'
export const frameEndLabels: Readonly<Record<FrameEnd, string>> = {
  left: t`Stopped: it tried to leave its page.`,
  thief: t`Stopped: it kept taking the focus.`,
  flood: t`Stopped: too many messages.`,
}

// Keeps a view from taking the focus, since the person's next keys would go to it. The frame is inert unless the pointer is over it
// or the focus is in it; a button enters it by keyboard. A script in the frame can still take the focus: it is then moved back, and
// a view that repeats that is ended.

/** Focus thefts that end a view. Some views focus one of their fields when they are drawn. */
const mostThefts = 5

/** `onPointerEnter`, `onPointerLeave`: handlers of the element around the frame. `enter`: moves the focus into the frame. */
function useInert(frame: RefObject<HTMLIFrameElement | null>, onThief: () => void) {
  const [inert, setInert] = useState(true)
  const over = useRef<boolean>(false)
  const thefts = useRef<number>(0)
  const endThief = useEffectEvent(onThief)
  useEffect(() => {
    let before: Element | null = document.activeElement
    let back: ReturnType<typeof setTimeout> | undefined
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target !== frame.current) before = target
      // The focus left the frame for an element of this page.
      if (!over.current && document.activeElement !== frame.current) setInert(true)
    }
    const onBlur = (): void => {
      if (!inert || frame.current === null || document.activeElement !== frame.current) return
      thefts.current += 1
      // The browser completes the move into the frame first.
      back = setTimeout(() => {
        window.focus()
        frame.current?.blur()
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        if (thefts.current >= mostThefts) endThief()
      })
    }
    const ignoreFocus = listen(document, { focusin: onFocusIn })
    const ignoreBlur = listen(window, { blur: onBlur })
    return () => {
      clearTimeout(back)
      ignoreFocus()
      ignoreBlur()
    }
  }, [inert, frame])
  return {
    inert,
    onPointerEnter(): void {
      over.current = true
      setInert(false)
    },
    onPointerLeave(): void {
      over.current = false
      if (document.activeElement !== frame.current) setInert(true)
    },
    enter(): void {
      // Set directly: the frame must be focusable within this click.
      if (frame.current) frame.current.inert = false
      setInert(false)
      frame.current?.focus()
    },
  }
}

interface SandboxedFrameOptions {
  readonly frame: RefObject<HTMLIFrameElement | null>
  /** Undefined until the document may load. */
  readonly src: string | undefined
  readonly title: string
  /** Whether it takes keys and pointer wherever they are: when it is all that the page shows. */
  readonly awake?: boolean
  readonly style?: CSSProperties
  /** Must take the frame away. */
  readonly onEnd: (why: 'left' | 'thief') => void
}

/** `stage`: the frame in its place. `enter`: moves the focus into it. */
export function useSandboxedFrame({ frame, src, title, awake = false, style, onEnd }: SandboxedFrameOptions): {
  readonly enter: () => void
  readonly stage: ReactElement
} {
  const { inert, enter, ...around } = useInert(frame, () => onEnd('thief'))
  const loads = useRef<number>(0)
  const stage = (
    <div className="app-stage" {...around}>
      <iframe
        ref={frame}
        inert={inert && !awake}
        src={src}
        sandbox={mcpAppSandbox}
        allow=""
        referrerPolicy="no-referrer"
        title={title}
        style={style}
        onLoad={() => {
          if (src === undefined) return
          loads.current += 1
          if (loads.current > 1) onEnd('left')
        }}
      />
    </div>
  )
  return { enter, stage }
}
