// What a view is told of where it is shown (MCP Apps, "Host Context").
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { useDark } from '#renderer/features/chat/diagram/use-dark.ts'
import { useConnection } from '#renderer/stores/react.tsx'
import { hostStyles } from './host-styles.ts'
import type { ReadyView } from './use-tool-view.ts'

export type ViewMode = 'inline' | 'fullscreen'

/** CSS pixels of a view in the chat; one that is higher scrolls. */
export const highestView = 600

export function useHostContext(frame: RefObject<HTMLElement | null>, view: ReadyView, mode: ViewMode): McpUiHostContext {
  const dark = useDark()
  const shell = useConnection((state) => state.about?.shell.kind)
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  const full = mode === 'fullscreen' ? height : 0
  return useMemo((): McpUiHostContext => {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return {
      toolInfo: { tool: view.tool as NonNullable<McpUiHostContext['toolInfo']>['tool'] },
      theme: dark ? 'dark' : 'light',
      styles: hostStyles(),
      displayMode: mode,
      availableDisplayModes: ['inline', 'fullscreen'],
      containerDimensions: mode === 'fullscreen' ? { width, height: full } : { width, maxHeight: highestView },
      locale,
      timeZone,
      userAgent: 'assent',
      platform: shell === 'electron' ? 'desktop' : 'web',
      deviceCapabilities: { touch: matchMedia('(any-pointer: coarse)').matches, hover: matchMedia('(any-hover: hover)').matches },
    }
  }, [view, dark, mode, width, full, shell])
}
