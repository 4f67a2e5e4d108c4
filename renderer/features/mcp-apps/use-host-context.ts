// Context of a view: where it is shown (MCP Apps, "Host Context") and the page's current theme (MCP Apps, "Theming").
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { useConnection } from '#renderer/stores/store-hooks.tsx'
import { useDark } from '#renderer/ui/lib/use-dark.ts'
import { useTextScale } from '#renderer/ui/lib/use-visible-rows.ts'
import type { ReadyMcpApp } from './use-tool-app.ts'

type Variables = NonNullable<NonNullable<McpUiHostContext['styles']>['variables']>

const themeVariables: readonly (readonly [string, string])[] = [
  ['--color-background-primary', '--bg'],
  ['--color-background-secondary', '--sunken'],
  ['--color-background-tertiary', '--side'],
  ['--color-background-inverse', '--text'],
  ['--color-background-danger', '--danger-wash'],
  ['--color-background-warning', '--warn-wash'],
  ['--color-background-success', '--add-wash'],
  ['--color-background-info', '--ink-wash'],
  ['--color-text-primary', '--text'],
  ['--color-text-secondary', '--text-2'],
  ['--color-text-tertiary', '--text-3'],
  ['--color-text-inverse', '--bg'],
  ['--color-text-info', '--ink'],
  ['--color-text-danger', '--danger'],
  ['--color-text-success', '--ok'],
  ['--color-text-warning', '--warn'],
  ['--color-border-primary', '--edge'],
  ['--color-border-secondary', '--line'],
  ['--color-ring-primary', '--ink'],
  ['--font-sans', '--ui'],
  ['--font-mono', '--mono'],
  ['--border-radius-sm', '--r-chip'],
  ['--border-radius-md', '--r-ctl'],
  ['--border-radius-lg', '--r-card'],
]

/** Reads the theme. Colours are `light-dark(…)`, which a view resolves by its own colour scheme. */
function hostStyles(scale: number): NonNullable<McpUiHostContext['styles']> {
  const style = getComputedStyle(document.documentElement)
  const variables = themeVariables.flatMap(([name, own]) => {
    const value = style.getPropertyValue(own).trim()
    return value === '' ? [] : [[name, value] as const]
  })
  // A subset, as the specification allows.
  return { variables: { ...Object.fromEntries(variables), '--font-text-md-size': `${13 * scale}px` } as unknown as Variables }
}

export type McpAppDisplayMode = 'inline' | 'fullscreen' | 'pip'

/** Limit of a view's height in the chat in CSS pixels; a higher one scrolls. */
export const tallestMcpApp = 600

export function useHostContext(frame: RefObject<HTMLElement | null>, view: ReadyMcpApp, mode: McpAppDisplayMode): McpUiHostContext {
  const dark = useDark()
  const scale = useTextScale()
  const shell = useConnection((state) => state.about?.shell.kind)
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  const full = mode === 'inline' ? 0 : height
  return useMemo((): McpUiHostContext => {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return {
      toolInfo: { tool: view.tool as NonNullable<McpUiHostContext['toolInfo']>['tool'] },
      theme: dark ? 'dark' : 'light',
      styles: hostStyles(scale),
      displayMode: mode,
      availableDisplayModes: ['inline', 'fullscreen', 'pip'],
      containerDimensions: mode !== 'inline' ? { width, height: full } : { width, maxHeight: tallestMcpApp },
      locale,
      timeZone,
      userAgent: 'assent',
      platform: shell === 'electron' ? 'desktop' : 'web',
      deviceCapabilities: { touch: matchMedia('(any-pointer: coarse)').matches, hover: matchMedia('(any-hover: hover)').matches },
    }
  }, [view, dark, scale, mode, width, full, shell])
}
