// The names under which Electron's IPC carries the wire, and what its menu tells the page. Apart from the schemas, so that
// the preload, which a sandbox wants small, need not carry them.
export const channels = { request: 'assent:request', event: 'assent:event', command: 'assent:command' } as const

/** What the person chose outside the page: in the menu, or by clicking a notification. */
export type ShellCommand =
  | { readonly kind: 'new-chat' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'commands' }
  | { readonly kind: 'open-conversation'; readonly id: string }
