// State of this page alone: toasts, announcements for screen readers, the drawer, choices for new chats.
import { createStore } from 'zustand/vanilla'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'
import type { OpenedMcpApp } from '#app/mcp-apps/app-view.ts'

export interface Toast {
  readonly id: number
  readonly shownAt: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action: { readonly label: string; readonly run: () => void } | undefined
}

export interface NewChoice {
  readonly model?: string | undefined
  /** Model that answers too. */
  readonly second?: string | undefined
  readonly consentMode?: ConsentMode
  readonly tools?: ToolSwitches | undefined
  readonly assistantId?: string
}

/** Place of a block of code: its answer, the part of it, and the place in the part's text in UTF-16 units. */
export interface ArtifactPlace {
  readonly messageId: string
  readonly part: number
  readonly start: number
}

/** An MCP App that reaches the network, before it is drawn. It waits on this page alone: the host is asked once it is answered. */
export interface McpAppRequest {
  readonly kind: 'mcp-app'
  /** Id of the call. */
  readonly id: string
  readonly conversationId: string
  readonly server: string
  readonly tool: string
  readonly app: Extract<OpenedMcpApp, { kind: 'asks' }>
  readonly answer: (show: boolean) => void
}

export interface ViewState {
  readonly toasts: readonly Toast[]
  /** Latest announcement; `id` changes with each, so that the same text is read again. */
  readonly announcement: { readonly id: number; readonly text: string }
  /** Whether the drawer with the sidebar is open, on narrow windows. */
  readonly menuOpen: boolean
  readonly commandsOpen: boolean
  /** Choices for new chats by folder; '' is none. */
  readonly newChats: Readonly<Record<string, NewChoice>>
  readonly lastChat?: string
  /** Tab of each server's page that the person chose last. */
  readonly serverTabs: Readonly<Record<string, string>>
  /** Find bar of a chat, and the place that it shows. */
  readonly find?: { readonly conversationId: string; readonly messageId?: string; readonly callId?: string } | undefined
  readonly mcpAppRequests: readonly McpAppRequest[]
  /** Open in the pane beside the chat. */
  readonly artifact?: (ArtifactPlace & { readonly conversationId: string }) | undefined
}

export const createViewStore = () =>
  createStore<ViewState>(() => ({
    toasts: [],
    announcement: { id: 0, text: '' },
    menuOpen: false,
    commandsOpen: false,
    newChats: {},
    serverTabs: {},
    mcpAppRequests: [],
  }))
export type ViewStore = ReturnType<typeof createViewStore>

let lastToast = 0

export type ToastOptions = { readonly tone?: Toast['tone']; readonly action?: Toast['action'] }

/** Shows a toast with an optional action at the top of the page; the bar removes it by itself. */
export function showToast(view: ViewStore, text: string, options: ToastOptions = {}): void {
  const toast: Toast = { id: ++lastToast, shownAt: Date.now(), text, tone: options.tone ?? 'plain', action: options.action }
  const others = view.getState().toasts.filter((one) => one.text !== text || one.action)
  view.setState({ toasts: [...others.slice(-2), toast] })
}

export const dismissToast = (view: ViewStore, id: number): void =>
  view.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))

/** Milliseconds in which a toast belongs to what leads to another page: “Chat deleted”, then a new chat. */
const freshToastMs = 1000

/** Removes the toasts of the page that was left. */
export const dismissOldToasts = (view: ViewStore): void =>
  view.setState((state) => ({ toasts: state.toasts.filter(({ shownAt }) => Date.now() - shownAt < freshToastMs) }))

/** Has a screen reader read the text once, politely. */
export const announce = (view: ViewStore, text: string): void =>
  view.setState((state) => ({ announcement: { id: state.announcement.id + 1, text } }))
