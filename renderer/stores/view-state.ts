// What belongs to this page alone and to no host: passing messages, what a screen reader should say, the drawer.
import { createStore } from 'zustand/vanilla'
import type { ToolSwitches } from '#app/chat/tools/tool-switches.ts'
import type { ConsentMode } from '#app/consent/rules/consent-mode.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action: { readonly label: string; readonly run: () => void } | undefined
}

export interface NewChoice {
  readonly model?: string
  readonly consentMode?: ConsentMode
  readonly tools?: ToolSwitches | undefined
}

export interface ViewState {
  readonly toasts: readonly Toast[]
  /** The latest announcement; `id` changes with each, so that the same words are said again. */
  readonly announcement: { readonly id: number; readonly text: string }
  /** The sidebar as a drawer, on narrow windows. */
  readonly menuOpen: boolean
  readonly commandsOpen: boolean
  /** What was chosen for chats that have not begun, by the folder that they begin in; '' is none. */
  readonly newChats: Readonly<Record<string, NewChoice>>
  /** The chat that was open last. */
  readonly lastChat?: string
}

export const createViewStore = () =>
  createStore<ViewState>(() => ({ toasts: [], announcement: { id: 0, text: '' }, menuOpen: false, commandsOpen: false, newChats: {} }))
export type ViewStore = ReturnType<typeof createViewStore>

let lastToast = 0

/** Shows a line with an optional action at the foot of the page; the bar itself takes it away again. */
export function showToast(view: ViewStore, text: string, options: { tone?: Toast['tone']; action?: Toast['action'] } = {}): void {
  const toast: Toast = { id: ++lastToast, text, tone: options.tone ?? 'plain', action: options.action }
  // The same again stands once.
  const others = view.getState().toasts.filter((one) => one.text !== text || one.action)
  view.setState({ toasts: [...others.slice(-2), toast] })
}

export const dismissToast = (view: ViewStore, id: number): void =>
  view.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))

/** Said politely, once, by a screen reader. */
export const announce = (view: ViewStore, text: string): void =>
  view.setState((state) => ({ announcement: { id: state.announcement.id + 1, text } }))
